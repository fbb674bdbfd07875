import { Injectable } from '@nestjs/common';
import { system, UnitOfWork } from '../database/index.js';
import {
  OperatorGate,
  permissionsOf,
  type OperatorPrincipal,
  type Permission,
  type RefusedCall,
  type Role,
  type TokenVerdict,
} from '../http/index.js';
import { AccessTokens } from './access-tokens.js';
import { OperatorTrail } from './operator-trail.js';

interface Entry {
  readonly principal: OperatorPrincipal | null;
  readonly loadedAt: number;
}

interface Row {
  readonly organisation_id: string;
  readonly operator_id: string;
  readonly kind: 'PERSON' | 'MACHINE';
  readonly roles: Role[];
  readonly permissions: Permission[];
  readonly strong: boolean;
}

// A log-out, a disabled operator or a role taken away is felt in every process within half a second.
const FRESH_MS = 500;
// Sessions are known by signed tokens only, so nobody can fill this with made-up ones.
const MAX_ENTRIES = 10_000;

/** Finds out what an access token still stands for: the token proves who, the database whether and what. */
@Injectable()
export class OperatorDirectory extends OperatorGate {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly tokens: AccessTokens,
    private readonly uow: UnitOfWork,
    private readonly trail: OperatorTrail,
  ) {
    super();
  }

  async recognise(token: string): Promise<TokenVerdict> {
    const subject = await this.tokens.verify(token);
    if (subject === null || subject === 'EXPIRED') return subject;
    const principal = await this.principalOf(subject.sessionId);
    return principal?.id === subject.operatorId ? principal : null;
  }

  async refused(operator: OperatorPrincipal, call: RefusedCall): Promise<void> {
    await this.trail.refused(operator, call);
  }

  private async principalOf(sessionId: string): Promise<OperatorPrincipal | null> {
    const known = this.entries.get(sessionId);
    if (known && performance.now() - known.loadedAt < FRESH_MS) return known.principal;
    const rows: Row[] = await this.uow.read(system('operators.directory'), (db) =>
      db.query(
        `SELECT o.organisation_id, o.id AS operator_id, o.kind, o.roles, o.permissions, s.strong
         FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
         WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND o.status = 'ENABLED'`,
        [sessionId],
      ),
    );
    const principal = rows[0] ? toPrincipal(rows[0], sessionId) : null;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(sessionId, { principal, loadedAt: performance.now() });
    return principal;
  }
}

function toPrincipal(row: Row, sessionId: string): OperatorPrincipal {
  return {
    id: row.operator_id,
    organisationId: row.organisation_id,
    kind: row.kind,
    roles: row.roles,
    permissions: row.kind === 'MACHINE' ? new Set(row.permissions) : permissionsOf(row.roles),
    sessionId,
    strong: row.strong,
  };
}
