import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  auditDraftOf,
  TrailContract,
  type Actor,
  type AuditAction,
  type AuditContent,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/index.js';
import { ClientAppEntity } from './store/entities/client-app.entity.js';

/** The actor of a change to an application, with IP address and request of the call. */
export interface AppChangeActor {
  readonly actor: Actor;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

export type ClientAppAction = Extract<AuditAction, `client_app.${string}`>;

const CHANGES: readonly ClientAppAction[] = [
  'client_app.changed',
  'client_app.disabled',
  'client_app.enabled',
  'client_app.secret_rotated',
  'client_app.secret_revoked',
];
const LAST: readonly ClientAppAction[] = ['client_app.revoked'];

/** Writes the audit trail of client applications, and declares which entries it must have. */
@Injectable()
export class ClientAppTrail {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Records a change. `content` must contain only settings and ids, never a secret or its hash. */
  async record(
    tx: Tx,
    app: { readonly id: string; readonly organisationId: string },
    action: ClientAppAction,
    author: AppChangeActor,
    content: AuditContent,
  ): Promise<void> {
    const ctx = { organisationId: app.organisationId, ...author };
    const at = new Date(this.clock.now());
    const said = { ...content, ip: author.ip };
    await this.audit.record(tx, auditDraftOf(ctx, 'client_app', app.id, action, at, said));
  }

  /** The trail begins with the creation; any number of changes follows, and none after the revocation. */
  @TrailContract('client_app')
  async expectation(subject: AuditSubject): Promise<TrailExpectation | null> {
    const app = await this.uow.read(subject.organisationId, (db) =>
      db.findOneBy(ClientAppEntity, { id: subject.id, organisationId: subject.organisationId }),
    );
    if (!app) return null;
    const next = [...CHANGES, ...LAST];
    return {
      grammar: {
        first: ['client_app.created'],
        follows: Object.fromEntries(
          ['client_app.created' as const, ...CHANGES].map((action) => [action, next]),
        ),
        last: app.status === 'REVOKED' ? LAST : ['client_app.created', ...CHANGES],
        // `conflict_refused` may also follow the revocation: other processes learn of it within a second.
        beside: ['transaction.conflict_refused'],
      },
      anchors: [],
    };
  }
}
