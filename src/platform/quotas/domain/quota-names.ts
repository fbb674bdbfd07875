interface Quota {
  /** The default limit. */
  readonly fallback: number;
  readonly doc: string;
}

/** The quotas of an organisation. Limits on concurrent work apply per process. */
export const quotas = {
  requestsPerSecond: {
    fallback: 5_000,
    doc: 'Calls a second of all applications together, and of all operators together; three seconds of it at once.',
  },
  endpoints: { fallback: 200, doc: 'Webhook endpoints that are not deleted.' },
  endpointsPerApp: { fallback: 20, doc: 'Webhook endpoints of one application.' },
  deliveriesInFlight: { fallback: 96, doc: 'Webhook deliveries under way in one process.' },
  uploadsInFlight: { fallback: 32, doc: 'Uploads under way in one process.' },
  exportsAtOnce: { fallback: 1, doc: 'Audit exports that are made at a time; the others wait their turn.' },
  exportsWaiting: { fallback: 50, doc: 'Audit exports that wait or run.' },
  backtestsAtOnce: { fallback: 1, doc: 'Back-tests that run at a time; the others wait their turn.' },
  backtestsWaiting: { fallback: 50, doc: 'Back-tests that wait or run.' },
  backfillsAtOnce: { fallback: 1, doc: 'Back-fills that run at a time; the others wait their turn.' },
  lookBacksAtOnce: { fallback: 1, doc: 'Look-backs that run at a time; the others wait their turn.' },
  costlyCallsAtOnce: {
    fallback: 2,
    doc: 'Dossiers, exports for persons and figures under way in one process.',
  },
  sessionsOpen: { fallback: 100_000, doc: 'Verification sessions that have not ended.' },
  listEntries: { fallback: 5_000_000, doc: 'Entries of all lists together.' },
  storedBytes: { fallback: 50 * 1_024 ** 3, doc: 'Bytes of uploaded files.' },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as QuotaName[];
export const isQuota = (text: string): text is QuotaName => Object.hasOwn(quotas, text);
