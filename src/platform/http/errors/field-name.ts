import { TaxId } from '../../kernel/values/tax-id.js';

const MAX_SHOWN = 64;
const SHOWABLE = /^[A-Za-z0-9_.-]+$/;
// Eleven digits or more, with or without punctuation: a CPF, a CNPJ, a telephone or a card number.
const LONG_NUMBER = /\d(?:[._-]?\d){10,}/g;
const CNPJ_LENGTH = 14;

/**
 * Returns a caller's field name in a form that is safe in errors and logs. A caller can put personal data, such as a
 * CPF or an address, into a key, so an odd name becomes `?` and a long number `*`.
 */
export function safeFieldName(name: string): string {
  const head = name.slice(0, MAX_SHOWN);
  if (!SHOWABLE.test(head)) return '?';
  const safeHead = head.replace(LONG_NUMBER, '*');
  return holdsTaxId(safeHead) ? '?' : safeHead;
}

/** True if the name contains an alphanumeric CNPJ, which LONG_NUMBER does not match. */
function holdsTaxId(name: string): boolean {
  const bareName = name.replace(/[._-]/g, '');
  for (let start = 0; start + CNPJ_LENGTH <= bareName.length; start += 1) {
    if (TaxId.accepts(bareName.slice(start, start + CNPJ_LENGTH))) return true;
  }
  return false;
}

/** Joins a path and a field below it: `origin` and `name`, or `name` alone at the top. */
export const joinPath = (path: string, field: string): string =>
  path === '' ? field : field === '' ? path : field.startsWith('[') ? path + field : `${path}.${field}`;
