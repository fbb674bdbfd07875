import { isIPv4, isIPv6 } from 'node:net';
import {
  choice,
  databaseUrl,
  flag,
  integer,
  key,
  optionalKey,
  keyRing,
  list,
  optionalText,
  text,
  url,
  type SettingDefinition,
} from './setting-definitions.js';

/** A version is added when a field changes its meaning. Sent as `apiVersion`, checked in `X-API-Version`. */
export const API_VERSIONS = ['2026-11-01'] as const;
export const CURRENT_API_VERSION = API_VERSIONS[0];

const cidr = (part: string): string | null => {
  const [base = '', bits = ''] = part.split('/');
  const widest = isIPv4(base) ? 32 : isIPv6(base) ? 128 : -1;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= widest ? part : null;
};
const seconds = (part: string): number | null => (/^\d{1,7}$/.test(part) ? Number(part) : null);

/** Every setting of the service. docs/settings.md is generated from this table. */
export const settingDefinitions = {
  nodeEnv: choice(
    {
      env: 'NODE_ENV',
      group: 'Start',
      doc: 'production refuses everything that is only safe on a laptop; npm start sets development.',
      fallback: 'production',
    },
    ['production', 'development', 'test'],
  ),
  environment: choice(
    {
      env: 'ENVIRONMENT',
      group: 'Start',
      doc: 'Which environment this base URL is; named in events. Credentials of another environment are refused.',
      fallback: 'sandbox',
    },
    ['sandbox', 'staging', 'production'],
  ),
  role: choice(
    {
      env: 'ROLE',
      group: 'Start',
      doc: 'api answers requests, evaluator evaluates, deliverer sends webhooks, background does everything else; worker is the last three, all is everything in one process.',
      fallback: 'all',
    },
    ['all', 'api', 'worker', 'evaluator', 'deliverer', 'background'],
  ),
  serviceName: text(
    {
      env: 'SERVICE_NAME',
      group: 'Start',
      doc: 'Fills header names (X-Vigia-Signature), page titles and the OpenAPI title.',
      fallback: 'Vigia',
    },
    /^[A-Za-z][A-Za-z0-9-]{0,30}$/,
  ),
  host: text({
    env: 'HOST',
    group: 'Start',
    doc: 'Address to listen on. Loopback by default, so that a laptop offers nothing to its network.',
    fallback: '127.0.0.1',
  }),
  port: integer(
    { env: 'PORT', group: 'Start', doc: 'Port of the API; 0 takes a free one.', fallback: 3000 },
    0,
    65535,
  ),
  probesHost: text({
    env: 'PROBES_HOST',
    group: 'Start',
    doc: 'Address of PROBES_PORT. Loopback by default; that of the network of your probes and scrapers elsewhere.',
    fallback: '127.0.0.1',
  }),
  probesPort: integer(
    {
      env: 'PROBES_PORT',
      group: 'Start',
      doc: 'Port of /health and /metrics in production, where PORT does not answer them; 0 takes a free one. Elsewhere they are on PORT.',
      fallback: 3001,
    },
    0,
    65535,
  ),
  apiDocs: choice(
    {
      env: 'API_DOCS',
      group: 'Start',
      doc: 'Whether the pages for developers, /docs, /operator/docs and the OpenAPI documents are served: not in production unless it is `on`.',
      fallback: 'development',
    },
    ['development', 'on', 'off'],
  ),
  sandboxScenarios: choice(
    {
      env: 'SANDBOX_SCENARIOS',
      group: 'Start',
      doc: 'Whether integrators may steer what happens to a transaction by `metadata.sandboxScenario`: only where ENVIRONMENT is sandbox, and with NODE_ENV=production only when it is `on`.',
      fallback: 'development',
    },
    ['development', 'on', 'off'],
  ),
  publicUrl: url(
    {
      env: 'PUBLIC_URL',
      group: 'Start',
      doc: 'Base URL that integrators see, for the OpenAPI servers list and links; the listening address when unset.',
    },
    ['http:', 'https:'],
  ),
  dataDir: text({
    env: 'DATA_DIR',
    group: 'Start',
    doc: 'Where the launcher keeps its PostgreSQL, Redis, secrets and demo credentials, and the service uploaded files.',
    fallback: '.data',
  }),
  trustProxy: list(
    {
      env: 'TRUST_PROXY',
      group: 'Start',
      doc: 'Addresses of the proxies in front (CIDR); only these may say who the client is. None by default.',
      fallback: [],
    },
    cidr,
    'CIDR blocks',
  ),
  tlsCertFile: optionalText({
    env: 'TLS_CERT_FILE',
    group: 'Start',
    doc: 'Certificate chain in PEM; the service then answers over HTTPS. Renewed files are taken up within a minute.',
  }),
  tlsKeyFile: optionalText({
    env: 'TLS_KEY_FILE',
    group: 'Start',
    doc: 'Private key of TLS_CERT_FILE in PEM.',
  }),
  requestTimeoutMs: integer(
    {
      env: 'REQUEST_TIMEOUT_MS',
      group: 'Start',
      doc: 'How long a request may take to arrive, body included. Uploads have limits of their own.',
      fallback: 30_000,
    },
    100,
    300_000,
  ),
  shutdownTimeoutMs: integer(
    {
      env: 'SHUTDOWN_TIMEOUT_MS',
      group: 'Start',
      doc: 'How long running requests and jobs may take to finish after SIGTERM.',
      fallback: 10_000,
    },
    100,
    120_000,
  ),

  databaseUrl: databaseUrl({
    env: 'DATABASE_URL',
    group: 'Database',
    doc: 'PostgreSQL 15 or newer, as a role that owns nothing (vigia_app); several hosts with commas, of which the one that takes writes is used. Started by npm start when unset.',
  }),
  databaseOwnerUrl: url(
    {
      env: 'DATABASE_OWNER_URL',
      group: 'Database',
      doc: 'The owner of the schema; used by migrations only, never by the running service.',
    },
    ['postgres:', 'postgresql:'],
  ),
  databasePoolSize: integer(
    {
      env: 'DATABASE_POOL_SIZE',
      group: 'Database',
      doc: 'Connections per process. Batching needs few; more only helps slow networks.',
      fallback: 12,
    },
    4,
    200,
  ),
  databaseConnectTimeoutMs: integer(
    {
      env: 'DATABASE_CONNECT_TIMEOUT_MS',
      group: 'Database',
      doc: 'After this the caller gets 503 instead of waiting.',
      fallback: 2_000,
    },
    100,
    60_000,
  ),
  databaseStatementTimeoutMs: integer(
    {
      env: 'DATABASE_STATEMENT_TIMEOUT_MS',
      group: 'Database',
      doc: 'The longest a statement of the service may run; a request never waits longer for the database.',
      fallback: 10_000,
    },
    100,
    600_000,
  ),

  redisUrl: url(
    {
      env: 'REDIS_URL',
      group: 'Queue',
      doc: 'Redis 7 or Valkey for Bull. Without it (ROLE=all only) jobs are handed over inside the process.',
    },
    ['redis:', 'rediss:'],
  ),
  queuePrefix: text(
    {
      env: 'QUEUE_PREFIX',
      group: 'Queue',
      doc: 'Key prefix in Redis; the braces keep a queue in one slot of a Redis Cluster.',
      fallback: '{vigia}',
    },
    /^\{[a-zA-Z0-9_-]{1,40}\}$/,
  ),
  fxMaxAgeDays: integer(
    {
      env: 'FX_MAX_AGE_DAYS',
      group: 'Rules',
      doc: 'Days after which an exchange rate is too old to convert with; 7 outlasts Carnival and the turn of the year.',
      fallback: 7,
    },
    1,
    60,
  ),
  evidenceUrl: url(
    {
      env: 'EVIDENCE_URL',
      group: 'Rules',
      doc: 'Service of the institution that is asked about every transaction (docs/evidence-provider.md); nobody when unset.',
    },
    ['http:', 'https:'],
  ),
  evidenceSecret: optionalText({
    env: 'EVIDENCE_SECRET',
    group: 'Rules',
    doc: 'Signs the requests to EVIDENCE_URL with HMAC-SHA-256.',
    secret: true,
  }),
  evidenceTimeoutMs: integer(
    {
      env: 'EVIDENCE_TIMEOUT_MS',
      group: 'Rules',
      doc: 'Total time of one request to EVIDENCE_URL; what comes later counts as failed.',
      fallback: 800,
    },
    50,
    10_000,
  ),
  evidenceAllowCidrs: list(
    {
      env: 'EVIDENCE_ALLOW_CIDRS',
      group: 'Rules',
      doc: 'Private address blocks that EVIDENCE_URL may lead to.',
      fallback: [],
    },
    cidr,
    'CIDR blocks',
  ),
  pipelineLeaseMs: integer(
    {
      env: 'PIPELINE_LEASE_MS',
      group: 'Queue',
      doc: 'How long a claimed transaction is protected from other workers; renewed while it is worked on.',
      fallback: 8_000,
    },
    500,
    120_000,
  ),
  pipelineMaxAttempts: integer(
    {
      env: 'PIPELINE_MAX_ATTEMPTS',
      group: 'Queue',
      doc: 'Attempts before a transaction is dead-lettered.',
      fallback: 5,
    },
    1,
    50,
  ),
  reconcileIntervalMs: integer(
    {
      env: 'RECONCILE_INTERVAL_MS',
      group: 'Queue',
      doc: 'How often expired leases, lost jobs and an emptied Redis are looked for.',
      fallback: 2_000,
    },
    50,
    60_000,
  ),
  reviewsPerAnalyst: integer(
    {
      env: 'REVIEWS_PER_ANALYST',
      group: 'Reviews',
      doc: 'Automatic assignment gives nobody more open cases than this.',
      fallback: 25,
    },
    1,
    10_000,
  ),
  screeningIndex: flag({
    env: 'SCREENING_INDEX',
    group: 'Screening',
    doc: 'Whether this process holds the lists in memory. Without, screening is not done and says so.',
    fallback: true,
  }),
  screeningTimeoutMs: integer(
    {
      env: 'SCREENING_TIMEOUT_MS',
      group: 'Screening',
      doc: 'How long a batch may wait for the search thread; then its component is ERROR and the result PARTIAL.',
      fallback: 5_000,
    },
    100,
    60_000,
  ),
  ingestLane: flag({
    env: 'INGEST_LANE',
    group: 'Queue',
    doc: 'Answers plain ingest requests before Express, at a third of the cost; false sends all of them through it.',
    fallback: true,
  }),
  evaluateOnArrival: flag({
    env: 'EVALUATE_ON_ARRIVAL',
    group: 'Queue',
    doc: 'Whether a process that accepts a transaction evaluates it at once while it has little to do; false leaves to the queue whatever nobody waits for.',
    fallback: true,
  }),
  ingestQueueLimit: integer(
    {
      env: 'INGEST_QUEUE_LIMIT',
      group: 'Queue',
      doc: 'Submissions that may wait for the database in one process; beyond it the answer is 503 OVERLOADED.',
      fallback: 5_000,
    },
    1,
    1_000_000,
  ),

  ingestWaitLimit: integer(
    {
      env: 'INGEST_WAIT_LIMIT',
      group: 'Queue',
      doc: 'Submissions whose callers may wait for the decision at a time in one process; beyond it they get 202 at once.',
      fallback: 1_000,
    },
    0,
    100_000,
  ),

  keySource: choice(
    {
      env: 'KEY_SOURCE',
      group: 'Secrets',
      doc: 'Where the keys of the ring come from at the start: KEY_RING, a file, or a key service that unwraps them (docs/security.md).',
      fallback: 'environment',
    },
    ['environment', 'file', 'aws-kms', 'vault'],
  ),
  keyRing: keyRing({
    env: 'KEY_RING',
    group: 'Secrets',
    doc: 'Keys that wrap the per-subject data keys. The first encrypts, all decrypt. Needed with KEY_SOURCE=environment.',
    fallback: [],
  }),
  keyRingFile: optionalText({
    env: 'KEY_RING_FILE',
    group: 'Secrets',
    doc: 'File that holds what KEY_RING would, readable by its owner only; with KEY_SOURCE=file.',
  }),
  keyRingWrapped: optionalText({
    env: 'KEY_RING_WRAPPED',
    group: 'Secrets',
    doc: 'Keys of the ring as the key service wrapped them, comma-separated `id:ciphertext`, newest first (`vigia keys new`).',
  }),
  kmsKeyId: optionalText({
    env: 'KMS_KEY_ID',
    group: 'Secrets',
    doc: 'Key of AWS KMS (id, ARN or alias) that wraps the keys of the ring.',
  }),
  kmsRegion: text(
    { env: 'KMS_REGION', group: 'Secrets', doc: 'Region of AWS KMS.', fallback: 'us-east-1' },
    /^[a-z0-9-]{1,40}$/,
  ),
  kmsEndpoint: url(
    {
      env: 'KMS_ENDPOINT',
      group: 'Secrets',
      doc: 'Address of AWS KMS where it is not that of the region; https in production.',
    },
    ['https:', 'http:'],
  ),
  kmsAccessKeyId: optionalText({
    env: 'KMS_ACCESS_KEY_ID',
    group: 'Secrets',
    doc: 'Access key that may Decrypt with KMS_KEY_ID, and nothing else.',
  }),
  kmsSecretAccessKey: optionalText({
    env: 'KMS_SECRET_ACCESS_KEY',
    group: 'Secrets',
    doc: 'The secret of KMS_ACCESS_KEY_ID.',
    secret: true,
  }),
  kmsSessionToken: optionalText({
    env: 'KMS_SESSION_TOKEN',
    group: 'Secrets',
    doc: 'With temporary credentials.',
    secret: true,
  }),
  vaultAddr: url(
    {
      env: 'VAULT_ADDR',
      group: 'Secrets',
      doc: 'HashiCorp Vault or OpenBao with a transit engine; https in production.',
    },
    ['https:', 'http:'],
  ),
  vaultToken: optionalText({
    env: 'VAULT_TOKEN',
    group: 'Secrets',
    doc: 'Token that may decrypt with VAULT_TRANSIT_KEY, and nothing else.',
    secret: true,
  }),
  vaultTransitKey: optionalText({
    env: 'VAULT_TRANSIT_KEY',
    group: 'Secrets',
    doc: 'Name of the key that wraps the keys of the ring.',
  }),
  vaultTransitMount: text(
    {
      env: 'VAULT_TRANSIT_MOUNT',
      group: 'Secrets',
      doc: 'Where the transit engine is.',
      fallback: 'transit',
    },
    /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/,
  ),
  auditAnchorFile: optionalText({
    env: 'AUDIT_ANCHOR_FILE',
    group: 'Start',
    doc: 'File outside the database to which signed checkpoints of the audit log are appended; audit/anchors.jsonl in DATA_DIR when unset. It is how a database that was put back to an earlier day is noticed: keep it on another disk.',
  }),
  auditExportDays: integer(
    {
      env: 'AUDIT_EXPORT_DAYS',
      group: 'Start',
      doc: 'How many days the file of a finished audit export is kept. That it was made and taken stays in the log.',
      fallback: 7,
    },
    1,
    365,
  ),
  auditRetentionYears: integer(
    {
      env: 'AUDIT_RETENTION_YEARS',
      group: 'Start',
      doc: 'How many years entries of the audit log are kept, counted from 1 January of the year after; `audit prune` ends the keeping. The database itself refuses less than five years.',
      fallback: 10,
    },
    5,
    100,
  ),
  auditSweepPerSecond: integer(
    {
      env: 'AUDIT_SWEEP_PER_SECOND',
      group: 'Start',
      doc: 'How many trails a second the background check judges at most, over all processes; 0 switches it off. A trail is also judged whenever somebody decides or exports.',
      fallback: 20,
    },
    0,
    100_000,
  ),
  auditSweepPercent: integer(
    {
      env: 'AUDIT_SWEEP_PERCENT',
      group: 'Start',
      doc: 'How much of the time, in per cent, the background check works at most: it gives way, however long its steps take because others need the machine.',
      fallback: 4,
    },
    1,
    100,
  ),
  auditKeys: keyRing({
    env: 'AUDIT_KEYS',
    group: 'Secrets',
    doc: 'Ed25519 seeds that sign the checkpoints of the audit log. The first signs; the others signed before it.',
  }),
  indexKey: key({
    env: 'INDEX_KEY',
    group: 'Secrets',
    doc: 'Seals the keys of the blind indexes over documents, customers, devices and names. It is changed by `vigia keys rotate-index`; the service does not start with another one.',
  }),
  indexKeyNext: optionalKey({
    env: 'INDEX_KEY_NEXT',
    group: 'Secrets',
    doc: 'What `vigia keys rotate-index` puts in the place of INDEX_KEY; nothing else reads it.',
  }),
  clientSecretPepper: key({
    env: 'CLIENT_SECRET_PEPPER',
    group: 'Secrets',
    doc: 'Key of the HMAC under which client secrets are stored. Changing it invalidates every client secret.',
  }),

  operatorTokenSeconds: integer(
    {
      env: 'OPERATOR_TOKEN_SECONDS',
      group: 'Operators',
      doc: 'How long an access token lives; what it allows is looked up at every use.',
      fallback: 600,
    },
    60,
    600,
  ),
  operatorIdleMinutes: integer(
    {
      env: 'OPERATOR_IDLE_MINUTES',
      group: 'Operators',
      doc: 'A login that is not used for so long ends (30: NIST SP 800-63B, assurance level 2).',
      fallback: 30,
    },
    11,
    720,
  ),
  operatorSessionHours: integer(
    {
      env: 'OPERATOR_SESSION_HOURS',
      group: 'Operators',
      doc: 'A login ends after so long, used or not (12: NIST SP 800-63B, assurance level 2).',
      fallback: 12,
    },
    1,
    24,
  ),
  machineOperators: flag({
    env: 'MACHINE_OPERATORS',
    group: 'Operators',
    doc: 'true lets an administrator make machine operators, which call operator routes from server to server.',
    fallback: false,
  }),
  mailUrl: url(
    {
      env: 'MAIL_URL',
      group: 'Operators',
      doc: 'SMTP server for mail to operators, with its credentials; without one mail is written to DATA_DIR/outbox.',
      secret: true,
    },
    ['smtp:', 'smtps:'],
  ),
  mailFrom: text({
    env: 'MAIL_FROM',
    group: 'Operators',
    doc: 'Sender of mail to operators.',
    fallback: 'Vigia <vigia@localhost>',
  }),
  oidcIssuer: url(
    {
      env: 'OIDC_ISSUER',
      group: 'Operators',
      doc: 'OpenID Connect provider that operators may log in with; none when unset. Needs PUBLIC_URL and the two below.',
    },
    ['https:', 'http:'],
  ),
  oidcClientId: optionalText({
    env: 'OIDC_CLIENT_ID',
    group: 'Operators',
    doc: 'How the provider knows this service. Redirect URI: PUBLIC_URL/operator/auth/oidc/callback.',
  }),
  oidcClientSecret: optionalText({
    env: 'OIDC_CLIENT_SECRET',
    group: 'Operators',
    doc: 'The secret that belongs to OIDC_CLIENT_ID.',
    secret: true,
  }),
  oidcScopes: text(
    {
      env: 'OIDC_SCOPES',
      group: 'Operators',
      doc: 'What is asked of the provider; email links an account at its first login.',
      fallback: 'openid email',
    },
    /^openid( [a-z_]+)*$/,
  ),
  strangerPasswordsPerSecond: integer(
    {
      env: 'STRANGER_PASSWORDS_PER_SECOND',
      group: 'Limits',
      doc: 'How many passwords a second an API process looks at for logins from devices that never logged in before, after ten at once. Logins from known devices go first and do not count.',
      fallback: 5,
    },
    1,
    1_000,
  ),
  rateLimitOperatorPerMinute: integer(
    {
      env: 'RATE_LIMIT_OPERATOR_PER_MINUTE',
      group: 'Limits',
      doc: 'Requests per minute and operator.',
      fallback: 1_200,
    },
    1,
    1_000_000,
  ),
  rateLimitPublicPerMinute: integer(
    {
      env: 'RATE_LIMIT_PUBLIC_PER_MINUTE',
      group: 'Limits',
      doc: 'Requests per minute and network (IPv4 address, IPv6 /64) to routes without credentials; four times as many for an IPv6 /56, sixteen times for a /48.',
      fallback: 60,
    },
    1,
    1_000_000,
  ),
  sessionSweepMs: integer(
    {
      env: 'SESSION_SWEEP_MS',
      group: 'Sessions',
      doc: 'How often links whose time is over are marked EXPIRED; they are refused from the first moment either way.',
      fallback: 15_000,
    },
    50,
    3_600_000,
  ),
  checkProviderAllowCidrs: list(
    {
      env: 'CHECK_PROVIDER_ALLOW_CIDRS',
      group: 'Sessions',
      doc: 'Private address blocks in which check providers of organisations may be.',
      fallback: [],
    },
    cidr,
    'CIDR blocks',
  ),
  rateLimitSessionPerMinute: integer(
    {
      env: 'RATE_LIMIT_SESSION_PER_MINUTE',
      group: 'Limits',
      doc: 'Requests per minute and verification session, beside the limit per address.',
      fallback: 120,
    },
    1,
    1_000_000,
  ),
  rateLimitCompletePerMinute: integer(
    {
      env: 'RATE_LIMIT_COMPLETE_PER_MINUTE',
      group: 'Limits',
      doc: 'Submissions per minute and verification session.',
      fallback: 10,
    },
    1,
    1_000_000,
  ),
  rateLimitUploadPerMinute: integer(
    {
      env: 'RATE_LIMIT_UPLOAD_PER_MINUTE',
      group: 'Limits',
      doc: 'Uploads per minute and verification session.',
      fallback: 30,
    },
    1,
    1_000_000,
  ),
  uploadMinBytesPerSecond: integer(
    {
      env: 'UPLOAD_MIN_BYTES_PER_SECOND',
      group: 'Limits',
      doc: 'Slowest rate at which an upload may come: 16 KiB/s is a poor mobile connection, 10 MiB in 11 minutes.',
      fallback: 16 * 1_024,
    },
    1,
    100_000_000,
  ),
  uploadRateWindowMs: integer(
    {
      env: 'UPLOAD_RATE_WINDOW_MS',
      group: 'Limits',
      doc: 'Time over which the rate of an upload is taken; a pause may be as long.',
      fallback: 20_000,
    },
    50,
    300_000,
  ),
  uploadTimeoutMs: integer(
    {
      env: 'UPLOAD_TIMEOUT_MS',
      group: 'Limits',
      doc: 'How long an upload may take to arrive, however steadily it comes.',
      fallback: 15 * 60_000,
    },
    100,
    3_600_000,
  ),
  rateLimitFailuresPerMinute: integer(
    {
      env: 'RATE_LIMIT_FAILURES_PER_MINUTE',
      group: 'Limits',
      doc: 'Failed credentials per minute and network, over all ids. Valid credentials are never blocked by it. A network is an IPv4 address or an IPv6 /64; a /56 has four times as many, a /48 sixteen times.',
      fallback: 10,
    },
    1,
    1_000_000,
  ),

  outboundProxy: url(
    {
      env: 'OUTBOUND_PROXY',
      group: 'Outbound',
      doc: 'HTTP proxy (CONNECT), with its credentials, through which webhooks, providers, OIDC_ISSUER, S3, key services and mail are reached; docs/production.md says who resolves names then. Directly when unset.',
      secret: true,
    },
    ['http:', 'https:'],
  ),
  outboundProxyResolves: flag({
    env: 'OUTBOUND_PROXY_RESOLVES',
    group: 'Outbound',
    doc: 'true gives the proxy names instead of addresses that were judged here: it then has to refuse private addresses itself.',
    fallback: false,
  }),
  outboundDirectHosts: list(
    {
      env: 'OUTBOUND_DIRECT_HOSTS',
      group: 'Outbound',
      doc: 'Hosts that are reached without the proxy; `.internal.example` names all below it.',
      fallback: [],
    },
    (part) => (/^\.?[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/.test(part) ? part : null),
    'host names',
  ),
  webhookRequireHttps: flag({
    env: 'WEBHOOK_REQUIRE_HTTPS',
    group: 'Webhooks',
    doc: 'false allows http targets; refused in production.',
    fallback: true,
  }),
  webhookAllowCidrs: list(
    {
      env: 'WEBHOOK_ALLOW_CIDRS',
      group: 'Webhooks',
      doc: 'Private address blocks that webhook targets may be in; for local development, refused in production.',
      fallback: [],
    },
    cidr,
    'CIDR blocks',
  ),
  webhookTimeoutMs: integer(
    {
      env: 'WEBHOOK_TIMEOUT_MS',
      group: 'Webhooks',
      doc: 'Total time of one delivery attempt, from the connection to the last byte read.',
      fallback: 15_000,
    },
    50,
    60_000,
  ),
  webhookScheduleSeconds: list(
    {
      env: 'WEBHOOK_SCHEDULE_SECONDS',
      group: 'Webhooks',
      doc: 'Waits before each attempt: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; +-20 % jitter.',
      fallback: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    },
    seconds,
    'seconds',
  ),
  webhookConcurrency: integer(
    {
      env: 'WEBHOOK_CONCURRENCY',
      group: 'Webhooks',
      doc: 'Deliveries in flight per worker; far more than one endpoint may have, so that several that hang fill it not.',
      fallback: 256,
    },
    1,
    1_000,
  ),
  webhookEndpointConcurrency: integer(
    {
      env: 'WEBHOOK_ENDPOINT_CONCURRENCY',
      group: 'Webhooks',
      doc: 'Deliveries in flight per endpoint and worker, so that one slow receiver starves nobody.',
      fallback: 8,
    },
    1,
    100,
  ),

  webhookBreakerFailures: integer(
    {
      env: 'WEBHOOK_BREAKER_FAILURES',
      group: 'Webhooks',
      doc: 'Failed attempts in a row after which an endpoint is left alone for a while; its deliveries wait untried.',
      fallback: 5,
    },
    1,
    1_000,
  ),
  webhookBreakerSeconds: list(
    {
      env: 'WEBHOOK_BREAKER_SECONDS',
      group: 'Webhooks',
      doc: 'How long it is left alone before one delivery tries: the first time, the second time, and so on.',
      fallback: [5, 15, 60, 300],
    },
    seconds,
    'seconds',
  ),
  webhookDisableAfterHours: integer(
    {
      env: 'WEBHOOK_DISABLE_AFTER_HOURS',
      group: 'Webhooks',
      doc: 'An endpoint with nothing but failures for this long is disabled; 5 days.',
      fallback: 120,
    },
    1,
    8_760,
  ),

  artifactStore: choice(
    {
      env: 'ARTIFACT_STORE',
      group: 'Files',
      doc: 'Where uploaded files are kept, sealed: a folder below DATA_DIR, or S3 when several machines serve.',
      fallback: 'local',
    },
    ['local', 's3'],
  ),
  s3Endpoint: url(
    {
      env: 'S3_ENDPOINT',
      group: 'Files',
      doc: 'The S3-compatible service, without the bucket; https in production.',
    },
    ['https:', 'http:'],
  ),
  s3Bucket: optionalText({
    env: 'S3_BUCKET',
    group: 'Files',
    doc: 'A bucket of its own. The key needs PutObject, GetObject, DeleteObject and ListBucket there and nothing else.',
  }),
  s3Region: text(
    { env: 'S3_REGION', group: 'Files', doc: 'Part of every signature.', fallback: 'us-east-1' },
    /^[a-z0-9-]{1,40}$/,
  ),
  s3AccessKeyId: optionalText({
    env: 'S3_ACCESS_KEY_ID',
    group: 'Files',
    doc: 'Name of the key that signs.',
  }),
  s3SecretAccessKey: optionalText({
    env: 'S3_SECRET_ACCESS_KEY',
    group: 'Files',
    doc: 'The key that signs requests to the store.',
    secret: true,
  }),

  requestLog: flag({
    env: 'REQUEST_LOG',
    group: 'Logs',
    doc: 'Whether requests of applications are kept for thirty days, as shapes without values, for them to look at.',
    fallback: true,
  }),
  logLevel: choice(
    {
      env: 'LOG_LEVEL',
      group: 'Logs',
      doc: 'info writes one line per request; bodies are never logged at any level.',
      fallback: 'info',
    },
    ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
  ),
  logFile: optionalText({
    env: 'LOG_FILE',
    group: 'Logs',
    doc: 'Where log lines go, a file that only its owner reads; standard output when unset.',
  }),
} satisfies Record<string, SettingDefinition<never> | SettingDefinition<unknown>>;

type Definitions = typeof settingDefinitions;
export type SettingValues = {
  readonly [K in keyof Definitions]: Definitions[K] extends SettingDefinition<infer T> ? T : never;
};
