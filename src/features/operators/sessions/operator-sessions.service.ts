import { Injectable } from '@nestjs/common';
import { IsNull, Not, Raw, type FindOptionsWhere } from 'typeorm';
import { Settings } from '../../../platform/config/index.js';
import { afterCommit, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import type { CallOrigin } from '../call-origin.js';
import { newOpaqueToken } from '../domain/opaque-token.js';
import type { OperatorRef } from '../operator-audit.js';
import { OperatorSessionEntity, type LoginMethod, RefreshTokenEntity } from '../store/entities.js';
import { consumeRefreshToken } from '../store/session.statements.js';
import { OperatorDirectory } from './operator-directory.js';

export interface NewOperatorSession {
  readonly operator: OperatorRef;
  readonly method: LoginMethod;
  readonly strong: boolean;
  readonly from: CallOrigin;
}

export interface CreatedOperatorSession {
  readonly sessionId: string;
  /** The token is shown once; only its hash is stored. */
  readonly refreshToken: string;
}

export type RevokeReason =
  | 'LOGGED_OUT'
  | 'REVOKED_BY_OWNER'
  | 'REVOKED_BY_ADMIN'
  | 'REFRESH_REUSED'
  | 'PASSWORD_CHANGED'
  | 'TOTP_CHANGED'
  | 'SECOND_FACTOR_CHANGED'
  | 'OPERATOR_DISABLED';

// User agents are cut to this length, which is enough to recognise a browser in a list of sessions.
const USER_AGENT_LENGTH = 200;

/** Creates and ends operator sessions. A session expires after `operatorSessionHours`, or earlier when idle. */
@Injectable()
export class OperatorSessionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly directory: OperatorDirectory,
  ) {}

  /** Creates a session and returns its first refresh token. */
  async createSession(tx: Tx, session: NewOperatorSession): Promise<CreatedOperatorSession> {
    const { operatorIdleMinutes, operatorSessionHours } = this.settings;
    const sessionId = await insert(tx, session, operatorIdleMinutes * 60, operatorSessionHours * 3_600);
    const refreshToken = await this.addRefreshToken(tx, sessionId, session.operator.organisationId);
    return { sessionId, refreshToken };
  }

  /** Creates a session of a machine: it expires with its only access token and cannot be refreshed. */
  async createMachineSession(
    tx: Tx,
    operator: OperatorRef,
    from: CallOrigin,
    seconds: number,
  ): Promise<string> {
    return insert(tx, { operator, method: 'SECRET', strong: false, from }, seconds, seconds);
  }

  /** Replaces a refresh token. Returns null if the token was used before or its session has ended. */
  async rotate(tx: Tx, hash: Buffer, organisationId: string): Promise<CreatedOperatorSession | null> {
    const sessionId = await consumeRefreshToken(tx, hash, this.settings.operatorIdleMinutes);
    if (sessionId === null) return null;
    return { sessionId, refreshToken: await this.addRefreshToken(tx, sessionId, organisationId) };
  }

  /** Ends one session; false if it belongs to another operator or has ended. */
  async revoke(tx: Tx, operator: OperatorRef, sessionId: string, reason: RevokeReason): Promise<boolean> {
    return (await end(tx, operator, reason, { id: sessionId })) === 1;
  }

  /** Ends all sessions of an operator except `keep`; returns how many. */
  async revokeAll(tx: Tx, operator: OperatorRef, reason: RevokeReason, keep?: string): Promise<number> {
    return end(tx, operator, reason, keep === undefined ? {} : { id: Not(keep) });
  }

  /** Makes a session strong: its operator has just shown a second factor. */
  async markStrong(tx: Tx, sessionId: string): Promise<void> {
    await tx.update(OperatorSessionEntity, { id: sessionId }, { strong: true });
    afterCommit(tx, () => {
      this.directory.evictSession(sessionId);
    });
  }

  /** The active sessions of an operator, the newest first. */
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
    const { token, hash } = newOpaqueToken('vrt');
    await tx.insert(RefreshTokenEntity, { hash, organisationId, sessionId });
    return token;
  }
}

async function insert(
  tx: Tx,
  { operator, method, strong, from }: NewOperatorSession,
  idleSeconds: number,
  seconds: number,
): Promise<string> {
  const id = newUuid();
  await tx.insert(OperatorSessionEntity, {
    id,
    organisationId: operator.organisationId,
    operatorId: operator.id,
    method,
    strong,
    ip: from.ip,
    userAgent: from.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    idleExpiresAt: () => `now() + interval '${idleSeconds} seconds'`,
    expiresAt: () => `now() + interval '${seconds} seconds'`,
  });
  return id;
}

/** Ends the selected active sessions of an operator; returns how many. */
async function end(
  tx: Tx,
  operator: OperatorRef,
  revokeReason: RevokeReason,
  which: FindOptionsWhere<OperatorSessionEntity>,
): Promise<number> {
  const { affected } = await tx.update(
    OperatorSessionEntity,
    { operatorId: operator.id, revokedAt: IsNull(), expiresAt: Raw((at) => `${at} > now()`), ...which },
    { revokedAt: () => 'now()', revokeReason },
  );
  return affected ?? 0;
}
