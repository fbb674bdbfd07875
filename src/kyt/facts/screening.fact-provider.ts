import { Injectable } from '@nestjs/common';
import { CustomerIdentification, type CustomerObservation, type Identified } from '../../customers/index.js';
import { Clock, present } from '../../kernel/index.js';
import { BlindIndex, type SubjectRef } from '../../privacy/index.js';
import type { FactSheet, Findings } from '../../rules/index.js';
import {
  Freezes,
  HitDispositionService,
  Screener,
  today,
  type ListedValue,
  type Party,
  type PartyRole,
  type RecordedMatch,
  type Match,
  type Screening,
  type CurrentHit,
  type CurrentMatch,
} from '../../screening/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import type { FactProvider, FoundParties } from '../domain/facts/evidence.js';
import type { PartyHit } from '../domain/review-need.js';
import { setScreeningFacts } from '../domain/facts/screening-facts.js';
import type { Participant, Submission } from '../domain/submission/submission.js';

/** A transaction with its customer and everybody who is to be screened. */
interface Screened {
  readonly transaction: OpenTransaction;
  readonly customer: Identified | null;
  readonly own: Participant;
  readonly parties: readonly Party[];
}

/** Looks up the decisions about matches, if there are any. */
type CurrentMatchesOf = (organisationId: string, matches: readonly Match[]) => Promise<CurrentMatch[]>;

/** Identifies the customer, screens customer and participants against the organisation's lists, and keeps the hits. */
@Injectable()
export class ScreeningFactProvider implements FactProvider {
  readonly components = ['LISTS'] as const;
  readonly sources = ['LISTS'] as const;

  constructor(
    private readonly customers: CustomerIdentification,
    private readonly screener: Screener,
    private readonly dispositions: HitDispositionService,
    private readonly index: BlindIndex,
    private readonly clock: Clock,
    private readonly freezes: Freezes,
  ) {}

  async find(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: FoundParties[],
  ): Promise<readonly Findings[]> {
    return this.look(
      batch,
      sheets,
      parties,
      await this.customers.identify(batch.map(observationOf)),
      (organisationId, matches) => this.dispositions.record(organisationId, matches, 'kyt.pipeline'),
    );
  }

  /** Registers no customer and keeps no hit. */
  async rehearse(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: FoundParties[],
  ): Promise<readonly Findings[]> {
    return this.look(
      batch,
      sheets,
      parties,
      await this.customers.recall(batch.map(observationOf)),
      (organisationId, matches) => this.dispositions.preview(organisationId, matches),
    );
  }

  private async look(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: FoundParties[],
    identified: readonly (Identified | null)[],
    standingOf: CurrentMatchesOf,
  ): Promise<readonly Findings[]> {
    const screened = batch.map((transaction, i) => this.prepare(transaction, identified[i] ?? null));
    const findings: Findings[] = batch.map(() => ({}));
    const places = new Map<string, number[]>();
    batch.forEach(({ organisationId }, i) => {
      places.set(organisationId, [...(places.get(organisationId) ?? []), i]);
    });
    for (const [organisationId, own] of places) {
      const found = await this.screenAll(
        organisationId,
        own.map((i) => screened[i]).filter((one) => one !== undefined),
        standingOf,
      );
      own.forEach((i, place) => {
        const sheet = sheets[i];
        const result = found[place];
        if (!sheet || !result) throw new Error('sheets and batch differ in length');
        parties[i] = { cameLate: parties[i]?.cameLate === true, ...result.parties };
        findings[i] = { LISTS: setScreeningFacts(sheet, result, result.receivedAt) };
      });
    }
    return findings;
  }

  private async screenAll(
    organisationId: string,
    screened: readonly Screened[],
    standingOf: CurrentMatchesOf,
  ): Promise<
    (Parameters<typeof setScreeningFacts>[1] & {
      readonly receivedAt: Date;
      readonly parties: Omit<FoundParties, 'cameLate'>;
    })[]
  > {
    const now = new Date(this.clock.now());
    const byDay = new Map<string, Screened[]>();
    for (const one of screened) {
      // Whether an office or a sanction is in force is judged at the moment of the transaction.
      const day = today(one.transaction.occurredAt.getTime());
      byDay.set(day, [...(byDay.get(day) ?? []), one]);
    }
    const results = new Map<Screened, { screening: Screening; matches: CurrentMatch[] }>();
    for (const [day, ones] of byDay) {
      const parties = ones.flatMap((one) => one.parties);
      const screening = await this.screener.screen(organisationId, parties, day, now);
      const known = await standingOf(organisationId, screening.matches.flat());
      const byParty = new Map<Party, CurrentMatch[]>();
      for (const match of known) byParty.set(match.party, [...(byParty.get(match.party) ?? []), match]);
      for (const one of ones) {
        results.set(one, { screening, matches: one.parties.flatMap((party) => byParty.get(party) ?? []) });
      }
    }
    const standing = new Map<string, CurrentHit[]>();
    for (const hit of await this.standing(organisationId, screened)) {
      const subject = hit.subjectIndex.toString('hex');
      standing.set(subject, [...(standing.get(subject) ?? []), hit]);
    }
    const frozen = await this.freezes.among(organisationId);
    return screened.map((one) => {
      const result = results.get(one);
      if (!result) throw new Error('a transaction was not screened');
      const own =
        one.own.name !== null || !one.customer || standing.size === 0
          ? []
          : (standing.get(one.customer.subjectIndex.toString('hex')) ?? []);
      const freezing = freezingHits(one, frozen);
      return {
        frozen: freezing.length > 0,
        parties: {
          customerId: one.customer?.customerId ?? null,
          subjectIndex: one.customer?.subjectIndex ?? null,
          hits: hitsOf(result.matches.filter(isRecorded), own, freezing),
        },
        standing: own,
        customerNamed: one.own.name !== null || one.customer?.named === true,
        anybody:
          one.customer?.named === true ||
          one.parties.some(({ name, values }) => name !== null || values.length > 0),
        receivedAt: one.transaction.receivedAt,
        ...result,
      };
    });
  }

  /** Anybody who is not named now was screened when they were; what was found then still stands. */
  private async standing(
    organisationId: string,
    screened: readonly Screened[],
  ): ReturnType<HitDispositionService['currentHits']> {
    const unnamed = screened.flatMap(({ own, customer }) =>
      own.name === null && customer?.named === true ? [customer.subjectIndex] : [],
    );
    return this.dispositions.currentHits(organisationId, unnamed);
  }

  private prepare(transaction: OpenTransaction, customer: Identified | null): Screened {
    const { submission } = transaction;
    const ownIsDestination = submission.direction.value === 'IN';
    const own = ownIsDestination ? submission.destination : submission.origin;
    const other = ownIsDestination ? submission.origin : submission.destination;
    const parties = [
      // eslint-disable-next-line no-restricted-syntax -- replaces a member, adds none
      this.party(transaction, 'CUSTOMER', { ...own, taxId: own.taxId ?? submission.taxId }, customer),
      this.party(transaction, ownIsDestination ? 'ORIGIN' : 'DESTINATION', other, null),
    ]
      .filter((party) => party !== null)
      // Somebody else may deal with the same person; what was decided for one customer says nothing about another.
      .map((party) =>
        party.role === 'CUSTOMER' ? party : { forCustomerId: customer?.customerId ?? null, ...party },
      );
    return { transaction, customer, own, parties };
  }

  /** A participant as somebody to screen; null when there is nothing to compare. */
  private party(
    { id, organisationId, submission }: OpenTransaction,
    role: PartyRole,
    participant: Participant,
    customer: Identified | null,
  ): Party | null {
    const { name, taxId } = participant;
    const values = valuesOf(participant, role === 'CUSTOMER' ? submission : null);
    if (name === null && values.length === 0) return null;
    const document = taxId && !taxId.isMasked ? taxId.canonical() : null;
    const digits = taxId?.kind === 'CPF' ? taxId.canonical().slice(3, 9) : '';
    const birthDate = participant.metadata['birthDate'];
    return {
      role,
      name,
      kind: taxId === null ? 'UNKNOWN' : taxId.kind === 'CPF' ? 'PERSON' : 'ORGANISATION',
      facts: {
        document,
        visibleDigits: /^\d{6}$/.test(digits) ? digits : null,
        birthDate: typeof birthDate === 'string' && /^\d{4}(-\d\d-\d\d)?$/.test(birthDate) ? birthDate : null,
        nationalities: [],
      },
      values,
      subject: customer
        ? { organisationId, index: customer.subjectIndex }
        : this.subjectOf(organisationId, document, name, values),
      customerId: customer?.customerId ?? null,
      transactionRef: id,
    };
  }

  /** Under what hits about somebody who is no customer are kept: the document, else the name, else the account. */
  private subjectOf(
    organisationId: string,
    document: string | null,
    name: string | null,
    values: readonly ListedValue[],
  ): SubjectRef {
    if (document !== null) {
      return { organisationId, index: this.index.of(organisationId, 'document', document) };
    }
    if (name !== null) {
      return { organisationId, index: this.index.of(organisationId, 'name', name.toLowerCase()) };
    }
    const { value } = present(values[0], 'what a party is known by');
    return { organisationId, index: this.index.of(organisationId, 'account', value) };
  }
}

/** A match that is only looked up has no hit. */
const isRecorded = (match: CurrentMatch): match is RecordedMatch => 'hitId' in match;

/** Hits of what was found now, and of what stands from before. */
function hitsOf(
  matches: readonly RecordedMatch[],
  standing: readonly CurrentHit[],
  freezing: readonly string[],
): PartyHit[] {
  const seen = matches.map(({ hitId, list, mandatory, status }) => ({
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
  const known = new Set([...seen, ...before].map(({ hitId }) => hitId));
  const others = freezing
    .filter((hitId) => !known.has(hitId))
    .map((hitId) => ({
      ...{ hitId, listKind: 'SANCTIONS' as const },
      ...{ mandatory: true, pending: false, dismissed: false },
    }));
  return [...seen, ...before, ...others];
}

/** The hits by which somebody of a transaction is frozen, whether they are named now or not. */
function freezingHits({ customer, parties }: Screened, frozen: ReadonlyMap<string, string>): string[] {
  if (frozen.size === 0) return [];
  const keys = [...(customer ? [customer.subjectIndex] : []), ...parties.map(({ subject }) => subject.index)];
  return [...new Set(keys.flatMap((key) => frozen.get(key.toString('hex')) ?? []))];
}

function valuesOf(participant: Participant, submission: Submission | null): ListedValue[] {
  const { taxId, accountReference, walletReference, metadata } = participant;
  const values: ListedValue[] = [];
  const add = (type: ListedValue['type'], value: unknown): void => {
    if (typeof value === 'string' && value !== '') values.push({ type, value });
  };
  if (taxId && !taxId.isMasked) add('DOCUMENT', taxId.canonical());
  add('ACCOUNT', accountReference);
  add('WALLET', walletReference);
  add('PIX_KEY', metadata['pixKey']);
  if (submission) {
    add('DEVICE', submission.deviceId);
    add('IP', submission.ipAddress);
  }
  return values;
}

const observationOf = (transaction: OpenTransaction): CustomerObservation => {
  const { submission } = transaction;
  const own = submission.direction.value === 'IN' ? submission.destination : submission.origin;
  return {
    organisationId: transaction.organisationId,
    clientAppId: transaction.clientAppId,
    externalCustomerId: submission.externalCustomerId,
    taxId: submission.taxId ?? own.taxId,
    name: own.name,
    birthDate: null,
    by: 'KYT',
    requestId: transaction.requestId,
    correlationId: transaction.correlationId,
    traceparent: transaction.traceparent,
  };
};
