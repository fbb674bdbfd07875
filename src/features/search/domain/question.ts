import { uuidOf } from '../../../platform/kernel/index.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';

/** A range of amounts, as exact decimals; null if the range has no such bound. */
export interface AmountRange {
  readonly from: string | null;
  readonly to: string | null;
}

/** The possible meanings of a search text. */
export interface SearchQuestion {
  readonly customerId: string | null;
  readonly reviewId: string | null;
  readonly transactionRef: string | null;
  readonly hitId: string | null;
  /** A request id, and the start of that request, which the id contains. */
  readonly request: { readonly id: string; readonly at: Date } | null;
  readonly document: TaxId | null;
  readonly amounts: AmountRange | null;
  /** The institution's id of a customer or a transaction, or an account. */
  readonly reference: string | null;
  readonly name: string | null;
}

const NOTHING: SearchQuestion = {
  ...{ customerId: null, reviewId: null, transactionRef: null, hitId: null, request: null },
  ...{ document: null, amounts: null, reference: null, name: null },
};

const LETTERS = /\p{L}/u;
const MONEY = String.raw`(?:R\$\s*)?(\d[\d.,]*)`;
const RANGE = new RegExp(`^${MONEY}\\s*(?:\\.\\.|\\s-\\s|\\s+(?:a|to)\\s+)\\s*${MONEY}$`, 'i');
const BOUND = new RegExp(`^(>=|<=|>|<)\\s*${MONEY}$`);
const EXACT = /^R\$\s*(\d[\d.,]*)$/i;
const CENTS = /^\d[\d.,]*[.,]\d{2}$/;

/** Reads an amount in Brazilian or English notation: `1.234,56`, `1,234.56`, `1234`. Null if the text is no amount. */
export function parseSearchAmount(text: string): string | null {
  const compactText = text.replace(/\s/g, '');
  const brazilian = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$|^\d+,\d{1,2}$/.test(compactText);
  const decimal = brazilian
    ? compactText.replaceAll('.', '').replace(',', '.')
    : compactText.replaceAll(',', '');
  return /^\d{1,13}(?:\.\d{1,4})?$/.test(decimal) ? decimal : null;
}

function amountsIn(text: string): AmountRange | null {
  const range = RANGE.exec(text);
  if (range) {
    const [from, to] = [parseSearchAmount(range[1] ?? ''), parseSearchAmount(range[2] ?? '')];
    if (from === null || to === null) return null;
    return Number(from) <= Number(to) ? { from, to } : { from: to, to: from };
  }
  const bound = BOUND.exec(text);
  if (bound) {
    const value = parseSearchAmount(bound[2] ?? '');
    if (value === null) return null;
    return bound[1]?.startsWith('>') === true ? { from: value, to: null } : { from: null, to: value };
  }
  const exact = EXACT.exec(text)?.[1] ?? (CENTS.test(text) ? text : null);
  const value = exact === null ? null : parseSearchAmount(exact);
  return value === null ? null : { from: value, to: value };
}

/** Returns the time that a UUID (version 7) of the service begins with. */
const momentOf = (uuid: string): Date => new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16));

/** Parses a search text, which may have several meanings. */
export function parseSearchText(text: string): SearchQuestion {
  const trimmed = text.trim();
  const customerId = uuidOf('cus', trimmed);
  const reviewId = uuidOf('rev', trimmed);
  const transactionRef = uuidOf('txn', trimmed);
  const hitId = uuidOf('hit', trimmed);
  const request = uuidOf('req', trimmed);
  if ([customerId, reviewId, transactionRef, hitId, request].some((id) => id !== null)) {
    return {
      ...NOTHING,
      ...{ customerId, reviewId, transactionRef, hitId },
      request: request === null ? null : { id: trimmed, at: momentOf(request) },
    };
  }
  const parsed = TaxId.parse(trimmed);
  const amounts = amountsIn(trimmed);
  return {
    ...NOTHING,
    document: parsed.ok ? parsed.id : null,
    amounts,
    reference: amounts === null || !/[<>]|R\$/i.test(trimmed) ? trimmed : null,
    name: !parsed.ok && LETTERS.test(trimmed) ? trimmed : null,
  };
}
