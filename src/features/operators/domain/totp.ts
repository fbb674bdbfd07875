import { Secret, TOTP } from 'otpauth';

/** Seconds until an authenticator app shows another code. The defaults of RFC 6238, which every app supports. */
export const CODE_SECONDS = 30;
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: CODE_SECONDS } as const;
// Accepts the previous and the next code, because clocks differ and people type slowly.
const WINDOW_STEPS = 1;

/** Generates a seed of 160 random bits in base32, as RFC 4226 recommends. */
export const newTotpSeed = (): string => new Secret({ size: 20 }).base32;

/** The time step of a code; null if the code is not valid now. */
export function timeStepOfCode(seed: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const secret = Secret.fromBase32(seed);
  const delta = TOTP.validate({
    ...TOTP_OPTIONS,
    secret,
    token: code,
    timestamp: nowMs,
    window: WINDOW_STEPS,
  });
  return delta === null ? null : Math.floor(nowMs / 1_000 / CODE_SECONDS) + delta;
}

/** The code that an authenticator app shows at the time `nowMs`. */
export const codeAt = (seed: string, nowMs: number): string =>
  TOTP.generate({ ...TOTP_OPTIONS, secret: Secret.fromBase32(seed), timestamp: nowMs });

/** The URI that an authenticator app reads as a QR code. */
export const totpUri = (seed: string, issuer: string, account: string): string =>
  new TOTP({ ...TOTP_OPTIONS, issuer, label: account, secret: Secret.fromBase32(seed) }).toString();
