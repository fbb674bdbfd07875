import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CustomersService, type CustomerWithProfile } from '../../customers/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { LongJobRunner } from '../../../platform/jobs/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { ScreenedParty } from '../domain/party.js';
import { HitDispositionService } from './hit-disposition.service.js';
import { EVIDENCE_LIMIT } from '../search/screener.service.js';
import { SearchIndexService } from '../search/search-index.service.js';
import type { ListRow } from '../domain/records.js';
import { ScreeningListEntity, ScreeningRoundEntity } from '../store/entities.js';
import { RoundRepository, type ClaimedRound } from '../store/round.repository.js';

// Customers per page: small enough that a page keeps the search thread busy for a few milliseconds only.
const PAGE = 100;

/**
 * Screens all known customers against the new entries of a snapshot. A round pauses as long as it works, to leave time
 * for transactions. It is repeated until it succeeds: a list that came into force was looked for in all customers.
 */
@Injectable()
export class ScreeningRoundsService extends LongJobRunner<ClaimedRound> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly customers: CustomersService,
    private readonly searchIndex: SearchIndexService,
    private readonly dispositions: HitDispositionService,
    private readonly rounds: RoundRepository,
  ) {
    super(rounds, { title: 'round over all customers' });
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

  protected async work(claimed: ClaimedRound): Promise<void> {
    const { organisationId, listId, sequence } = claimed;
    const list = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, id: listId }),
    );
    if (list?.archivedAt !== null) {
      await this.rounds.finish(claimed, 0, 0);
      return;
    }
    await this.searchIndex.withDelta(list, sequence, async (ask) => {
      let cursor = claimed.cursor;
      while (!this.stopping) {
        const began = performance.now();
        const page = await this.customers.page(organisationId, cursor, PAGE);
        const matches = await ask(
          page.customers.map(partyOfCustomer),
          today(this.clock.now()),
          EVIDENCE_LIMIT,
        );
        const hits = await this.dispositions.recordMatches(organisationId, matches, 'screening.rounds', {
          opensCases: true,
        });
        cursor = page.last;
        if (cursor === null) {
          await this.rounds.finish(claimed, page.customers.length, hits.length);
          this.logger.log(`a round over all customers is finished: ${claimed.total} looked at`);
          return;
        }
        if (!(await this.rounds.recordPage(claimed, cursor, page.customers.length, hits.length))) return;
        await sleep(performance.now() - began);
      }
      await this.release(claimed);
    });
  }
}

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
