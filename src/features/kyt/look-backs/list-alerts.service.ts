import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CustomerIdentificationService } from '../../customers/index.js';
import { Clock, required } from '../../../platform/kernel/index.js';
import { leadReasonOfListHit, type PastAlert } from '../../reviews/index.js';
import {
  HitDispositionService,
  SearchIndexService,
  ScreenerService,
  today,
  type RecordedMatch,
  type Screening,
} from '../../screening/index.js';
import { LookBackFailureError } from '../domain/look-back.js';
import { countriesOf, amountInCents } from '../domain/review-need.js';
import { observationOf, PartyCollector, type PartiesToScreen } from '../facts/party-collector.js';
import { LookBackRepository, type ClaimedLookBack } from '../store/work/look-back.repository.js';
import type { AlertFinder, LookBackAlertPage } from './alert-finder.js';
import { PastEvidenceService } from './past-evidence.service.js';

const ACTOR = 'kyt.look-backs';
// Transactions per page: small enough that other callers of the search thread wait for a few milliseconds only.
const PAGE_SIZE = 100;
const LOADING_MS = 500;
const MAX_LOADS = 20;

/** A hit about a party of a transaction that a person has to decide. */
interface OpenHit {
  readonly hitId: string;
  readonly score: number;
  readonly isPending: boolean;
}

/** Finds people of earlier transactions who are on the list now: hits that need a decision and were not dismissed. */
@Injectable()
export class ListAlertsService {
  constructor(
    private readonly lookBacks: LookBackRepository,
    private readonly pastEvidence: PastEvidenceService,
    private readonly customers: CustomerIdentificationService,
    private readonly partyCollector: PartyCollector,
    private readonly screener: ScreenerService,
    private readonly searchIndex: SearchIndexService,
    private readonly dispositions: HitDispositionService,
    private readonly clock: Clock,
  ) {}

  findAlerts(lookBack: ClaimedLookBack): AlertFinder {
    return {
      next: async (after) => {
        const refs = await this.lookBacks.nextPage(lookBack, after, PAGE_SIZE);
        const last = refs.at(-1);
        if (last === undefined) return null;
        return { last, looked: refs.length, undecided: {}, ...(await this.findAlertsAmong(lookBack, refs)) };
      },
    };
  }

  private async findAlertsAmong(
    lookBack: ClaimedLookBack,
    refs: readonly string[],
  ): Promise<Pick<LookBackAlertPage, 'alerts' | 'unreadable' | 'judgedBy'>> {
    const { organisationId } = lookBack;
    const { open, unreadable } = await this.pastEvidence.decryptTransactions(organisationId, refs);
    const identified = await this.customers.lookup(open.map(observationOf));
    const screened = open.map((transaction, i) =>
      this.partyCollector.collect(transaction, identified[i] ?? null),
    );
    const { key, kind, sequence } = await this.waitForList(lookBack);
    const openHitsById = await this.findHits(lookBack, key, screened);
    const transactions = open.filter(({ id }) => openHitsById.has(id));
    const evaluations = await this.pastEvidence.collect(organisationId, transactions);
    const sanctions = kind === 'SANCTIONS';
    const alerts = transactions.flatMap((transaction): PastAlert[] => {
      const before = evaluations.get(transaction.id);
      const hits = openHitsById.get(transaction.id) ?? [];
      if (!before) return [];
      const best = Math.max(...hits.map(({ score }) => score));
      const hitIds = [...new Set(hits.map(({ hitId }) => hitId))];
      const request = {
        ...{ organisationId, lookBack: lookBack.id, clientAppId: transaction.clientAppId },
        ...({
          kind: 'HIT',
          theme: 'SCREENING',
          priority: sanctions ? 'CRITICAL' : 'HIGH',
          sanctions,
        } as const),
        customerId: before.evidence.parties.customerId,
        transaction: { ref: transaction.id, evaluationVersion: before.version, hitIds },
        hitIds,
        riskScore: null,
        facts: {
          ...{
            lead: leadReasonOfListHit(key, best),
            rules: [],
            countries: countriesOf(transaction.submission),
          },
          amountCents: amountInCents(before.evidence.sheet),
        },
        ...{ occurredAt: transaction.occurredAt, requestId: null, correlationId: null },
      };
      const pending = hits.filter(({ isPending }) => isPending).map(({ hitId }) => hitId);
      return [{ request, pending: new Set(pending) }];
    });
    return { alerts, unreadable, judgedBy: [`${key}@${sequence}`] };
  }

  /** Returns the hits that are not dismissed, by transaction. */
  private async findHits(
    { organisationId, listId }: ClaimedLookBack,
    key: string,
    screened: readonly PartiesToScreen[],
  ): Promise<ReadonlyMap<string, OpenHit[]>> {
    const now = new Date(this.clock.now());
    // Screened as of today: the look-back asks if anybody who is on the list now took part.
    const { matches } = await this.screen(organisationId, screened, now);
    const forced = matches.flat().filter(({ list, mandatory }) => list.id === listId && mandatory);
    const hitsByParty = new Map<string, OpenHit[]>();
    const add = (
      ref: string | null,
      { hitId, score, status }: Pick<RecordedMatch, 'hitId' | 'score' | 'status'>,
    ) => {
      if (ref === null || status === 'DISMISSED_FALSE_POSITIVE') return;
      hitsByParty.set(ref, [
        ...(hitsByParty.get(ref) ?? []),
        { hitId, score, isPending: status === 'PENDING' },
      ]);
    };
    for (const match of await this.dispositions.recordMatches(organisationId, forced, ACTOR)) {
      add(match.party.transactionRef, match);
    }
    // A customer whom the transaction does not name was screened with the name in the customer record.
    const unnamed = screened.filter(({ own, customer }) => own.name === null && customer?.named === true);
    const currentHits = await this.dispositions.currentHits(
      organisationId,
      unnamed.flatMap(({ customer }) => customer?.subjectIndex ?? []),
    );
    for (const { transaction, customer } of unnamed) {
      for (const hit of currentHits) {
        if (hit.listKey !== key || customer?.subjectIndex.equals(hit.subjectIndex) !== true) continue;
        add(transaction.id, { hitId: hit.hitId, status: hit.status, score: hit.nameScore });
      }
    }
    return hitsByParty;
  }

  /** Throws while the index is not ready: an empty answer would mean that nobody is on the list. */
  private async screen(
    organisationId: string,
    screened: readonly PartiesToScreen[],
    now: Date,
  ): Promise<Screening> {
    const parties = screened.flatMap((one) => one.parties);
    const screening = await this.screener.screen(organisationId, parties, today(now.getTime()), now);
    const { state } = screening;
    if (state === 'READY' || state === 'STALE' || state === 'NO_LISTS') return screening;
    throw new Error(`the index of lists is ${state}`);
  }

  /** Returns the list that this process has in memory; waits while the index is loading. */
  private async waitForList({
    listId,
  }: ClaimedLookBack): Promise<{ key: string; kind: string; sequence: number }> {
    const id = required(listId, 'the list of a look-back');
    for (let i = 0; i < MAX_LOADS; i += 1) {
      const loadedList = this.searchIndex.get(id);
      if (loadedList) return loadedList.row;
      if (this.searchIndex.readState() === 'READY') break;
      await sleep(LOADING_MS);
    }
    if (this.searchIndex.readState() !== 'READY') throw new Error('the index of lists is not there');
    throw new LookBackFailureError('LIST_NOT_IN_USE');
  }
}
