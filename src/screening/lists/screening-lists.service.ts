import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, stepOf } from '../../audit/index.js';
import { UnitOfWork } from '../../database/index.js';
import { Clock, DomainError, newUuid } from '../../kernel/index.js';
import type { ListBody, ListChangeBody } from '../api/screening.dto.js';
import { LIST_KEY } from '../domain/lists/list-entry.js';
import { defaultThresholds } from '../domain/qualify.js';
import type { ListRow } from '../domain/records.js';
import { ScreeningListEntity } from '../store/entities/screening-list.entity.js';

export type NewList = Readonly<ListBody>;

// A list that authorities publish daily or monthly and that nobody imports any more is no answer.
const STALE_AFTER_DAYS = 7;
const MONTHLY_STALE_AFTER_DAYS = 45;

/** The lists of an organisation. */
@Injectable()
export class ScreeningLists {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async create(ctx: ActorContext, list: NewList): Promise<ListRow> {
    const { evidence, mandatory } = defaultThresholds[list.kind];
    const evidenceThreshold = list.evidenceThreshold ?? evidence;
    const mandatoryThreshold = list.mandatoryThreshold ?? Math.max(mandatory, evidenceThreshold);
    refuseCrossed(evidenceThreshold, mandatoryThreshold);
    if (!LIST_KEY.test(list.key)) {
      throw new DomainError('VALIDATION_FAILED', {
        details: [
          {
            path: 'key',
            code: 'PATTERN_MISMATCH',
            message: 'Must be small letters, digits and hyphens, 2 to 63.',
          },
        ],
      });
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
          key: list.key,
          name: list.name,
          kind: list.kind,
          format: list.format,
          evidenceThreshold,
          mandatoryThreshold,
          staleAfterDays: list.staleAfterDays === undefined ? usualAge(list) : list.staleAfterDays,
        })
        .orIgnore()
        .execute();
      const created = await tx.findOneBy(ScreeningListEntity, { id, organisationId });
      if (!created) {
        throw new DomainError('STATE_CONFLICT', {
          details: [{ path: 'key', code: 'TAKEN', message: 'Another list has this key.' }],
        });
      }
      await this.audit.record(tx, [
        stepOf(ctx, 'screening_list', created.id, 'list.created', this.now(), {
          key: created.key,
          kind: created.kind,
          format: created.format,
          evidenceThreshold,
          mandatoryThreshold,
        }),
      ]);
      return created;
    });
  }

  /** The list of this key, made when there is none. */
  async ensure(ctx: ActorContext, list: NewList): Promise<ListRow> {
    const { organisationId } = ctx;
    const { key } = list;
    const known = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, key }),
    );
    return known ?? this.create(ctx, list);
  }

  async change(ctx: ActorContext, id: string, change: Readonly<ListChangeBody>): Promise<ListRow> {
    const which = { organisationId: ctx.organisationId, id };
    return this.uow.run(ctx.organisationId, async (tx) => {
      const before = await tx.findOne(ScreeningListEntity, {
        where: which,
        lock: { mode: 'for_no_key_update' },
      });
      if (!before) throw new DomainError('LIST_NOT_FOUND');
      const { key } = before;
      const evidenceThreshold = change.evidenceThreshold ?? before.evidenceThreshold;
      const mandatoryThreshold = change.mandatoryThreshold ?? before.mandatoryThreshold;
      const staleAfterDays =
        change.staleAfterDays === undefined ? before.staleAfterDays : change.staleAfterDays;
      refuseCrossed(evidenceThreshold, mandatoryThreshold);
      const archived = change.archived === true;
      await tx.update(ScreeningListEntity, which, {
        name: change.name ?? before.name,
        evidenceThreshold,
        mandatoryThreshold,
        staleAfterDays,
        ...(archived ? { archivedAt: () => 'coalesce(archived_at, now())' } : {}),
      });
      const action = archived ? 'list.archived' : 'list.changed';
      const content = { key, evidenceThreshold, mandatoryThreshold, staleAfterDays };
      await this.audit.record(tx, [stepOf(ctx, 'screening_list', id, action, this.now(), content)]);
      return tx.findOneByOrFail(ScreeningListEntity, which);
    });
  }

  async get(organisationId: string, id: string): Promise<ListRow> {
    const list = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, id }),
    );
    if (!list) throw new DomainError('LIST_NOT_FOUND');
    return list;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function usualAge({ kind, format }: NewList): number | null {
  if (kind === 'BLOCKLIST' || kind === 'ALLOWLIST' || kind === 'WATCH') return null;
  // The list of politically exposed persons is published once a month.
  return format === 'CGU_PEP_CSV' ? MONTHLY_STALE_AFTER_DAYS : STALE_AFTER_DAYS;
}

function refuseCrossed(evidence: number, mandatory: number): void {
  if (evidence <= mandatory) return;
  throw new DomainError('VALIDATION_FAILED', {
    details: [
      {
        path: 'mandatoryThreshold',
        code: 'BELOW_EVIDENCE',
        message: 'What forces a review is stored as evidence too; it cannot be the lower of the two.',
      },
    ],
  });
}
