import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import type { CallOrigin } from './call-origin.js';
import { hashOpaqueToken, newOpaqueToken } from './domain/opaque-token.js';
import type { OperatorRef } from './operator-trail.js';
import { OperatorSessionEntity, type LoginMethod } from './store/operator-session.entity.js';

export interface NewSession {
  readonly operator: OperatorRef;
  readonly method: LoginMethod;
  readonly strong: boolean;
  readonly from: CallOrigin;
}

export interface OpenedSession {
  readonly sessionId: string;
  /** Shown once, stored as its hash. */
  readonly refreshToken: string;
}

export type RevokeReason =
  | 'LOGGED_OUT'
  | 'REVOKED_BY_OWNER'
  | 'REVOKED_BY_ADMIN'
  | 'REFRESH_REUSED'
  | 'PASSWORD_CHANGED'
  | 'TOTP_CHANGED'
  | 'OPERATOR_DISABLED';

// What a browser says about itself, cut where it stops being useful in a list of sessions.
const USER_AGENT_LENGTH = 200;

/** The logins of operators. A session ends by itself after the working day, or earlier when it is not used. */
@Injectable()
export class OperatorSessions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** Opens a session and returns its first refresh token. */
  async open(tx: Tx, { operator, method, strong, from }: NewSession): Promise<OpenedSession> {
    const sessionId = newUuid();
    await tx.query(
      `INSERT INTO operator_sessions
         (id, organisation_id, operator_id, method, strong, ip, user_agent, idle_expires_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7,
         now() + make_interval(mins => $8), now() + make_interval(hours => $9))`,
      [
        sessionId,
        operator.organisationId,
        operator.id,
        method,
        strong,
        from.ip,
        from.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
        this.settings.operatorIdleMinutes,
        this.settings.operatorSessionHours,
      ],
    );
    const refreshToken = await this.addRefreshToken(tx, sessionId, operator.organisationId);
    return { sessionId, refreshToken };
  }

  /** Opens a session of a machine: it lives as long as its one access token and cannot be refreshed. */
  async openShort(tx: Tx, operator: OperatorRef, from: CallOrigin, seconds: number): Promise<string> {
    const sessionId = newUuid();
    await tx.query(
      `INSERT INTO operator_sessions
         (id, organisation_id, operator_id, method, strong, ip, user_agent, idle_expires_at, expires_at)
       VALUES ($1, $2, $3, 'SECRET', false, $4, $5,
         now() + make_interval(secs => $6), now() + make_interval(secs => $6))`,
      [
        sessionId,
        operator.organisationId,
        operator.id,
        from.ip,
        from.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
        seconds,
      ],
    );
    return sessionId;
  }

  /** Uses up a refresh token and returns its successor; null when it was used before or its session is over. */
  async rotate(tx: Tx, hash: Buffer, organisationId: string): Promise<OpenedSession | null> {
    const rows: { session_id: string }[] = await tx.query(
      `WITH used AS (
         UPDATE operator_refresh_tokens SET used_at = now() WHERE hash = $1 AND used_at IS NULL RETURNING session_id),
       renewed AS (
         UPDATE operator_sessions s
         SET last_used_at = now(), idle_expires_at = least(s.expires_at, now() + make_interval(mins => $2))
         FROM used, operators o
         WHERE s.id = used.session_id AND o.id = s.operator_id AND o.status = 'ENABLED'
           AND s.revoked_at IS NULL AND s.expires_at > now() AND s.idle_expires_at > now()
         RETURNING s.id)
       SELECT id AS session_id FROM renewed`,
      [hash, this.settings.operatorIdleMinutes],
    );
    const sessionId = rows[0]?.session_id;
    if (sessionId === undefined) return null;
    return { sessionId, refreshToken: await this.addRefreshToken(tx, sessionId, organisationId) };
  }

  /** Ends one session; false when it is not this operator's or is over already. */
  async revoke(tx: Tx, operator: OperatorRef, sessionId: string, reason: RevokeReason): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH ended AS (
         UPDATE operator_sessions SET revoked_at = now(), revoke_reason = $3
         WHERE id = $1 AND operator_id = $2 AND revoked_at IS NULL AND expires_at > now()
         RETURNING 1)
       SELECT 1 FROM ended`,
      [sessionId, operator.id, reason],
    );
    return rows.length === 1;
  }

  /** Ends all sessions of an operator but the one to keep; returns how many. */
  async revokeAll(tx: Tx, operator: OperatorRef, reason: RevokeReason, keep?: string): Promise<number> {
    const rows: unknown[] = await tx.query(
      `WITH ended AS (
         UPDATE operator_sessions SET revoked_at = now(), revoke_reason = $2
         WHERE operator_id = $1 AND revoked_at IS NULL AND expires_at > now() AND id IS DISTINCT FROM $3::uuid
         RETURNING 1)
       SELECT 1 FROM ended`,
      [operator.id, reason, keep ?? null],
    );
    return rows.length;
  }

  /** Raises a session: its operator has just shown a second factor. */
  async strengthen(tx: Tx, sessionId: string): Promise<void> {
    await tx.update(OperatorSessionEntity, { id: sessionId }, { strong: true });
  }

  /** The sessions of an operator that are not over, newest first. */
  async list(operator: OperatorRef): Promise<OperatorSessionEntity[]> {
    return this.uow.read(operator.organisationId, (db) =>
      db
        .createQueryBuilder(OperatorSessionEntity, 's')
        .where('s.operator_id = :id AND s.revoked_at IS NULL', { id: operator.id })
        .andWhere('s.expires_at > now() AND s.idle_expires_at > now()')
        .orderBy('s.id', 'DESC')
        .limit(200)
        .getMany(),
    );
  }

  private async addRefreshToken(tx: Tx, sessionId: string, organisationId: string): Promise<string> {
    const token = newOpaqueToken('vrt');
    await tx.query(
      `INSERT INTO operator_refresh_tokens (hash, organisation_id, session_id) VALUES ($1, $2, $3)`,
      [hashOpaqueToken('vrt', token), organisationId, sessionId],
    );
    return token;
  }
}
