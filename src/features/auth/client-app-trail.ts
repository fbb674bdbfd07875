import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  stepOf,
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

/** Who changes an application, from where, in which request. */
export interface Author {
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

/** Records every change of a client application, and says what its trail must look like. */
@Injectable()
export class ClientAppTrail {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Records one change. Content holds settings and ids; never a secret or its hash. */
  async record(
    tx: Tx,
    app: { readonly id: string; readonly organisationId: string },
    action: ClientAppAction,
    author: Author,
    content: AuditContent,
  ): Promise<void> {
    const ctx = { organisationId: app.organisationId, ...author };
    const at = new Date(this.clock.now());
    const said = { ...content, ip: author.ip };
    await this.audit.record(tx, [stepOf(ctx, 'client_app', app.id, action, at, said)]);
  }

  /** An application is created once, changes as often as it does, and is not changed after it was revoked. */
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
        // Secrets that it sent and was refused for; also by a process that has not heard yet that it was revoked.
        beside: ['transaction.conflict_refused'],
      },
      anchors: [],
    };
  }
}
