import {
  column,
  execute,
  narrowColumn,
  nullable,
  properties,
  sqlArray,
  statement,
  type Reader,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import type { ApiScope } from '../../../platform/http/index.js';
import { ClientAppEntity, type ClientSecretEntity } from './entities.js';

/** A secret that has just authenticated a call. */
export type UsedSecret = Readonly<Pick<ClientSecretEntity, 'id' | 'clientAppId' | 'organisationId'>>;

/** An application with the hashes of its valid secrets. */
export type StoredClient = RowOf<typeof STORED>;

const STORED = {
  ...properties(
    ClientAppEntity,
    'id',
    'organisationId',
    'clientId',
    'name',
    'publicName',
    'logoUrl',
    'logoHash',
  ),
  ...properties(ClientAppEntity, 'primaryColor', 'status', 'ipAllowList', 'corsOrigins'),
  scopes: narrowColumn<ApiScope[]>(column(ClientAppEntity, 'scopes')),
  perSecond: column(ClientAppEntity, 'rateLimitPerSecond'),
  burst: column(ClientAppEntity, 'rateLimitBurst'),
  organisationPerSecond: 'integer | null',
  secretIds: 'text[] | null',
  secretHashes: 'bytea[] | null',
} as const;

// Always one statement with one row, so that an unknown id takes as long as a known id.
const LOAD = statement(
  'auth.load-client',
  `SELECT app.id, app.organisation_id AS "organisationId", app.client_id AS "clientId", app.name,
         app.public_name AS "publicName", app.logo_url AS "logoUrl", app.logo_hash AS "logoHash", app.primary_color AS "primaryColor", app.status,
         app.scopes, app.ip_allow_list AS "ipAllowList", app.cors_origins AS "corsOrigins",
         app.rate_limit_per_second AS "perSecond", app.rate_limit_burst AS burst,
         (SELECT value::integer FROM organisation_quotas AS quota
          WHERE quota.organisation_id = app.organisation_id AND quota.name = 'requestsPerSecond') AS "organisationPerSecond",
         live.ids AS "secretIds", live.hashes AS "secretHashes"
  FROM (SELECT 1) AS asked
  LEFT JOIN client_apps AS app ON app.client_id = $1 AND app.environment = $2
  LEFT JOIN LATERAL (
    SELECT array_agg(secret.id::text) AS ids, array_agg(secret.hash) AS hashes
    FROM client_secrets AS secret
    WHERE secret.client_app_id = app.id AND secret.revoked_at IS NULL
      AND (secret.expires_at IS NULL OR secret.expires_at > clock_timestamp())
  ) AS live ON true`,
  { ...STORED, id: nullable(STORED.id) },
);

/** Returns the application with this id, or null when there is none in this environment. */
export async function readClient(
  db: Reader,
  clientId: string,
  environment: string,
): Promise<StoredClient | null> {
  const [row] = await execute(db, LOAD, [clientId, environment]);
  return row && row.id !== null ? { ...row, id: row.id } : null;
}

// Several processes may write the same use; only the first within a minute has an effect.
const WRITE = statement(
  'auth.write-uses',
  `WITH used AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u (secret_id, app_id, at)),
  secrets AS (
    UPDATE client_secrets s SET last_used_at = u.at FROM used u
    WHERE s.id = u.secret_id AND (s.last_used_at IS NULL OR s.last_used_at < u.at - interval '55 seconds'))
  UPDATE client_apps a SET last_used_at = u.at
  FROM (SELECT app_id, max(at) AS at FROM used GROUP BY app_id ORDER BY app_id) u
  WHERE a.id = u.app_id AND (a.last_used_at IS NULL OR a.last_used_at < u.at - interval '55 seconds')`,
);

/** Writes the time of the last use of secrets and of their applications. */
export const writeUses = (
  tx: Tx,
  uses: readonly (UsedSecret & { readonly usedAt: Date })[],
): Promise<unknown> =>
  execute(tx, WRITE, [
    sqlArray.uuids(uses.map(({ id }) => id)),
    sqlArray.uuids(uses.map(({ clientAppId }) => clientAppId)),
    sqlArray.instants(uses.map(({ usedAt }) => usedAt)),
  ]);
