import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf, type ActorContext } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { OperatorLookup, type OperatorPrincipal } from '../../../platform/http/index.js';
import { Clock, digestOf, DomainError, newUuid, publicId } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { SavedViewEntity } from '../store/entities.js';

/** Maximum number of saved views per operator. */
const MAX_SAVED_VIEWS = 50;

/** A view to save: its name, its filter as a query string, and whether others see it. */
export interface ViewDraft {
  readonly name: string;
  readonly query: string;
  readonly shared: boolean;
}

export interface SavedView extends ViewDraft {
  readonly id: string;
  readonly mine: boolean;
  readonly ownerName: string | null;
  readonly updatedAt: Date;
}

/** Stores filters of the list of cases, private or shared. Only the owner may change or remove a view. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly operators: OperatorLookup,
  ) {}

  /** Returns the operator's own views and the shared views of other operators. */
  async listByOperator({
    organisationId,
    id,
  }: Pick<OperatorPrincipal, 'organisationId' | 'id'>): Promise<SavedView[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(SavedViewEntity, {
        where: [
          { organisationId, ownerId: id },
          { organisationId, shared: true },
        ],
        order: { id: 'ASC' },
      }),
    );
    const [opened, names] = await Promise.all([
      this.vault.openMany(rows.map((row) => ({ sealed: row.sealed, context: contextOf(row) }))),
      this.operators.readNames(
        organisationId,
        rows.map(({ ownerId }) => ownerId),
      ),
    ]);
    return rows.flatMap((row, i) => {
      const text = opened[i]?.toString('utf8');
      if (text === undefined) return [];
      const { name, query } = JSON.parse(text) as Pick<ViewDraft, 'name' | 'query'>;
      const { ownerId, shared, updatedAt } = row;
      const ownerName = names.get(ownerId) ?? null;
      return [{ id: row.id, name, query, shared, mine: ownerId === id, ownerName, updatedAt }];
    });
  }

  async save(ctx: ActorContext, draft: ViewDraft): Promise<string> {
    const { organisationId } = ctx;
    const id = newUuid();
    const row = await this.sealRow(ctx, id, draft);
    await this.uow.run(organisationId, async (tx) => {
      const viewCount = await tx.countBy(SavedViewEntity, { organisationId, ownerId: ctx.actor.id });
      if (viewCount >= MAX_SAVED_VIEWS) {
        throw new DomainError('STATE_CONFLICT', { details: [TOO_MANY_VIEWS] });
      }
      await tx.insert(SavedViewEntity, row);
      await this.recordSave(tx, ctx, row);
    });
    return id;
  }

  async change(ctx: ActorContext, id: string, draft: ViewDraft): Promise<void> {
    const { organisationId } = ctx;
    const { shared, sealed, updatedAt, ownerId } = await this.sealRow(ctx, id, draft);
    await this.uow.run(organisationId, async (tx) => {
      const where = { id, organisationId, ownerId };
      const { affected } = await tx.update(SavedViewEntity, where, { shared, sealed, updatedAt });
      if (affected !== 1) throw new DomainError('VIEW_NOT_FOUND');
      await this.recordSave(tx, ctx, { id, shared, sealed, updatedAt });
    });
  }

  async remove(ctx: ActorContext, id: string): Promise<void> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      const { affected } = await tx.delete(SavedViewEntity, { id, organisationId, ownerId: ctx.actor.id });
      if (affected !== 1) throw new DomainError('VIEW_NOT_FOUND');
      const content = { view: publicId('viw', id) };
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'operator', ctx.actor.id, 'operator.view_removed', now, content),
      );
    });
  }

  private async sealRow(
    { organisationId, actor }: ActorContext,
    id: string,
    { name, query, shared }: ViewDraft,
  ): Promise<SavedViewEntity> {
    const row = { id, organisationId, ownerId: actor.id, shared, updatedAt: new Date(this.clock.now()) };
    const owner = this.vault.organisationSubject(organisationId);
    return {
      ...row,
      sealed: await this.vault.sealOne(JSON.stringify({ name, query }), owner, contextOf(row)),
    };
  }

  private async recordSave(
    tx: Tx,
    ctx: ActorContext,
    { id, shared, sealed, updatedAt }: Pick<SavedViewEntity, 'id' | 'shared' | 'sealed' | 'updatedAt'>,
  ): Promise<void> {
    const content = { view: publicId('viw', id), shared, content: digestOf(sealed) };
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'operator', ctx.actor.id, 'operator.view_saved', updatedAt, content),
    );
  }
}

const contextOf = ({ id, organisationId }: Pick<SavedViewEntity, 'id' | 'organisationId'>): string =>
  encryptionContextOf('saved_views', id, organisationId);

const TOO_MANY_VIEWS = {
  path: '',
  code: 'TOO_MANY',
  message: `A person keeps at most ${MAX_SAVED_VIEWS} views.`,
};
