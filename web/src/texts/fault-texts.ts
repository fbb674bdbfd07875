import type { Field } from '../api.js';
import type { Texts } from './pt.js';

/** Returns the text about a field, for the page's own faults and for the service's. */
export function fieldFaultText(texts: Texts, field: Field, code: string): string {
  const { errors } = texts;
  switch (code) {
    case 'REQUIRED':
      return field.type === 'SELECT' || field.type === 'COUNTRY' ? errors.REQUIRED_CHOICE : errors.REQUIRED;
    case 'TAX_ID_INVALID':
      return field.type === 'CNPJ' ? errors.CNPJ : errors.CPF;
    case 'DATE_INVALID':
    case 'DATE_IN_FUTURE':
    case 'TOO_SHORT':
    case 'TOO_LONG':
    case 'VALUE_NOT_ALLOWED':
      return errors[code];
    default:
      return formText(texts, field);
  }
}

function formText({ errors }: Texts, { type }: Field): string {
  switch (type) {
    case 'EMAIL':
    case 'PHONE':
    case 'CEP':
    case 'AMOUNT':
    case 'PERCENT':
    case 'CPF':
    case 'CNPJ':
      return errors[type];
    case 'DATE':
      return errors.DATE_INVALID;
    case 'TEXT':
    case 'COUNTRY':
    case 'SELECT':
      return errors.PATTERN_MISMATCH;
    default:
      return type satisfies never;
  }
}
