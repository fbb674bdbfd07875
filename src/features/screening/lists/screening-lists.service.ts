import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { lockRow, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import {
  Clock,
  conflict,
  DomainError,
  invalid,
  newUuid,
  orThrow,
  pick,
} from '../../../platform/kernel/index.js';
import { LIST_KEY } from '../domain/lists/list-entry.js';
import { defaultThresholds } from '../domain/qualify.js';
import type { ListRow } from '../domain/records.js';
import { ScreeningListEntity } from '../store/entities.js';

export interface NewList extends ListTerms, Pick<ListRow, 'key' | 'name' | 'kind' | 'format'> {}

/** A list's own thresholds, and the days without an import after which it is stale (null: never). */
interface ListTerms {
  readonly evidenceThreshold?: number;
  readonly mandatoryThreshold?: number;
  readonly staleAfterDays?: number | null;
}

export interface ListChange extends ListTerms {
  readonly archived?: boolean;
  readonly reason: string;
}

// Days without an import after which a public list is stale, for lists published daily and monthly.
const STALE_AFTER_DAYS = 7;
const MONTHLY_STALE_AFTER_DAYS = 45;

/** Creates, renames and changes the lists of an organisation. */
@Injectable()
export class ScreeningListsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly approvals: ApprovalsService,
  ) {}

  async create(ctx: ActorContext, list: NewList): Promise<ListRow> {
    const { evidence, mandatory } = defaultThresholds[list.kind];
    const evidenceThreshold = list.evidenceThreshold ?? evidence;
    const mandatoryThreshold = list.mandatoryThreshold ?? Math.max(mandatory, evidenceThreshold);
    refuseCrossed(evidenceThreshold, mandatoryThreshold);
    const staleAfterDays = list.staleAfterDays === undefined ? usualAge(list) : list.staleAfterDays;
    // The command line has no second person, and only the people who run the service use it.
    if (ctx.actor.type === 'operator') {
      refuseWeaker(list, { evidenceThreshold, mandatoryThreshold, staleAfterDays });
    }
    if (!LIST_KEY.test(list.key)) {
      throw invalid('key', 'PATTERN_MISMATCH', 'Must be small letters, digits and hyphens, 2 to 63.');
    }
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const id = newUuid();
      await tx
        .createQueryBuilder()
        .insert()
        .into(ScreeningListEntity)
        .values({
          id,
          organisationId,
          ...pick(list, 'key', 'name', 'kind', 'format'),
          evidenceThreshold,
          mandatoryThreshold,
          staleAfterDays,
        })
        .orIgnore()
        .execute();
      const created = await tx.findOneBy(ScreeningListEntity, { id, organisationId });
      if (!created) {
        throw conflict('key', 'TAKEN', 'Another list has this key.');
      }
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'screening_list', created.id, 'list.created', this.now(), {
          ...pick(created, 'key', 'kind', 'format'),
          evidenceThreshold,
          mandatoryThreshold,
        }),
      );
      return created;
    });
  }

  /** Returns the list with this key, and creates it if there is none. */
  async findOrCreate(ctx: ActorContext, list: NewList): Promise<ListRow> {
    const { organisationId } = ctx;
    const { key } = list;
    const existingList = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, key }),
    );
    return existingList ?? this.create(ctx, list);
  }

  async rename(ctx: ActorContext, id: string, name: string): Promise<ListRow> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const { key } = await this.lock(tx, ctx.organisationId, id);
      await tx.update(ScreeningListEntity, { organisationId: ctx.organisationId, id }, { name });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'screening_list', id, 'list.changed', this.now(), { key, renamed: true }),
      );
      return this.lock(tx, ctx.organisationId, id);
    });
  }

  /** Requests the approval to change the thresholds or days, or to archive the list. Omitted values stay. */
  async requestChange(ctx: ActorContext, id: string, { reason, ...wanted }: ListChange): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const list = await this.lock(tx, ctx.organisationId, id);
      const before = valuesOf(list);
      const after: ListValues = {
        evidenceThreshold: wanted.evidenceThreshold ?? before.evidenceThreshold,
        mandatoryThreshold: wanted.mandatoryThreshold ?? before.mandatoryThreshold,
        staleAfterDays: wanted.staleAfterDays === undefined ? before.staleAfterDays : wanted.staleAfterDays,
        archived: wanted.archived ?? before.archived,
      };
      refuseCrossed(after.evidenceThreshold, after.mandatoryThreshold);
      return this.approvals.request(tx, ctx, { act: 'list.change', subjectId: id, before, after, reason });
    });
  }

  @CurrentValues('list.change')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    return valuesOf(await this.lock(tx, organisationId, subjectId));
  }

  @ApplyAct('list.change')
  async change(
    tx: Tx,
    ctx: ActorContext,
    { id: approval, subjectId: id, change, singleControl }: Approval,
  ): Promise<void> {
    const { archived, ...values } = change.after as ListValues;
    const { key, archivedAt } = await this.lock(tx, ctx.organisationId, id);
    await tx.update(
      ScreeningListEntity,
      { organisationId: ctx.organisationId, id },
      { ...values, singleControl, archivedAt: archived ? (archivedAt ?? this.now()) : null },
    );
    const action = archived && archivedAt === null ? 'list.archived' : 'list.changed';
    const content = { key, ...values, approval };
    await this.audit.record(tx, auditDraftOf(ctx, 'screening_list', id, action, this.now(), content));
  }

  async get(organisationId: string, id: string): Promise<ListRow> {
    return orThrow(
      await this.uow.read(organisationId, (db) => db.findOneBy(ScreeningListEntity, { organisationId, id })),
      'LIST_NOT_FOUND',
    );
  }

  private async lock(tx: Tx, organisationId: string, id: string): Promise<ScreeningListEntity> {
    return orThrow(await lockRow(tx, ScreeningListEntity, { organisationId, id }), 'LIST_NOT_FOUND');
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

/** The settings of a list that make its screening stricter or weaker. */
type ListValues = Pick<ListRow, 'evidenceThreshold' | 'mandatoryThreshold' | 'staleAfterDays'> & {
  readonly archived: boolean;
};

const valuesOf = (list: ScreeningListEntity): ListValues => ({
  ...pick(list, 'evidenceThreshold', 'mandatoryThreshold', 'staleAfterDays'),
  archived: list.archivedAt !== null,
});

function usualAge({ kind, format }: NewList): number | null {
  if (kind === 'BLOCKLIST' || kind === 'ALLOWLIST' || kind === 'WATCH') return null;
  // The list of politically exposed persons is published once a month.
  return format === 'CGU_PEP_CSV' ? MONTHLY_STALE_AFTER_DAYS : STALE_AFTER_DAYS;
}

/** Throws FOUR_EYES_REQUIRED for settings that are weaker than the defaults of the kind; those need an approval. */
function refuseWeaker(
  list: NewList,
  terms: Pick<ListRow, 'evidenceThreshold' | 'mandatoryThreshold' | 'staleAfterDays'>,
): void {
  const { evidence, mandatory } = defaultThresholds[list.kind];
  const age = (days: number | null): number => days ?? Infinity;
  const weaker = [
    ...(terms.evidenceThreshold > evidence ? ['evidenceThreshold'] : []),
    ...(terms.mandatoryThreshold > mandatory ? ['mandatoryThreshold'] : []),
    ...(age(terms.staleAfterDays) > age(usualAge(list)) ? ['staleAfterDays'] : []),
  ];
  if (weaker.length === 0) return;
  throw new DomainError('FOUR_EYES_REQUIRED', {
    details: weaker.map((path) => ({
      path,
      code: 'ASK_FOR_IT',
      message: 'Weaker than usual for the kind: make the list, then POST /operator/lists/{id}/changes.',
    })),
  });
}

function refuseCrossed(evidence: number, mandatory: number): void {
  if (evidence <= mandatory) return;
  throw invalid(
    'mandatoryThreshold',
    'BELOW_EVIDENCE',
    'What forces a review is stored as evidence too; it cannot be the lower of the two.',
  );
}
