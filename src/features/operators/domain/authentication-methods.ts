// `amr` values (RFC 8176) by factor: knowledge, possession, inherence, and multi-factor as a whole. A face, finger or
// key alone is one factor: it may only have unlocked the browser.
const KNOWLEDGE = ['pwd', 'pin'];
const POSSESSION = ['hwk', 'swk', 'sc'];
const INHERENCE = ['face', 'fpt', 'iris', 'retina', 'vbm'];
const MULTI_FACTOR = ['mfa', 'otp'];

/**
 * True if the `amr` claim of an identity provider indicates a second factor: it contains `mfa` or `otp`, or methods
 * of two kinds out of knowledge, possession and inherence.
 */
export function includesSecondFactor(amr: unknown): boolean {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  const includesAny = (values: readonly string[]): boolean => values.some((value) => methods.includes(value));
  return includesAny(MULTI_FACTOR) || [KNOWLEDGE, POSSESSION, INHERENCE].filter(includesAny).length > 1;
}
