import { settingDefinitions, type SettingValues } from './settings.js';
import type { SettingDefinition } from './setting-definitions.js';
import { readDatabaseUrl, readOf, readRedisUrl } from './server-urls.js';

type Placed = SettingDefinition<unknown> & { readonly env: string };

/** Lists every invalid variable. The message never has their values, which may be secrets. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** Reads and validates every setting from the environment. Throws one SettingsError with all problems. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): SettingValues {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settingDefinitions) as [string, Placed][]) {
    const raw = env[definition.env];
    if (raw === undefined || raw === '') {
      if (definition.fallback === undefined) {
        problems.push(`${definition.env} is required: ${definition.doc}`);
      } else values[name] = definition.fallback;
      continue;
    }
    const result = definition.parse(raw);
    if ('value' in result) values[name] = result.value;
    else problems.push(`${definition.env} ${result.problem}`);
  }
  const settings = values as SettingValues;
  if (problems.length === 0) problems.push(...conflictProblems(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Returns the problems of settings that are valid alone but not together. */
function conflictProblems(settings: SettingValues): string[] {
  const problems: string[] = [];
  if (!settings.databaseUrl) {
    problems.push('DATABASE_URL is required: npm start sets it, every other start needs it');
  }
  if (settings.databaseUrl !== null && settings.databaseUrl === settings.databaseOwnerUrl) {
    problems.push('DATABASE_URL and DATABASE_OWNER_URL are two logins: the service owns nothing');
  }
  if (!settings.redisUrl && settings.role !== 'all') {
    problems.push('REDIS_URL is required with every ROLE but all: the processes meet in Redis');
  }
  if ((settings.tlsCertFile === null) !== (settings.tlsKeyFile === null)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE are given together or not at all');
  }
  if (settings.evidenceUrl !== null && !settings.evidenceSecret) {
    problems.push('EVIDENCE_SECRET is required with EVIDENCE_URL: requests to it are signed');
  }
  if (settings.oidcIssuer) {
    if (!settings.oidcClientId) problems.push('OIDC_CLIENT_ID is required with OIDC_ISSUER');
    if (!settings.oidcClientSecret) problems.push('OIDC_CLIENT_SECRET is required with OIDC_ISSUER');
    if (!settings.publicUrl) {
      problems.push('PUBLIC_URL is required with OIDC_ISSUER: the provider sends people back to it');
    }
    if (settings.nodeEnv === 'production' && settings.oidcIssuer.startsWith('http:')) {
      problems.push('OIDC_ISSUER has to be https in production');
    }
  }
  if (settings.sandboxScenarios === 'on' && settings.environment !== 'sandbox') {
    problems.push(
      'SANDBOX_SCENARIOS=on is refused unless ENVIRONMENT is sandbox: scenarios replace what was sent',
    );
  }
  if (settings.trustProxy.some((block) => block.endsWith('/0'))) {
    problems.push('TRUST_PROXY must not trust every address: anybody could then say who it is');
  }
  problems.push(...keySourceProblems(settings), ...storeProblems(settings), ...sharedKeyProblems(settings));
  if (settings.nodeEnv === 'production') problems.push(...productionProblems(settings));
  if (settings.webhookScheduleSeconds.length === 0) {
    problems.push('WEBHOOK_SCHEDULE_SECONDS needs at least one attempt');
  }
  return problems;
}

/** Names the settings that the chosen key source lacks. */
function keySourceProblems(settings: SettingValues): string[] {
  const { keySource, keyRing, nodeEnv } = settings;
  const needed: Readonly<Record<typeof keySource, readonly (readonly [string, unknown])[]>> = {
    environment: [['KEY_RING', keyRing.length > 0 || null]],
    file: [['KEY_RING_FILE', settings.keyRingFile]],
    'aws-kms': [
      ['KMS_KEY_ID', settings.kmsKeyId],
      ['KMS_ACCESS_KEY_ID', settings.kmsAccessKeyId],
      ['KMS_SECRET_ACCESS_KEY', settings.kmsSecretAccessKey],
    ],
    vault: [
      ['VAULT_ADDR', settings.vaultAddr],
      ['VAULT_TOKEN', settings.vaultToken],
      ['VAULT_TRANSIT_KEY', settings.vaultTransitKey],
    ],
  };
  const missingSettings = needed[keySource].flatMap(([name, value]) =>
    value === null ? [`${name} is required with KEY_SOURCE=${keySource}`] : [],
  );
  const stray = keySource !== 'environment' && keyRing.length > 0;
  const plain = [
    ['KMS_ENDPOINT', settings.kmsEndpoint],
    ['VAULT_ADDR', settings.vaultAddr],
  ].filter(([, url]) => nodeEnv === 'production' && url?.startsWith('http:') === true);
  return [
    ...missingSettings,
    ...(stray ? [`KEY_RING is not read with KEY_SOURCE=${keySource}: leave it out`] : []),
    ...plain.map(([name]) => `${name ?? ''} has to be https in production`),
  ];
}

function storeProblems(settings: SettingValues): string[] {
  if (settings.artifactStore !== 's3') return [];
  const needed = [
    ['S3_ENDPOINT', settings.s3Endpoint],
    ['S3_BUCKET', settings.s3Bucket],
    ['S3_ACCESS_KEY_ID', settings.s3AccessKeyId],
    ['S3_SECRET_ACCESS_KEY', settings.s3SecretAccessKey],
  ] as const;
  const problems = needed.flatMap(([name, value]) =>
    value === null ? [`${name} is required with ARTIFACT_STORE=s3`] : [],
  );
  if (settings.nodeEnv === 'production' && settings.s3Endpoint?.startsWith('http:') === true) {
    problems.push('S3_ENDPOINT has to be https in production');
  }
  return problems;
}

/** Returns the settings that are acceptable in development only. */
function productionProblems(settings: SettingValues): string[] {
  const problems: string[] = [];
  if (!settings.redisUrl) problems.push('REDIS_URL is required in production');
  if (!settings.webhookRequireHttps) problems.push('WEBHOOK_REQUIRE_HTTPS=false is refused in production');
  if (settings.webhookAllowCidrs.length > 0) problems.push('WEBHOOK_ALLOW_CIDRS is refused in production');
  if (settings.publicUrl?.startsWith('http:') === true) {
    problems.push('PUBLIC_URL must begin with https:// in production');
  }
  return [...problems, ...loginProblems(settings)];
}

/** Returns the problems of the passwords of PostgreSQL and Redis: missing, or such as a stranger would guess. */
function loginProblems({ databaseUrl, databaseOwnerUrl, redisUrl }: SettingValues): string[] {
  const problems: string[] = [];
  for (const [name, url] of [
    ['DATABASE_URL', databaseUrl],
    ['DATABASE_OWNER_URL', databaseOwnerUrl],
  ] as const) {
    if (url === null) continue;
    const { user, password, bySocket, targets } = readOf(name, readDatabaseUrl(url));
    const isNeeded = name === 'DATABASE_URL' && !bySocket && !/[?&]sslcert=/.test(targets[0]);
    if (password !== '') problems.push(...passwordProblems(name, user, password));
    else if (isNeeded) problems.push(`${name} needs a password in production`);
  }
  if (redisUrl !== null) {
    const { username = '', password } = readOf('REDIS_URL', readRedisUrl(redisUrl));
    if (password !== undefined) problems.push(...passwordProblems('REDIS_URL', username, password));
  }
  return problems;
}

// Default passwords of installations and examples, and passwords that people choose in a hurry.
const COMMON_PASSWORD =
  /^(postgres|postgresql|redis|vigia|vigia_app|admin|root|user|owner|test|demo|example|default|secret|password|passw0rd|changeme|change_me|letmein|qwerty|senha|mudar|123456)[0-9!.]*$/i;
const MIN_PASSWORD_LENGTH = 12;

function passwordProblems(name: string, user: string, password: string): string[] {
  if (COMMON_PASSWORD.test(password) || password === user) return [`${name} has a well-known password`];
  return password.length < MIN_PASSWORD_LENGTH
    ? [`${name} needs a password of at least ${MIN_PASSWORD_LENGTH} characters in production`]
    : [];
}

/** Returns a problem for each key that is used for two purposes: a weakness in one use would expose the other. */
function sharedKeyProblems(settings: SettingValues): string[] {
  const namedKeys: readonly (readonly [string, Buffer])[] = [
    ...settings.keyRing.map(({ bytes }) => ['KEY_RING', bytes] as const),
    ...settings.auditKeys.map(({ bytes }) => ['AUDIT_KEYS', bytes] as const),
    ['INDEX_KEY', settings.indexKey],
    ...(settings.indexKeyNext ? [['INDEX_KEY_NEXT', settings.indexKeyNext] as const] : []),
    ['CLIENT_SECRET_PEPPER', settings.clientSecretPepper],
  ];
  return namedKeys.flatMap(([name, bytes], i) => {
    const earlier = namedKeys.slice(0, i).find(([, other]) => other.equals(bytes));
    return earlier ? [`${name} holds a key of ${earlier[0]}; each needs a key of its own`] : [];
  });
}

/**
 * Throws SettingsError if a ring key also serves another purpose. `readSettings` has not seen the keys of a key source.
 */
export function requireOwnKeys(settings: SettingValues): void {
  const problems = sharedKeyProblems(settings);
  if (problems.length > 0) throw new SettingsError(problems);
}

/** Throws SettingsError if the process would serve plain HTTP in production. Called before listening. */
export function requireServable(settings: SettingValues): void {
  const { nodeEnv, role, tlsCertFile, trustProxy } = settings;
  if (nodeEnv !== 'production' || role === 'worker' || tlsCertFile !== null || trustProxy.length > 0) return;
  throw new SettingsError([
    'TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY, are required in production: plain HTTP is refused',
  ]);
}
