import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  type ChangedValues,
  CurrentValues,
} from '../approvals/index.js';
import type { ActorContext } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { scopes as allScopes, type ApiScope } from '../../platform/http/index.js';
import { DomainError } from '../../platform/kernel/index.js';
import { ClientAppTrail } from './client-app-trail.js';
import { ClientAppsService } from './client-apps.service.js';
import { requiredGrants } from './domain/app-profile.js';
import { ClientAppEntity } from './store/entities/client-app.entity.js';

/** Grants scopes of applications that need the approval of a second person. */
@Injectable()
export class ClientAppGrantsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly apps: ClientAppsService,
    private readonly trail: ClientAppTrail,
  ) {}

  /** Requests to replace the application's scopes; throws STATE_CONFLICT if no new scope needs an approval. */
  async request(
    ctx: ActorContext,
    id: string,
    wanted: readonly ApiScope[],
    reason: string,
  ): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const { scopes, status } = await this.apps.lockApp(tx, ctx.organisationId, id);
      if (status === 'REVOKED') throw conflict('The application is revoked.');
      if (requiredGrants(scopes, wanted).length === 0) throw conflict('One person may set these scopes.');
      const after = { scopes: allScopes.filter((scope) => wanted.includes(scope)) };
      const draft = { act: 'client_app.grant', subjectId: id, before: { scopes }, after, reason } as const;
      return this.approvals.request(tx, ctx, draft);
    });
  }

  @CurrentValues('client_app.grant')
  async currentScopes(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { scopes } = await this.apps.lockApp(tx, organisationId, subjectId);
    return { scopes };
  }

  @ApplyAct('client_app.grant')
  async grant(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId: id, singleControl } = approval;
    const scopes = approval.change.after['scopes'] as ApiScope[];
    const app = await this.apps.lockApp(tx, organisationId, id);
    if (app.status === 'REVOKED') throw conflict('The application is revoked.');
    await tx.update(ClientAppEntity, { id, organisationId }, { scopes, updatedAt: () => 'now()' });
    const content = { fields: ['scopes'], scopes, ...(singleControl && { singleControl }) };
    await this.trail.record(tx, app, 'client_app.changed', { ...ctx, ip: null }, content);
  }
}

const conflict = (message: string): DomainError =>
  new DomainError('STATE_CONFLICT', { details: [{ path: 'scopes', code: 'NOT_FROM_HERE', message }] });
