import { isIPv4, isIPv6 } from 'node:net';
import {
  choice,
  databaseUrl,
  flag,
  inGroup,
  integer,
  key,
  optionalKey,
  keyRing,
  list,
  matching,
  optionalText,
  redisUrl,
  text,
  url,
  type SettingDefinition,
} from './setting-definitions.js';

/**
 * The versions of the API, sent as `apiVersion` and accepted in `X-API-Version`. A version is added when a field
 * changes its meaning.
 */
export const API_VERSIONS = ['2026-11-01'] as const;
export const CURRENT_API_VERSION = API_VERSIONS[0];

const parseCidr = (part: string): string | null => {
  const [base = '', bits = ''] = part.split('/');
  const maxBits = isIPv4(base) ? 32 : isIPv6(base) ? 128 : -1;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits ? part : null;
};
const parseSeconds = (part: string): number | null => (/^\d{1,7}$/.test(part) ? Number(part) : null);

/** Every setting of the service; `redisUrl` is read from REDIS_URL. docs/generated/settings.md is generated from this table. */
export const settingDefinitions = {
  ...inGroup('Start', {
    nodeEnv: choice(['production', 'development', 'test'], {
      doc: 'production refuses everything that is only safe on a laptop; npm start sets development.',
      fallback: 'production',
    }),
    environment: choice(['sandbox', 'staging', 'production'], {
      doc: 'Which environment this base URL is; named in events. Credentials of another environment are refused.',
      fallback: 'sandbox',
    }),
    role: choice(['all', 'api', 'worker', 'evaluator', 'deliverer', 'background'], {
      doc: 'api answers requests, evaluator evaluates, deliverer sends webhooks, background does everything else; worker is the last three, all is everything in one process.',
      fallback: 'all',
    }),
    serviceName: matching(/^[A-Za-z][A-Za-z0-9-]{0,30}$/, {
      doc: 'Fills header names (X-Vigia-Signature), page titles and the OpenAPI title.',
      fallback: 'Vigia',
    }),
    host: text({
      doc: 'Address to listen on. Loopback by default, so that a laptop offers nothing to its network.',
      fallback: '127.0.0.1',
    }),
    port: integer(0, 65535, { doc: 'Port of the API; 0 takes a free one.', fallback: 3000 }),
    probesHost: text({
      doc: 'Address of PROBES_PORT. Loopback by default; that of the network of your probes and scrapers elsewhere.',
      fallback: '127.0.0.1',
    }),
    probesPort: integer(0, 65535, {
      doc: 'Port of /health and /metrics in production, where PORT does not answer them; 0 takes a free one. Elsewhere they are on PORT.',
      fallback: 3001,
    }),
    apiDocs: choice(['development', 'on', 'off'], {
      doc: 'Whether the pages for developers, /docs, /operator/docs and the OpenAPI documents are served: not in production unless it is `on`.',
      fallback: 'development',
    }),
    sandboxScenarios: choice(['development', 'on', 'off'], {
      doc: 'Whether integrators may steer what happens to a transaction by `metadata.sandboxScenario`: only where ENVIRONMENT is sandbox, and with NODE_ENV=production only when it is `on`.',
      fallback: 'development',
    }),
    publicUrl: url(['http:', 'https:'], {
      doc: 'Base URL that integrators see, for the OpenAPI servers list and links; the listening address when unset.',
    }),
    dataDir: text({
      doc: 'Where the launcher keeps its PostgreSQL, Redis, secrets and demo credentials, and the service uploaded files.',
      fallback: '.data',
    }),
    trustProxy: list(parseCidr, 'CIDR blocks', {
      doc: 'Addresses of the proxies in front (CIDR); only these may say who the client is. None by default.',
      fallback: [],
    }),
    tlsCertFile: optionalText({
      doc: 'Certificate chain in PEM; the service then answers over HTTPS. Renewed files are taken up within a minute.',
    }),
    tlsKeyFile: optionalText({ doc: 'Private key of TLS_CERT_FILE in PEM.' }),
    requestTimeoutMs: integer(100, 300_000, {
      doc: 'How long a request may take to arrive, body included. Uploads have limits of their own.',
      fallback: 30_000,
    }),
    shutdownTimeoutMs: integer(100, 120_000, {
      doc: 'How long running requests and jobs may take to finish after SIGTERM.',
      fallback: 10_000,
    }),
    auditAnchorFile: optionalText({
      doc: 'File outside the database to which signed checkpoints of the audit log are appended; audit/anchors.jsonl in DATA_DIR when unset. It is how a database that was put back to an earlier day is noticed: keep it on another disk.',
    }),
    auditSealMs: integer(50, 1_000, {
      doc: 'How often entries of the audit log are sealed: one waits at most this long for its proof, plus the time of a run.',
      fallback: 1_000,
    }),
    auditExportDays: integer(1, 365, {
      doc: 'How many days the file of a finished audit export is kept. That it was made and taken stays in the log.',
      fallback: 7,
    }),
    auditRetentionYears: integer(5, 100, {
      doc: 'How many years entries of the audit log are kept, counted from 1 January of the year after; `audit prune` ends the keeping. The database itself refuses less than five years.',
      fallback: 10,
    }),
    auditSweepPerSecond: integer(0, 100_000, {
      doc: 'How many trails a second the background check judges at most, over all processes; 0 switches it off. A trail is also judged whenever somebody decides or exports.',
      fallback: 20,
    }),
    auditSweepPercent: integer(1, 100, {
      doc: 'How much of the time, in per cent, the background check works at most: it gives way, however long its steps take because others need the machine.',
      fallback: 4,
    }),
  }),
  ...inGroup('Database', {
    databaseUrl: databaseUrl({
      doc: 'PostgreSQL 15 or newer, as a role that owns nothing (vigia_app); several hosts with commas, of which the one that takes writes is used. Started by npm start when unset.',
    }),
    databaseOwnerUrl: databaseUrl({
      doc: 'The owner of the schema, with the same hosts: for vigia migrate and vigia organisations single-handed, never for the running service.',
    }),
    databasePoolSize: integer(4, 200, {
      doc: 'Connections per process. Batching needs few; more only helps slow networks.',
      fallback: 12,
    }),
    databaseConnectTimeoutMs: integer(100, 60_000, {
      doc: 'After this the caller gets 503 instead of waiting.',
      fallback: 2_000,
    }),
    databaseStatementTimeoutMs: integer(100, 600_000, {
      doc: 'The longest a statement of the service may run; a request never waits longer for the database.',
      fallback: 10_000,
    }),
  }),
  ...inGroup('Queue', {
    redisUrl: redisUrl({
      doc: 'Redis 7 or Valkey for Bull, with TLS for rediss:. Without it (ROLE=all only) jobs are handed over inside the process.',
    }),
    queuePrefix: matching(/^\{[a-zA-Z0-9_-]{1,40}\}$/, {
      doc: 'Key prefix in Redis; the braces keep a queue in one slot of a Redis Cluster.',
      fallback: '{vigia}',
    }),
    pipelineLeaseMs: integer(500, 120_000, {
      doc: 'How long a claimed transaction is protected from other workers; renewed while it is worked on.',
      fallback: 8_000,
    }),
    pipelineMaxAttempts: integer(1, 50, {
      doc: 'Attempts before a transaction is dead-lettered.',
      fallback: 5,
    }),
    reconcileIntervalMs: integer(50, 60_000, {
      doc: 'How often expired leases, lost jobs and an emptied Redis are looked for.',
      fallback: 2_000,
    }),
    ingestLane: flag({
      doc: 'Answers plain ingest requests before Express, at a third of the cost; false sends all of them through it.',
      fallback: true,
    }),
    evaluateOnArrival: flag({
      doc: 'Whether a process that accepts a transaction evaluates it at once while it has little to do; false leaves to the queue whatever nobody waits for.',
      fallback: true,
    }),
    warmUpMs: integer(0, 60_000, {
      doc: 'How long a started process evaluates made-up transactions at most before it answers that it is ready, so that the first real ones do not wait for code that is not compiled yet; nothing of them is stored, and the first real work ends it. 0 starts cold, as `npm start` does.',
      fallback: 5_000,
    }),
    ingestQueueLimit: integer(1, 1_000_000, {
      doc: 'Submissions that may wait for the database in one process; beyond it the answer is 503 OVERLOADED.',
      fallback: 5_000,
    }),
    ingestWaitLimit: integer(0, 100_000, {
      doc: 'Submissions whose callers may wait for the decision at a time in one process; beyond it they get 202 at once.',
      fallback: 1_000,
    }),
  }),
  ...inGroup('Rules', {
    fxMaxAgeDays: integer(1, 60, {
      doc: 'Days after which an exchange rate is too old to convert with; 7 outlasts Carnival and the turn of the year.',
      fallback: 7,
    }),
    evidenceUrl: url(['http:', 'https:'], {
      doc: 'Service of the institution that is asked about every transaction (docs/providers.md); nobody when unset.',
    }),
    evidenceSecret: optionalText({
      doc: 'Signs the requests to EVIDENCE_URL with HMAC-SHA-256.',
      secret: true,
    }),
    evidenceTimeoutMs: integer(50, 10_000, {
      doc: 'Total time of one request to EVIDENCE_URL; what comes later counts as failed.',
      fallback: 800,
    }),
    evidenceAllowCidrs: list(parseCidr, 'CIDR blocks', {
      doc: 'Private address blocks that EVIDENCE_URL may lead to.',
      fallback: [],
    }),
  }),
  ...inGroup('Reviews', {
    reviewsPerAnalyst: integer(1, 10_000, {
      doc: 'Automatic assignment gives nobody more open cases than this.',
      fallback: 25,
    }),
  }),
  ...inGroup('Screening', {
    screeningIndex: flag({
      doc: 'Whether this process holds the lists in memory. Without, screening is not done and says so.',
      fallback: true,
    }),
    screeningTimeoutMs: integer(100, 60_000, {
      doc: 'How long a batch may wait for the search thread; then its component is ERROR and the result PARTIAL.',
      fallback: 5_000,
    }),
  }),
  ...inGroup('Secrets', {
    keySource: choice(['environment', 'file', 'aws-kms', 'vault'], {
      doc: 'Where the keys of the ring come from at the start: KEY_RING, a file, or a key service that unwraps them (docs/security.md).',
      fallback: 'environment',
    }),
    keyRing: keyRing({
      doc: 'Keys that wrap the per-subject data keys. The first encrypts, all decrypt. Needed with KEY_SOURCE=environment.',
      fallback: [],
    }),
    keyRingFile: optionalText({
      doc: 'File that holds what KEY_RING would, with KEY_SOURCE=file. Nobody but its owner may write it, nor read it if the service owns it.',
    }),
    keyRingWrapped: optionalText({
      doc: 'Keys of the ring as the key service wrapped them, comma-separated `id:ciphertext`, newest first (`vigia keys new`).',
    }),
    kmsKeyId: optionalText({ doc: 'Key of AWS KMS (id, ARN or alias) that wraps the keys of the ring.' }),
    kmsRegion: matching(/^[a-z0-9-]{1,40}$/, { doc: 'Region of AWS KMS.', fallback: 'us-east-1' }),
    kmsEndpoint: url(['https:', 'http:'], {
      doc: 'Address of AWS KMS where it is not that of the region; https in production.',
    }),
    kmsAccessKeyId: optionalText({ doc: 'Access key that may Decrypt with KMS_KEY_ID, and nothing else.' }),
    kmsSecretAccessKey: optionalText({ doc: 'The secret of KMS_ACCESS_KEY_ID.', secret: true }),
    kmsSessionToken: optionalText({ doc: 'With temporary credentials.', secret: true }),
    vaultAddr: url(['https:', 'http:'], {
      doc: 'HashiCorp Vault or OpenBao with a transit engine; https in production.',
    }),
    vaultToken: optionalText({
      doc: 'Token that may decrypt with VAULT_TRANSIT_KEY, and nothing else.',
      secret: true,
    }),
    vaultTransitKey: optionalText({ doc: 'Name of the key that wraps the keys of the ring.' }),
    vaultTransitMount: matching(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/, {
      doc: 'Where the transit engine is.',
      fallback: 'transit',
    }),
    auditKeys: keyRing({
      doc: 'Ed25519 seeds that sign the checkpoints of the audit log. The first signs; the others signed before it.',
    }),
    indexKey: key({
      doc: 'Seals the keys of the blind indexes over documents, customers, devices and names. It is changed by `vigia keys rotate-index`; the service does not start with another one.',
    }),
    indexKeyNext: optionalKey({
      doc: 'What `vigia keys rotate-index` puts in the place of INDEX_KEY; nothing else reads it.',
    }),
    clientSecretPepper: key({
      doc: 'Key of the HMAC under which client secrets are stored. Changing it invalidates every client secret.',
    }),
  }),
  ...inGroup('Operators', {
    operatorTokenSeconds: integer(60, 600, {
      doc: 'How long an access token lives; what it allows is looked up at every use.',
      fallback: 600,
    }),
    operatorIdleMinutes: integer(11, 720, {
      doc: 'A login that is not used for so long ends (30: NIST SP 800-63B, assurance level 2).',
      fallback: 30,
    }),
    operatorSessionHours: integer(1, 24, {
      doc: 'A login ends after so long, used or not (12: NIST SP 800-63B, assurance level 2).',
      fallback: 12,
    }),
    machineOperators: flag({
      doc: 'true lets an administrator make machine operators, which call operator routes from server to server.',
      fallback: false,
    }),
    mailUrl: url(['smtp:', 'smtps:'], {
      doc: 'SMTP server for mail to operators, with its credentials; without one mail is written to DATA_DIR/outbox.',
      secret: true,
    }),
    mailFrom: text({ doc: 'Sender of mail to operators.', fallback: 'Vigia <vigia@localhost>' }),
    oidcIssuer: url(['https:', 'http:'], {
      doc: 'OpenID Connect provider that operators may log in with; none when unset. Needs PUBLIC_URL and the two below.',
    }),
    oidcClientId: optionalText({
      doc: 'How the provider knows this service. Redirect URI: PUBLIC_URL/operator/auth/oidc/callback.',
    }),
    oidcClientSecret: optionalText({ doc: 'The secret that belongs to OIDC_CLIENT_ID.', secret: true }),
    oidcScopes: matching(/^openid( [a-z_]+)*$/, {
      doc: 'What is asked of the provider; email links an account at its first login.',
      fallback: 'openid email',
    }),
  }),
  ...inGroup('Limits', {
    strangerPasswordsPerSecond: integer(1, 1_000, {
      doc: 'How many passwords a second an API process looks at for logins from devices that never logged in before, after ten at once. Logins from known devices go first and do not count.',
      fallback: 5,
    }),
    rateLimitOperatorPerMinute: integer(1, 1_000_000, {
      doc: 'Requests per minute and operator.',
      fallback: 1_200,
    }),
    rateLimitPublicPerMinute: integer(1, 1_000_000, {
      doc: 'Requests per minute and network (IPv4 address, IPv6 /64) to routes without credentials; four times as many for an IPv6 /56, sixteen times for a /48.',
      fallback: 60,
    }),
    rateLimitSessionPerMinute: integer(1, 1_000_000, {
      doc: 'Requests per minute and verification session, beside the limit per address.',
      fallback: 120,
    }),
    rateLimitCompletePerMinute: integer(1, 1_000_000, {
      doc: 'Submissions per minute and verification session.',
      fallback: 10,
    }),
    rateLimitUploadPerMinute: integer(1, 1_000_000, {
      doc: 'Uploads per minute and verification session.',
      fallback: 30,
    }),
    uploadMinBytesPerSecond: integer(1, 100_000_000, {
      doc: 'Slowest rate at which an upload may come: 16 KiB/s is a poor mobile connection, 10 MiB in 11 minutes.',
      fallback: 16 * 1_024,
    }),
    uploadRateWindowMs: integer(50, 300_000, {
      doc: 'Time over which the rate of an upload is taken; a pause may be as long.',
      fallback: 20_000,
    }),
    uploadTimeoutMs: integer(100, 3_600_000, {
      doc: 'How long an upload may take to arrive, however steadily it comes.',
      fallback: 15 * 60_000,
    }),
    rateLimitFailuresPerMinute: integer(1, 1_000_000, {
      doc: 'Failed credentials per minute and network, over all ids. Valid credentials are never blocked by it. A network is an IPv4 address or an IPv6 /64; a /56 has four times as many, a /48 sixteen times.',
      fallback: 10,
    }),
  }),
  ...inGroup('Sessions', {
    sessionSweepMs: integer(50, 3_600_000, {
      doc: 'How often links whose time is over are marked EXPIRED; they are refused from the first moment either way.',
      fallback: 15_000,
    }),
    checkProviderAllowCidrs: list(parseCidr, 'CIDR blocks', {
      doc: 'Private address blocks in which check providers of organisations may be.',
      fallback: [],
    }),
  }),
  ...inGroup('Outbound', {
    outboundProxy: url(['http:', 'https:'], {
      doc: 'HTTP proxy (CONNECT), with its credentials, through which webhooks, providers, OIDC_ISSUER, S3, key services and mail are reached; docs/production.md says who resolves names then. Directly when unset.',
      secret: true,
    }),
    outboundProxyResolves: flag({
      doc: 'true gives the proxy names instead of addresses that were judged here: it then has to refuse private addresses itself.',
      fallback: false,
    }),
    outboundDirectHosts: list(
      (part) => (/^\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(part) || isIPv6(part) ? part : null),
      'host names without ports',
      {
        doc: 'Hosts that are reached without the proxy; `.internal.example` names all below it.',
        fallback: [],
      },
    ),
  }),
  ...inGroup('Webhooks', {
    webhookRequireHttps: flag({ doc: 'false allows http targets; refused in production.', fallback: true }),
    webhookAllowCidrs: list(parseCidr, 'CIDR blocks', {
      doc: 'Private address blocks that webhook targets may be in; for local development, refused in production.',
      fallback: [],
    }),
    webhookTimeoutMs: integer(50, 60_000, {
      doc: 'Total time of one delivery attempt, from the connection to the last byte read.',
      fallback: 15_000,
    }),
    webhookScheduleSeconds: list(parseSeconds, 'seconds', {
      doc: 'Waits before each attempt: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; +-20 % jitter.',
      fallback: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    }),
    webhookConcurrency: integer(1, 1_000, {
      doc: 'Deliveries in flight per worker; far more than one endpoint may have, so that several that hang fill it not.',
      fallback: 256,
    }),
    webhookEndpointConcurrency: integer(1, 100, {
      doc: 'Deliveries in flight per endpoint and worker, so that one slow receiver starves nobody.',
      fallback: 8,
    }),
    webhookBreakerFailures: integer(1, 1_000, {
      doc: 'Failed attempts in a row after which an endpoint is left alone for a while; its deliveries wait untried.',
      fallback: 5,
    }),
    webhookBreakerSeconds: list(parseSeconds, 'seconds', {
      doc: 'How long it is left alone before one delivery tries: the first time, the second time, and so on.',
      fallback: [5, 15, 60, 300],
    }),
    webhookDisableAfterHours: integer(1, 8_760, {
      doc: 'An endpoint with nothing but failures for this long is disabled; 5 days.',
      fallback: 120,
    }),
  }),
  ...inGroup('Files', {
    artifactStore: choice(['local', 's3'], {
      doc: 'Where uploaded files are kept, sealed: a folder below DATA_DIR, or S3 when several machines serve.',
      fallback: 'local',
    }),
    s3Endpoint: url(['https:', 'http:'], {
      doc: 'The S3-compatible service, without the bucket; https in production.',
    }),
    s3Bucket: optionalText({
      doc: 'A bucket of its own. The key needs PutObject, GetObject, DeleteObject and ListBucket there and nothing else.',
    }),
    s3Region: matching(/^[a-z0-9-]{1,40}$/, { doc: 'Part of every signature.', fallback: 'us-east-1' }),
    s3AccessKeyId: optionalText({ doc: 'Name of the key that signs.' }),
    s3SecretAccessKey: optionalText({ doc: 'The key that signs requests to the store.', secret: true }),
  }),
  ...inGroup('Logs', {
    requestLog: flag({
      doc: 'Whether requests of applications are kept for thirty days, as shapes without values, for them to look at.',
      fallback: true,
    }),
    logLevel: choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      doc: 'info writes one line per request; bodies are never logged at any level.',
      fallback: 'info',
    }),
    logFile: optionalText({
      doc: 'Where log lines go, a file that only its owner reads; standard output when unset.',
    }),
  }),
};

type Definitions = typeof settingDefinitions;
export type SettingValues = {
  readonly [K in keyof Definitions]: Definitions[K] extends SettingDefinition<infer T> ? T : never;
};
