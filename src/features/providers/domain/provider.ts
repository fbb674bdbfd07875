/** The checks of a session that an institution's providers are asked for. */
export const providerChecks = ['DOCUMENT', 'FACE_MATCH', 'LIVENESS', 'RECEITA', 'ADDRESS'] as const;
export type ProviderCheck = (typeof providerChecks)[number];

/** Everything that an adapter may be for: checks, and carrying one-time codes. */
export const providerKinds = [...providerChecks, 'ONE_TIME_CODE'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** A double that answers by test values; the environment decides where it may stand. */
export const SANDBOX_URL = 'sandbox:double';

/** The terms on which an organisation asks a provider. */
export interface ProviderTerms {
  /** The name in flows and findings. */
  readonly name: string;
  readonly checks: readonly ProviderKind[];
  readonly url: string;
  /** Over the whole exchange. */
  readonly timeoutMs: number;
  /** The cost of one call, in millionths of a real. */
  readonly costMicros: number;
  /** The smaller one is asked first. */
  readonly rank: number;
  readonly enabled: boolean;
  /** Its secret is derived from this number: the next number gives another secret. */
  readonly secretGeneration: number;
}

/** The longest call, and the time after which no other provider is asked. */
export const LONGEST_CALL_MS = 15_000;
export const LATEST_FALLBACK_MS = 25_000;

export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{1,39}$/;
