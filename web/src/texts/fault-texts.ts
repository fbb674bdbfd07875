import type { Field } from '../api.js';
import { isoDate } from '../answers.js';
import type { StepAnswer } from '../conditions.js';
import type { Texts } from './pt.js';

/** Returns the text about what somebody typed into a field, for the page's own faults and for the service's. */
export function fieldFaultText(
  texts: Texts,
  field: Field,
  code: string,
  typed: StepAnswer | undefined,
): string {
  const { errors } = texts;
  switch (code) {
    case 'REQUIRED':
      return field.type === 'SELECT' || field.type === 'COUNTRY' ? errors.REQUIRED_CHOICE : errors.REQUIRED;
    case 'TAX_ID_INVALID':
      return field.type === 'CNPJ' ? errors.CNPJ : errors.CPF;
    case 'DATE_INVALID':
      // 31/02/1980 is written as it should be; there is no such day.
      return isDay(typed) ? errors.DATE_UNKNOWN : errors.DATE_INVALID;
    case 'DATE_IN_FUTURE':
    case 'TOO_SHORT':
    case 'TOO_LONG':
    case 'VALUE_NOT_ALLOWED':
      return errors[code];
    default:
      return formText(texts, field);
  }
}

/** Whether a text has the form of a day after 1899, be there such a day or not. */
const isDay = (typed: StepAnswer | undefined): boolean =>
  typeof typed === 'string' && (isoDate(typed.trim()) ?? '') >= '1900';

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
