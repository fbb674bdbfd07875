import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import type { Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import { hashOpaqueToken, newOpaqueToken } from './domain/opaque-token.js';
import type { LoginMethod } from './store/operator-session.entity.js';

/** Where a request came from, as it is kept with a session and in the trail. */
export interface Origin {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface NewSession extends Origin {
  readonly organisationId: string;
  readonly operatorId: string;
  readonly method: LoginMethod;
  readonly strong: boolean;
}

export interface OpenedSession {
  readonly sessionId: string;
  /** Shown once, stored as its hash. */
  readonly refreshToken: string;
}

// What a browser says about itself, cut where it stops being useful in a list of sessions.
const USER_AGENT_LENGTH = 200;

/** The logins of operators. A session ends by itself after the working day, or earlier when it is not used. */
@Injectable()
export class OperatorSessions {
  constructor(private readonly settings: Settings) {}

  /** Opens a session and returns its first refresh token. */
  async open(tx: Tx, session: NewSession): Promise<OpenedSession> {
    const sessionId = newUuid();
    await tx.query(
      `INSERT INTO operator_sessions
         (id, organisation_id, operator_id, method, strong, ip, user_agent, idle_expires_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7,
         now() + make_interval(mins => $8), now() + make_interval(hours => $9))`,
      [
        sessionId,
        session.organisationId,
        session.operatorId,
        session.method,
        session.strong,
        session.ip,
        session.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
        this.settings.operatorIdleMinutes,
        this.settings.operatorSessionHours,
      ],
    );
    return { sessionId, refreshToken: await this.addRefreshToken(tx, sessionId, session.organisationId) };
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
