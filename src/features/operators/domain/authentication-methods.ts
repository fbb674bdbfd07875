// Values of RFC 8176. A face, a finger or a key alone is one factor: it may have unlocked only a browser.
const KNOWN = ['pwd', 'pin'];
const HELD = ['hwk', 'swk', 'sc'];
const BORN = ['face', 'fpt', 'iris', 'retina', 'vbm'];
const SAID = ['mfa', 'otp'];

/**
 * True if the `amr` of an identity provider tells of a second factor: it says so itself, or names methods of two kinds:
 * knowledge, possession, inherence.
 */
export function includesSecondFactor(amr: unknown): boolean {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  const among = (values: readonly string[]): boolean => values.some((value) => methods.includes(value));
  return among(SAID) || [KNOWN, HELD, BORN].filter(among).length > 1;
}
