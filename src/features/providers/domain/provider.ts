/** Checks of a session that an institution's provider can do. */
export const providerChecks = ['DOCUMENT', 'FACE_MATCH', 'LIVENESS', 'RECEITA', 'ADDRESS'] as const;
export type ProviderCheck = (typeof providerChecks)[number];

/** Kinds of calls to a provider: the checks, and sending one-time codes. */
export const providerKinds = [...providerChecks, 'ONE_TIME_CODE'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** The URL of the test double, which answers by test values. Allowed in ENVIRONMENT=sandbox only. */
export const SANDBOX_URL = 'sandbox:double';

/** The configuration of a provider in an organisation. */
export interface ProviderConfiguration {
  /** The provider's name in flows and findings. */
  readonly name: string;
  readonly checks: readonly ProviderKind[];
  readonly url: string;
  /** The timeout of a call, from connecting to the end of the response. */
  readonly timeoutMs: number;
  /** The cost of one call, in millionths of a real. */
  readonly costMicros: number;
  /** Providers with a smaller rank are called first. */
  readonly rank: number;
  readonly enabled: boolean;
  /** The signing secret is derived from this number, so incrementing it rotates the secret. */
  readonly secretGeneration: number;
}

/** Maximum timeout of a call, and the time since the first call after which no further provider is called. */
export const LONGEST_CALL_MS = 15_000;
export const LATEST_FALLBACK_MS = 25_000;

export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{1,39}$/;
