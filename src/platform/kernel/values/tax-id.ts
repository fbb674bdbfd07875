import { inspect } from 'node:util';

export type TaxIdKind = 'CPF' | 'CNPJ';
export type TaxIdParse = { readonly ok: true; readonly id: TaxId } | { readonly ok: false };

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;
const LENGTH_OF = { CPF: CPF_LENGTH, CNPJ: CNPJ_LENGTH } as const;
const PUNCTUATION = /[.\-/ ]/g;
/** `12.345.678/0001-95` has 18 characters; the rest allows some stray spaces. */
const MAX_TEXT_LENGTH = 32;
// With fewer hidden characters, the check digits would reveal them, and the mask would hold a full number. With fewer
// visible characters, masks of different persons would be equal.
const MIN_HIDDEN = 3;
const MIN_VISIBLE = 2;

/**
 * A CPF or CNPJ, full or masked by its sender (`***.456.789-**`). Printed, logged or serialised it shows a mask; only
 * `canonical()` returns the characters.
 */
export class TaxId {
  readonly #canonical: string;

  private constructor(
    canonical: string,
    readonly kind: TaxIdKind,
    /** True if the sender hid characters. They are never reconstructed. */
    readonly isMasked: boolean,
  ) {
    this.#canonical = canonical;
  }

  /**
   * Reads a CPF or CNPJ with or without punctuation. A full value must have the right check digits, a masked one the
   * right length. The CNPJ may be alphanumeric (IN RFB 2.229/2024, issued since July 2026).
   */
  static parse(text: string): TaxIdParse {
    const kind = kindOf(text);
    if (kind === null) return { ok: false };
    const plain = text.length === LENGTH_OF[kind] ? text : text.replace(PUNCTUATION, '');
    const canonical = plain.toUpperCase();
    return { ok: true, id: new TaxId(canonical, kind, canonical.includes('*')) };
  }

  /** True if `parse` would succeed. Faster, because it creates nothing. */
  static accepts(text: string): boolean {
    return kindOf(text) !== null;
  }

  /**
   * Returns the raw characters without punctuation, `*` where the sender hid them. For encryption and indexes, not for
   * show.
   */
  canonical(): string {
    return this.#canonical;
  }

  /** Returns six characters by which people recognise the tax id: `***.456.789-**`, `**.345.678/****-**`. */
  get maskedText(): string {
    const raw = this.#canonical;
    return this.kind === 'CPF'
      ? `***.${raw.slice(3, 6)}.${raw.slice(6, 9)}-**`
      : `**.${raw.slice(2, 5)}.${raw.slice(5, 8)}/****-**`;
  }

  /** True if the characters are equal. For two masked values that does not mean the same holder. */
  equals(other: TaxId): boolean {
    return this.#canonical === other.#canonical;
  }

  toString(): string {
    return this.maskedText;
  }

  toJSON(): string {
    return this.maskedText;
  }

  [inspect.custom](): string {
    return `TaxId(${this.maskedText})`;
  }
}

const DOT = 0x2e;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const SPACE = 0x20;
const STAR = 0x2a;

// The symbols of the text under the scan: their value (ASCII - 48, so A = 17) or HIDDEN. One buffer for all calls:
// the scan is synchronous and leaves nothing behind that is read later.
const symbols = new Int8Array(CNPJ_LENGTH);
const HIDDEN = -1;

/** Returns the kind of a tax id, punctuation aside; null if it is neither. */
function kindOf(text: string): TaxIdKind | null {
  if (text.length < CPF_LENGTH || text.length > MAX_TEXT_LENGTH) return null;
  let count = 0;
  let hidden = 0;
  let lastLetter = -1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === DOT || code === HYPHEN || code === SLASH || code === SPACE) continue;
    if (count === CNPJ_LENGTH) return null;
    if (code >= 0x30 && code <= 0x39) {
      symbols[count] = code - 0x30;
    } else if (code === STAR) {
      symbols[count] = HIDDEN;
      hidden += 1;
    } else if (code >= 0x41 && code <= 0x5a) {
      symbols[count] = code - 0x30;
      lastLetter = count;
    } else if (code >= 0x61 && code <= 0x7a) {
      symbols[count] = code - 0x50;
      lastLetter = count;
    } else {
      return null;
    }
    count += 1;
  }
  const isCpf = count === CPF_LENGTH && lastLetter === -1;
  const isCnpj = count === CNPJ_LENGTH && lastLetter < CNPJ_LENGTH - 2;
  if (!isCpf && !isCnpj) return null;
  if (hidden === 0) {
    if (!(isCpf ? hasCpfDigits() : hasCnpjDigits())) return null;
  } else if (hidden < MIN_HIDDEN || count - hidden < MIN_VISIBLE) {
    return null;
  }
  return isCpf ? 'CPF' : 'CNPJ';
}

function hasCpfDigits(): boolean {
  let allEqual = true;
  let first = 0;
  let second = 0;
  for (let i = 0; i < 9; i += 1) {
    const digit = symbols[i] ?? 0;
    if (digit !== symbols[0]) allEqual = false;
    first += digit * (10 - i);
    second += digit * (11 - i);
  }
  const expected = checkDigit(first);
  // Nine equal digits have the same digit as both check digits, so eleven equal digits need a refusal of their own.
  return !allEqual && symbols[9] === expected && symbols[10] === checkDigit(second + expected * 2);
}

// Weights for the first check digit; the second prepends a 6, and weighs the first check digit with 2.
const CNPJ_WEIGHTS = Int8Array.of(5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2);
const CNPJ_SECOND_WEIGHTS = Int8Array.of(6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3);

function hasCnpjDigits(): boolean {
  let any = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < 12; i += 1) {
    const value = symbols[i] ?? 0;
    any |= value;
    first += value * (CNPJ_WEIGHTS[i] ?? 0);
    second += value * (CNPJ_SECOND_WEIGHTS[i] ?? 0);
  }
  const expected = checkDigit(first);
  // Twelve zeros have check digits 00; the registry never issues them. Eight zeros are Banco do Brasil.
  return any !== 0 && symbols[12] === expected && symbols[13] === checkDigit(second + expected * 2);
}

function checkDigit(sum: number): number {
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
