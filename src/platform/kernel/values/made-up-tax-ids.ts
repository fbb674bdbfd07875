/** Returns a CPF with valid check digits from its first nine digits: a fictional one for demos, the sandbox and tests. */
export function madeUpCpf(nine: string): string {
  const first = checkDigit(nine);
  return `${nine}${first}${checkDigit(`${nine}${first}`)}`;
}

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce(
    (total, digit, i) => total + Number(digit) * (digits.length + 1 - i),
    0,
  );
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** Returns a CNPJ with valid check digits from its first twelve characters, for the same uses. */
export function madeUpCnpj(twelve: string): string {
  const first = cnpjDigit(twelve);
  return `${twelve}${first}${cnpjDigit(`${twelve}${first}`)}`;
}

function cnpjDigit(digits: string): number {
  const weights = CNPJ_WEIGHTS.slice(-digits.length);
  const rest = weights.reduce((sum, weight, at) => sum + weight * (digits.charCodeAt(at) - 48), 0) % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** First digits of magic CPFs. For these, the sandbox replaces a check provider that is not configured. */
export const MAGIC_DOCUMENTS = {
  /** Every check passes. */
  PASS: '900',
  /** The face check fails: the face belongs to another person. */
  FAIL: '901',
  /** The provider does not answer. */
  AWAY: '902',
} as const;
export type MagicAnswer = keyof typeof MAGIC_DOCUMENTS;

/** Returns the answer that the sandbox gives for this CPF; null for an ordinary CPF. */
export function magicAnswer(document: string | null): MagicAnswer | null {
  const digits = document?.replace(/\D/g, '') ?? '';
  if (digits.length !== 11) return null;
  const names = Object.keys(MAGIC_DOCUMENTS) as MagicAnswer[];
  return names.find((name) => digits.startsWith(MAGIC_DOCUMENTS[name])) ?? null;
}
