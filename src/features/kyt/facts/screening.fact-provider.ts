import { Injectable } from '@nestjs/common';
import {
  CompanyPeopleService,
  CustomerIdentificationService,
  CustomerRecordsService,
  type PersonBehindCompany,
  type IdentificationResult,
  type StoredRiskProfile,
} from '../../customers/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import type { FactSheet, ComponentFindings } from '../../rules/index.js';
import {
  FreezesService,
  type FrozenSubjects,
  HitDispositionService,
  ScreenerService,
  today,
  type ScreenedParty,
  type RecordedMatch,
  type Match,
  type Screening,
  type CurrentHit,
  type CurrentMatch,
} from '../../screening/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { NO_PARTIES, type FactProvider, type IdentifiedParties } from '../domain/facts/evidence.js';
import type { PartyHit } from '../domain/review-need.js';
import { setScreeningFacts } from '../domain/facts/screening-facts.js';
import { observationOf, PartyCollector, type PartiesToScreen } from './party-collector.js';

/** The stored facts by customer, and for companies their owners and representatives. */
interface KnownCustomers {
  readonly standings: ReadonlyMap<string, StoredRiskProfile>;
  readonly people: ReadonlyMap<string, readonly PersonBehindCompany[]>;
}

/** Adds the decisions of people to matches. In the pipeline this also stores the hits. */
type CurrentMatchesOf = (organisationId: string, matches: readonly Match[]) => Promise<CurrentMatch[]>;

/** Identifies the customer, screens all parties against the organisation's lists, and stores the hits. */
@Injectable()
export class ScreeningFactProvider implements FactProvider {
  readonly components = ['LISTS'] as const;
  readonly sources = ['LISTS'] as const;

  constructor(
    private readonly customers: CustomerIdentificationService,
    private readonly screener: ScreenerService,
    private readonly dispositions: HitDispositionService,
    private readonly partyCollector: PartyCollector,
    private readonly clock: Clock,
    private readonly freezes: FreezesService,
    private readonly records: CustomerRecordsService,
    private readonly companyPeople: CompanyPeopleService,
  ) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    return this.screenBatch(
      batch,
      sheets,
      parties,
      await this.customers.identify(batch.map(observationOf)),
      (organisationId, matches) => this.dispositions.recordMatches(organisationId, matches, 'kyt.pipeline'),
    );
  }

  /** Stores neither customers nor hits. */
  async dryRun(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    return this.screenBatch(
      batch,
      sheets,
      parties,
      await this.customers.lookup(batch.map(observationOf)),
      (organisationId, matches) => this.dispositions.previewStatuses(organisationId, matches),
    );
  }

  private async screenBatch(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
    identified: readonly (IdentificationResult | null)[],
    standingOf: CurrentMatchesOf,
  ): Promise<readonly ComponentFindings[]> {
    const screened = batch.map((transaction, i) =>
      this.partyCollector.collect(transaction, identified[i] ?? null),
    );
    const knownCustomers = await this.readKnownCustomers(batch, identified);
    const findings: ComponentFindings[] = batch.map(() => ({}));
    const places = new Map<string, number[]>();
    batch.forEach(({ organisationId }, i) => {
      places.set(organisationId, [...(places.get(organisationId) ?? []), i]);
    });
    for (const [organisationId, own] of places) {
      const screenings = await this.screenAll(
        organisationId,
        own.map((i) => screened[i]).filter((one) => one !== undefined),
        knownCustomers,
        standingOf,
      );
      own.forEach((i, place) => {
        const sheet = sheets[i];
        const result = screenings[place];
        if (!sheet || !result) throw new Error('sheets and batch differ in length');
        parties[i] = { ...(parties[i] ?? NO_PARTIES), ...result.parties };
        findings[i] = { LISTS: setScreeningFacts(sheet, result, result.receivedAt) };
      });
    }
    return findings;
  }

  private async screenAll(
    organisationId: string,
    screened: readonly PartiesToScreen[],
    known: KnownCustomers,
    standingOf: CurrentMatchesOf,
  ): Promise<
    (Parameters<typeof setScreeningFacts>[1] & {
      readonly receivedAt: Date;
      readonly parties: Omit<IdentifiedParties, 'cameLate' | 'settled'>;
    })[]
  > {
    const now = new Date(this.clock.now());
    const byDay = new Map<string, PartiesToScreen[]>();
    for (const one of screened) {
      // Offices and sanctions count if they were in force on the day of the transaction.
      const day = today(one.transaction.occurredAt.getTime());
      byDay.set(day, [...(byDay.get(day) ?? []), one]);
    }
    const results = new Map<PartiesToScreen, { screening: Screening; matches: CurrentMatch[] }>();
    for (const [day, ones] of byDay) {
      const parties = ones.flatMap((one) => one.parties);
      const screening = await this.screener.screen(organisationId, parties, day, now);
      const currentMatches = await standingOf(organisationId, screening.matches.flat());
      const byParty = new Map<ScreenedParty, CurrentMatch[]>();
      for (const match of currentMatches) {
        byParty.set(match.party, [...(byParty.get(match.party) ?? []), match]);
      }
      for (const one of ones) {
        results.set(one, { screening, matches: one.parties.flatMap((party) => byParty.get(party) ?? []) });
      }
    }
    const hitsByKey = new Map<string, CurrentHit[]>();
    const peopleOf = ({ customer }: PartiesToScreen): readonly PersonBehindCompany[] =>
      known.people.get(customer?.customerId ?? '') ?? [];
    const owners = screened.flatMap(peopleOf).map(({ subjectIndex }) => subjectIndex);
    for (const hit of await this.findStandingHits(organisationId, screened, owners)) {
      const subject = hit.subjectIndex.toString('hex');
      hitsByKey.set(subject, [...(hitsByKey.get(subject) ?? []), hit]);
    }
    const frozen = await this.freezes.readFrozenSubjects(organisationId);
    return screened.map((one) => {
      const result = results.get(one);
      if (!result) throw new Error('a transaction was not screened');
      const people = peopleOf(one);
      const owners = people.map(({ subjectIndex }) => subjectIndex);
      const keys = [...(one.own.name === null && one.customer ? [one.customer.subjectIndex] : []), ...owners];
      const currentHits =
        hitsByKey.size === 0 ? [] : keys.flatMap((key) => hitsByKey.get(key.toString('hex')) ?? []);
      const { freezing, endedAlone } = freezesOf(one, owners, frozen);
      return {
        frozen: freezing.length > 0,
        freezeEndedAlone: endedAlone,
        parties: {
          customerId: one.customer?.customerId ?? null,
          subjectIndex: one.customer?.subjectIndex ?? null,
          hits: hitsOf(result.matches.filter(isRecorded), currentHits, freezing),
          standing: known.standings.get(one.customer?.customerId ?? '') ?? null,
          people,
        },
        standing: currentHits,
        customerNamed: one.own.name !== null || one.customer?.named === true,
        anybody:
          one.customer?.named === true ||
          one.parties.some(({ name, values }) => name !== null || values.length > 0),
        uncompared: one.parties.some((party) => party.name !== null && !result.screening.compared.has(party)),
        cutKinds: new Set(one.parties.flatMap((party) => [...(result.screening.cut.get(party) ?? [])])),
        receivedAt: one.transaction.receivedAt,
        ...result,
      };
    });
  }

  /** Returns earlier hits: of customers whom their transaction does not name, and of owners and representatives. */
  private async findStandingHits(
    organisationId: string,
    screened: readonly PartiesToScreen[],
    people: readonly Buffer[],
  ): ReturnType<HitDispositionService['currentHits']> {
    const unnamed = screened.flatMap(({ own, customer }) =>
      own.name === null && customer?.named === true ? [customer.subjectIndex] : [],
    );
    return this.dispositions.currentHits(organisationId, [...unnamed, ...people]);
  }

  /** Reads the customers, with a second query only if one of them has owners or representatives. */
  private async readKnownCustomers(
    batch: readonly DecryptedTransaction[],
    identified: readonly (IdentificationResult | null)[],
  ): Promise<KnownCustomers> {
    const rows = await this.records.readStoredRiskProfiles(
      batch.flatMap(({ organisationId }, i) => {
        const id = identified[i]?.customerId;
        return id === undefined ? [] : [{ organisationId, id }];
      }),
    );
    const people = await this.companyPeople.findCurrent(rows.filter(({ hasPeople }) => hasPeople));
    return { standings: new Map(rows.map((row) => [row.id, row])), people };
  }
}

/** True if the hit of a match is stored. A dry-run stores no hits, so its matches have no `hitId`. */
const isRecorded = (match: CurrentMatch): match is RecordedMatch => 'hitId' in match;

/** Combines the hits of this screening, of earlier screenings, and of freezes. */
function hitsOf(
  matches: readonly RecordedMatch[],
  standing: readonly CurrentHit[],
  freezing: readonly string[],
): PartyHit[] {
  const matchedHits = matches.map(({ hitId, list, mandatory, status }) => ({
    hitId,
    listKind: list.kind,
    mandatory,
    pending: status === 'PENDING',
    dismissed: status === 'DISMISSED_FALSE_POSITIVE',
  }));
  const before = standing.map(({ hitId, listKind, status }) => ({
    hitId,
    listKind,
    mandatory: true,
    pending: status === 'PENDING',
    dismissed: status === 'DISMISSED_FALSE_POSITIVE',
  }));
  const knownHitIds = new Set([...matchedHits, ...before].map(({ hitId }) => hitId));
  const freezingHits = freezing
    .filter((hitId) => !knownHitIds.has(hitId))
    .map((hitId) => ({
      ...{ hitId, listKind: 'SANCTIONS' as const },
      ...{ mandatory: true, pending: false, dismissed: false },
    }));
  return [...matchedHits, ...before, ...freezingHits];
}

/**
 * Returns the hits for which a party is frozen, whether the transaction names the party or not, and whether one person
 * alone ended the freeze of a party.
 */
function freezesOf(
  { customer, parties }: PartiesToScreen,
  people: readonly Buffer[],
  { hits, endedAlone }: FrozenSubjects,
): { readonly freezing: readonly string[]; readonly endedAlone: boolean } {
  if (hits.size === 0 && endedAlone.size === 0) return { freezing: [], endedAlone: false };
  const indexes = [
    ...(customer ? [customer.subjectIndex] : []),
    ...parties.map(({ subject }) => subject.index),
    ...people,
  ];
  const keys = indexes.map((index) => index.toString('hex'));
  return {
    freezing: [...new Set(keys.flatMap((key) => hits.get(key) ?? []))],
    endedAlone: keys.some((key) => endedAlone.has(key)),
  };
}
