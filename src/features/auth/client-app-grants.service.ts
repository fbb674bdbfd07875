import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  type ChangedValues,
  CurrentValues,
  SummarizeSubjects,
  summaryLine,
  type SubjectSummary,
  type SummaryWords,
} from '../approvals/index.js';
import { In } from 'typeorm';
import type { ActorContext } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { scopes as allScopes, type ApiScope, type OperatorPrincipal } from '../../platform/http/index.js';
import { conflict, DomainError, publicId, required, requireUuid } from '../../platform/kernel/index.js';
import { ClientAppAudit } from './client-app-audit.js';
import { ClientAppsService } from './client-apps.service.js';
import { ClientSecretsService } from './client-secrets.service.js';
import {
  addressProblems,
  holdsGrants,
  letsMoreIn,
  normaliseAddresses,
  requiredGrants,
} from './domain/app-profile.js';
import { SecretNotices } from './secret-notices.js';
import { ClientAppEntity } from './store/entities.js';

const APP: SummaryWords = { 'pt-BR': 'Aplicação', en: 'Application' };
const SECRET: SummaryWords = { 'pt-BR': 'Segredo', en: 'Secret' };
const NEW_SECRET: SummaryWords = { 'pt-BR': 'um novo passa a valer', en: 'a new one becomes valid' };

/**
 * The change of a request: scopes with the addresses that may use them, enabling a disabled application, or a secret.
 */
type Granted =
  | { readonly scopes: readonly ApiScope[]; readonly ipAllowList?: readonly string[] }
  | { readonly status: 'ENABLED' }
  | { readonly secretId: string; readonly secretHash: string; readonly overlapSeconds: number };

/**
 * Makes the changes that need a second person, for applications that may write data that evaluations read: granting the
 * scope, each new secret, and enabling the application again.
 */
@Injectable()
export class ClientAppGrantsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly apps: ClientAppsService,
    private readonly secrets: ClientSecretsService,
    private readonly notices: SecretNotices,
    private readonly audit: ClientAppAudit,
  ) {}

  /**
   * Requests to replace the application's scopes, and its addresses if they are given; throws STATE_CONFLICT if neither
   * needs an approval.
   */
  async request(
    ctx: ActorContext,
    id: string,
    wanted: { readonly scopes: readonly ApiScope[]; readonly ipAllowList?: readonly string[] | undefined },
    reason: string,
  ): Promise<Approval> {
    const details = addressProblems(wanted.ipAllowList ?? []);
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
    const addresses = wanted.ipAllowList && normaliseAddresses(wanted.ipAllowList);
    return this.requestGrant(ctx, id, reason, ({ scopes, ipAllowList }) => {
      const opens = addresses && holdsGrants(scopes) && letsMoreIn(ipAllowList, addresses);
      if (requiredGrants(scopes, wanted.scopes).length === 0 && opens !== true) {
        throw conflict('scopes', 'NOT_FROM_HERE', 'One person may set these scopes.');
      }
      const after = { scopes: allScopes.filter((scope) => wanted.scopes.includes(scope)) };
      return addresses
        ? [
            { scopes, ipAllowList },
            { ...after, ipAllowList: addresses },
          ]
        : [{ scopes }, after];
    });
  }

  /**
   * Makes a secret and requests its approval. Returns the secret, which no later call does; it is not valid before the
   * approval. Throws STATE_CONFLICT if the application has no scope that two people grant.
   */
  async requestSecret(
    ctx: ActorContext,
    id: string,
    overlapSeconds: number,
    reason: string,
  ): Promise<{ readonly approval: Approval; readonly secretId: string; readonly secret: string }> {
    const secret = this.secrets.make(overlapSeconds);
    const secretId = publicId('sec', secret.id);
    const approval = await this.requestGrant(ctx, id, reason, ({ scopes }) => {
      if (!holdsGrants(scopes)) throw notFromHere('One person may make a secret for these scopes.');
      return [{ scopes }, { secretId, secretHash: secret.hash.toString('hex'), overlapSeconds }];
    });
    return { approval, secretId, secret: secret.secret };
  }

  /** Requests that a disabled application may call again; throws STATE_CONFLICT if one person may enable it. */
  async requestEnabling(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    return this.requestGrant(ctx, id, reason, ({ scopes, status }) => {
      if (status !== 'DISABLED') throw notFromHere('The application is not disabled.');
      if (!holdsGrants(scopes)) throw notFromHere('One person may enable it.');
      return [{ scopes, status }, { status: 'ENABLED' }];
    });
  }

  @CurrentValues('client_app.grant')
  async currentValues(tx: Tx, { organisationId, subjectId, change }: Approval): Promise<ChangedValues> {
    const { scopes, status, ipAllowList } = await this.apps.lockApp(tx, organisationId, subjectId);
    return {
      scopes,
      ...('status' in change.after && { status }),
      ...('ipAllowList' in change.after && { ipAllowList }),
    };
  }

  /** Names the application, by the words that its people know. */
  @SummarizeSubjects('client_app')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('apps:read')) return new Map();
    const ids = approvals.map(({ subjectId }) => subjectId);
    const apps = await this.uow.read(organisationId, (db) =>
      db.findBy(ClientAppEntity, { organisationId, id: In(ids) }),
    );
    const names = new Map(apps.map(({ id, name }) => [id, name]));
    return new Map(
      approvals.map(({ id, subjectId, change }) => [
        id,
        {
          lines: [
            summaryLine(APP, null, names.get(subjectId) ?? null),
            ...('secretId' in change.after ? [summaryLine(SECRET, null, NEW_SECRET)] : []),
          ],
        },
      ]),
    );
  }

  @ApplyAct('client_app.grant')
  async grant(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId: id, singleControl, requestedBy } = approval;
    const granted = approval.change.after as unknown as Granted;
    const app = await this.apps.lockApp(tx, organisationId, id);
    if (app.status === 'REVOKED') throw revokedError();
    const author = { ...ctx, ip: null };
    const mark = singleControl ? ({ singleControl } as const) : {};
    if ('scopes' in granted) {
      const { scopes, ipAllowList } = granted;
      const set = { scopes: [...scopes], ...(ipAllowList && { ipAllowList: [...ipAllowList] }) };
      await tx.update(ClientAppEntity, { id, organisationId }, { ...set, updatedAt: () => 'now()' });
      const content = { fields: Object.keys(set), ...set, ...mark };
      await this.audit.record(tx, app, 'client_app.changed', author, content);
      return;
    }
    const isSecret = 'secretHash' in granted;
    if (isSecret) {
      const { secretId, secretHash, overlapSeconds } = granted;
      const secret = { id: requireUuid('sec', secretId, 'SECRET_NOT_FOUND'), overlapSeconds };
      await this.secrets.replace(tx, app, { ...secret, hash: Buffer.from(secretHash, 'hex') }, author, mark);
    } else {
      await tx.update(
        ClientAppEntity,
        { id, organisationId },
        { status: 'ENABLED', updatedAt: () => 'now()' },
      );
      await this.audit.record(tx, app, 'client_app.enabled', author, mark);
    }
    const people = [requestedBy, required(approval.decidedBy, 'who approved')] as const;
    const what = isSecret ? 'NEW_SECRET' : 'ENABLED_AGAIN';
    await this.notices.tell(tx, { organisationId, app, what, by: ctx.actor, people });
  }

  private requestGrant(
    ctx: ActorContext,
    id: string,
    reason: string,
    changeOf: (app: ClientAppEntity) => readonly [before: ChangedValues, after: ChangedValues],
  ): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const app = await this.apps.lockApp(tx, ctx.organisationId, id);
      if (app.status === 'REVOKED') throw revokedError();
      const [before, after] = changeOf(app);
      return this.approvals.request(tx, ctx, {
        ...({ act: 'client_app.grant', subjectId: id } as const),
        ...{ before, after, reason },
      });
    });
  }
}

const notFromHere = (message: string): Error => conflict('', 'NOT_FROM_HERE', message);
const revokedError = (): Error => conflict('', 'NOT_FROM_HERE', 'The application is revoked.');
