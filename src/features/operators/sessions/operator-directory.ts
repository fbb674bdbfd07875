import { Injectable } from '@nestjs/common';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import {
  OperatorGate,
  permissionsOf,
  type OperatorPrincipal,
  type RefusedCall,
  type TokenVerdict,
} from '../../../platform/http/index.js';
import { AccessTokens } from './access-tokens.js';
import { OperatorAudit } from '../operator-audit.js';
import { readSessionPrincipal, type SessionPrincipal } from '../store/session.statements.js';
import { pick } from '../../../platform/kernel/index.js';

interface Entry {
  readonly principal: OperatorPrincipal | null;
  readonly loadedAt: number;
}

// Maximum age of a cached session: a logout or a removed role takes effect in every process within this time.
const FRESH_MS = 500;
// Limits the cache. Only verified tokens create entries, so nobody can fill it with made-up sessions.
const MAX_ENTRIES = 10_000;

/** Finds the operator of an access token. The token proves the identity; the database has state and permissions. */
@Injectable()
export class OperatorDirectory extends OperatorGate {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly tokens: AccessTokens,
    private readonly uow: UnitOfWork,
    private readonly audit: OperatorAudit,
  ) {
    super();
  }

  async authenticate(token: string): Promise<TokenVerdict> {
    const subject = await this.tokens.verify(token);
    if (subject === null || subject === 'EXPIRED') return subject;
    const principal = await this.findPrincipal(subject.sessionId);
    return principal?.id === subject.operatorId ? principal : null;
  }

  /** Removes a session from the cache: its permissions changed, and the next call must read them. */
  evictSession(sessionId: string): void {
    this.entries.delete(sessionId);
  }

  async recordRefusal(operator: OperatorPrincipal, call: RefusedCall): Promise<void> {
    await this.audit.recordRefusal(operator, call);
  }

  private async findPrincipal(sessionId: string): Promise<OperatorPrincipal | null> {
    const entry = this.entries.get(sessionId);
    if (entry && performance.now() - entry.loadedAt < FRESH_MS) return entry.principal;
    const row = await this.uow.read(system('operators.directory'), (db) =>
      readSessionPrincipal(db, sessionId),
    );
    const principal = row && toPrincipal(row, sessionId);
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(sessionId, { principal, loadedAt: performance.now() });
    return principal;
  }
}

function toPrincipal(row: SessionPrincipal, sessionId: string): OperatorPrincipal {
  return {
    id: row.operatorId,
    ...pick(row, 'organisationId', 'kind', 'roles'),
    permissions: row.kind === 'MACHINE' ? new Set(row.permissions) : permissionsOf(row.roles),
    sessionId,
    strong: row.strong,
  };
}
