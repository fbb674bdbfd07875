import {
  column,
  execute,
  narrowColumn,
  properties,
  statement,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { Permission, Role } from '../../../platform/http/index.js';
import { OperatorSessionEntity, OperatorEntity } from './entities.js';

const PRINCIPAL = statement(
  'operators.session-principal',
  `SELECT o.organisation_id AS "organisationId", o.id AS "operatorId", o.kind, o.roles, o.permissions, s.strong
   FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
   WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND o.status = 'ENABLED'`,
  {
    ...properties(OperatorEntity, 'organisationId', 'kind'),
    ...properties(OperatorSessionEntity, 'strong'),
    operatorId: column(OperatorEntity, 'id'),
    roles: narrowColumn<Role[]>(column(OperatorEntity, 'roles')),
    permissions: narrowColumn<Permission[]>(column(OperatorEntity, 'permissions')),
  },
);

const RENEW = statement(
  'operators.renew-session',
  `WITH used AS (
     UPDATE operator_refresh_tokens SET used_at = now() WHERE hash = $1 AND used_at IS NULL
     RETURNING session_id)
   UPDATE operator_sessions s
   SET last_used_at = now(), idle_expires_at = least(s.expires_at, now() + make_interval(mins => $2))
   FROM used, operators o
   WHERE s.id = used.session_id AND o.id = s.operator_id AND o.status = 'ENABLED'
     AND s.revoked_at IS NULL AND s.expires_at > now() AND s.idle_expires_at > now()
   RETURNING s.id`,
  properties(OperatorSessionEntity, 'id'),
);

/** The operator of an active session, with roles and permissions. */
export type SessionPrincipal = Rows<typeof PRINCIPAL>;

/** Null if the session has ended or its operator is disabled. */
export const readSessionPrincipal = async (db: Reader, sessionId: string): Promise<SessionPrincipal | null> =>
  (await execute(db, PRINCIPAL, [sessionId]))[0] ?? null;

/** Marks a refresh token as used and returns its session id; null if it was used before or the session has ended. */
export const consumeRefreshToken = async (
  tx: Tx,
  hash: Buffer,
  idleMinutes: number,
): Promise<string | null> => (await execute(tx, RENEW, [hash, idleMinutes]))[0]?.id ?? null;
