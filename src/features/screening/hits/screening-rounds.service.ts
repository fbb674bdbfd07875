import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Raw, type FindOptionsWhere } from 'typeorm';
import { CustomersService, type CustomerWithProfile } from '../../customers/index.js';
import { system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { ScreenedParty } from '../domain/party.js';
import { HitDispositionService } from './hit-disposition.service.js';
import { EVIDENCE_LIMIT } from '../search/screener.service.js';
import { SearchIndexService } from '../search/search-index.service.js';
import type { ListRow } from '../domain/records.js';
import { ScreeningListEntity, ScreeningRoundEntity } from '../store/entities.js';

// Customers per page: small enough that a page keeps the search thread busy for a few milliseconds only.
const PAGE = 100;
const LEASE = { leaseUntil: () => "now() + interval '30 seconds'" };
const FINISHED = { status: 'FINISHED', finishedAt: () => 'now()' } as const;

/**
 * Screens all known customers against the new entries of a snapshot. The cursor is in PostgreSQL, so that any process
 * can resume. A round pauses as long as it works, to leave time for transactions.
 */
@Injectable()
export class ScreeningRoundsService implements OnModuleDestroy {
  private readonly logger = new Logger(ScreeningRoundsService.name);
  private stopping = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly customers: CustomersService,
    private readonly searchIndex: SearchIndexService,
    private readonly dispositions: HitDispositionService,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Starts a round in the database transaction that publishes the snapshot. */
  async startRound(tx: Tx, list: ListRow, snapshotId: string, sequence: number): Promise<void> {
    // Only rules read an allow list; it produces no hits.
    if (list.kind === 'ALLOWLIST') return;
    const id = newUuid();
    const total = await this.customers.count(tx, list.organisationId);
    if (total === 0) return;
    await tx.insert(ScreeningRoundEntity, {
      id,
      organisationId: list.organisationId,
      listId: list.id,
      snapshotId,
      sequence,
      total,
    });
    this.outbox.append(tx, 'screening.rounds', [id]);
  }

  /** Continues a round until it is finished. Safe to repeat. */
  async continueRound(id: string): Promise<void> {
    const round = await this.claim(id);
    if (!round) return;
    const { organisationId } = round;
    const list = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, id: round.listId }),
    );
    if (list?.archivedAt !== null) {
      await this.uow.run(organisationId, (tx) => tx.update(ScreeningRoundEntity, running(id), FINISHED));
      return;
    }
    await this.searchIndex.withDelta(list, round.sequence, async (ask) => {
      let cursor = round.cursor;
      while (!this.stopping) {
        const began = performance.now();
        const page = await this.customers.page(organisationId, cursor, PAGE);
        const found = await ask(page.customers.map(partyOfCustomer), today(this.clock.now()), EVIDENCE_LIMIT);
        const hits = await this.dispositions.recordMatches(organisationId, found, 'screening.rounds', {
          opensCases: true,
        });
        cursor = page.last;
        await this.saveProgress(round, cursor, page.customers.length, hits.length);
        if (cursor === null) return;
        await sleep(performance.now() - began);
      }
    });
    if (!this.stopping) this.logger.log(`a round over all customers is finished: ${round.total} looked at`);
  }

  /** Claims a round; null if another worker has it or it is finished. */
  private async claim(id: string): Promise<ScreeningRoundEntity | null> {
    return this.uow.run(system('screening.rounds'), async (tx) => {
      const free = { ...running(id), leaseUntil: Raw((until) => `${until} <= now()`) };
      const { affected } = await tx.update(ScreeningRoundEntity, free, LEASE);
      return affected === 0 ? null : tx.findOneBy(ScreeningRoundEntity, { id });
    });
  }

  private async saveProgress(
    { id, organisationId }: ScreeningRoundEntity,
    cursor: string | null,
    done: number,
    hits: number,
  ): Promise<void> {
    await this.uow.run(organisationId, (tx) =>
      tx.update(ScreeningRoundEntity, running(id), {
        ...(cursor === null ? FINISHED : { cursor }),
        ...LEASE,
        done: () => `done + ${done}`,
        hits: () => `hits + ${hits}`,
      }),
    );
  }
}

const running = (id: string): FindOptionsWhere<ScreeningRoundEntity> => ({ id, status: 'RUNNING' });

export function partyOfCustomer(customer: CustomerWithProfile): ScreenedParty {
  const { profile, personType, organisationId, subjectIndex, id } = customer;
  const digits = profile.document ?? profile.documentMasked;
  const isCpf = digits?.length === 11;
  return {
    role: 'CUSTOMER',
    name: profile.name,
    kind: personType === 'LEGAL' ? 'ORGANISATION' : profile.document === null ? 'UNKNOWN' : 'PERSON',
    facts: {
      document: profile.document,
      visibleDigits: isCpf && /^\d{6}$/.test(digits.slice(3, 9)) ? digits.slice(3, 9) : null,
      birthDate: profile.birthDate,
      nationalities: profile.nationalities,
    },
    values: profile.document === null ? [] : [{ type: 'DOCUMENT', value: profile.document }],
    subject: { organisationId, index: subjectIndex },
    customerId: id,
    transactionRef: null,
  };
}

/** The calendar day in Brazil, `YYYY-MM-DD`. */
export const today = localDayIn(BRAZIL_TIME_ZONE);
