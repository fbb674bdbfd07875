import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CustomersService, type KnownCustomer } from '../../customers/index.js';
import { UnitOfWork, type Tx } from '../../database/index.js';
import { Clock, newUuid } from '../../kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../kernel/values/local-day.js';
import { Outbox } from '../../queue/index.js';
import type { Party } from '../domain/party.js';
import { HitDispositionService } from './hit-disposition.service.js';
import { IndexKeeper } from '../search/index-keeper.service.js';
import type { ListRow } from '../domain/records.js';
import { ListRepository } from '../store/list.repository.js';
import type { RoundRow } from '../domain/records.js';
import { RoundRepository } from '../store/round.repository.js';

// Small enough that whoever else asks the search thread waits for a few milliseconds only.
const PAGE = 100;
const LEASE_SECONDS = 30;
const LIMIT = 10;

/**
 * Screens all known customers against what a new snapshot brought. Durable: where it stands is in PostgreSQL, any
 * process may go on. Polite: it rests as long as it works, so that transactions hardly notice.
 */
@Injectable()
export class Rounds implements OnModuleDestroy {
  private readonly logger = new Logger(Rounds.name);
  private stopping = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly customers: CustomersService,
    private readonly rounds: RoundRepository,
    private readonly lists: ListRepository,
    private readonly keeper: IndexKeeper,
    private readonly dispositions: HitDispositionService,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Opens a round in the commit that publishes the snapshot. */
  async open(tx: Tx, list: ListRow, snapshotId: string, sequence: number): Promise<void> {
    // A list that only rules ask makes nobody a hit.
    if (list.kind === 'ALLOWLIST') return;
    const id = newUuid();
    const total = await this.customers.count(tx, list.organisationId);
    if (total === 0) return;
    await this.rounds.insert(tx, {
      id,
      organisationId: list.organisationId,
      listId: list.id,
      snapshotId,
      sequence,
      total,
    });
    this.outbox.append(tx, 'screening.rounds', [id]);
  }

  /** Carries a round on until it is finished; safe to repeat. */
  async advance(id: string): Promise<void> {
    const round = await this.rounds.claim(id, LEASE_SECONDS);
    if (!round) return;
    const list = await this.lists.find(round.organisationId, round.listId);
    if (list?.archivedAt !== null) {
      await this.uow.run(round.organisationId, (tx) => this.rounds.finish(tx, id));
      return;
    }
    await this.keeper.withDelta(list, round.sequence, async (ask) => {
      let cursor = round.cursor;
      while (!this.stopping) {
        const began = performance.now();
        const page = await this.customers.page(round.organisationId, cursor, PAGE);
        const found = await ask(page.customers.map(partyOf), today(this.clock.now()), LIMIT);
        const hits = await this.dispositions.record(round.organisationId, found, 'screening.rounds', {
          opensCases: true,
        });
        cursor = page.last;
        await this.step(round, cursor, page.customers.length, hits.length);
        if (cursor === null) return;
        await sleep(performance.now() - began);
      }
    });
    if (!this.stopping) this.logger.log(`a round over ${round.total} customers is finished`);
  }

  private async step(round: RoundRow, cursor: string | null, done: number, hits: number): Promise<void> {
    await this.uow.run(round.organisationId, async (tx) => {
      await this.rounds.advance(tx, round.id, { cursor, done, hits, leaseSeconds: LEASE_SECONDS });
      if (cursor === null) await this.rounds.finish(tx, round.id);
    });
  }
}

/** A customer as somebody to screen. */
export function partyOf(customer: KnownCustomer): Party {
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

/** The day at the seat of the product's law, `YYYY-MM-DD`. */
export const today = localDayIn(BRAZIL_TIME_ZONE);
