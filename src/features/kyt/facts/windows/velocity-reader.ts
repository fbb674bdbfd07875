import { Injectable } from '@nestjs/common';
import { required } from '../../../../platform/kernel/index.js';
import type { FactValue } from '../../../rules/index.js';
import { NO_DETAILS, type RowDetails } from '../../domain/aggregates/row-details.js';
import type { LogName, WindowNeeds } from '../../domain/aggregates/window-needs.js';
import type { DecryptedTransaction } from '../../domain/claimed.js';
import { NO_EVENTS, type VelocityReading } from '../../domain/facts/velocity-facts.js';
import type { VelocityLog } from '../../domain/facts/velocity-log.js';
import { isLateArrival } from '../../domain/facts/velocity-window.js';
import { EventWindowQueries } from '../../store/events/event-window.queries.js';
import { RowDetailsQueries } from '../../store/reading/row-details.queries.js';
import {
  reachHours,
  VelocityQueries,
  velocityDimensions,
  windowDimensions,
  type WindowDimension,
} from '../../store/velocity.queries.js';
import { chainsOf, slicesOf, type LogChain, type LogEntry, type ReadSlice } from './log-chains.js';
import { Payments } from './payments.js';

export type KeyedTransaction = Pick<
  DecryptedTransaction,
  | 'organisationId'
  | 'clientAppId'
  | 'customerKey'
  | 'deviceKey'
  | 'ipKey'
  | 'counterpartyKey'
  | 'accountKey'
  | 'cardKey'
  | 'occurredAt'
  | 'seq'
>;

export interface WindowQuestion<Transaction extends KeyedTransaction = KeyedTransaction> {
  readonly transaction: Transaction;
  /** The customer's second key, under which earlier rows may be stored. */
  readonly otherKey: Buffer | null;
  readonly needs: WindowNeeds;
  /** The keys of custom fields, keyed by number of the field. */
  readonly customFieldKeys: ReadonlyMap<number, Buffer>;
  /** The values of custom fields that windows read, keyed by number of the field. */
  readonly customFieldValues: ReadonlyMap<number, FactValue>;
  /** Custom fields whose back-fill has not ended. */
  readonly unfilled: ReadonlySet<number>;
}

type Slices = ReadonlyMap<LogEntry, ReadSlice>;
type Chains = Readonly<Record<WindowDimension, readonly LogChain[]>>;

const HOUR_MS = 3_600_000;
const KEYS = {
  customer: 'customerKey',
  device: 'deviceKey',
  ip: 'ipKey',
  counterparty: 'counterpartyKey',
  account: 'accountKey',
  card: 'cardKey',
} as const satisfies Record<LogName, keyof KeyedTransaction>;
interface OrganisationKey {
  readonly organisationId: string;
  readonly key: Buffer;
}
const nameOf = ({ organisationId, key }: OrganisationKey): string => organisationId + key.toString('latin1');

/** The batch of a call, however many statements read it. */
interface Call {
  /** The sequence number of the last received transaction. */
  readonly lastSeq: number;
  /** The sequence numbers of all transactions of the batch. */
  readonly together: ReadonlySet<number>;
}

/** Reads the windows of a batch in shared statements; rows of the same key are read once. */
@Injectable()
export class VelocityReader {
  /** How long a statement may take in milliseconds, unless it is about a single transaction. */
  readonly mostMs: number = 1_000;

  constructor(
    private readonly queries: VelocityQueries,
    private readonly details: RowDetailsQueries,
    private readonly events: EventWindowQueries,
  ) {}

  /** Returns one reading per transaction, in order. */
  async read(batch: readonly WindowQuestion[]): Promise<VelocityReading[]> {
    const seqs = batch.map(({ transaction }) => Number(transaction.seq));
    const lastSeq = seqs.reduce((last, seq) => Math.max(last, seq), 0);
    const questions = await this.withoutEmptyKeys(batch);
    const readings = await this.readHalves(questions, { lastSeq, together: new Set(seqs) });
    const events = await this.events.read(batch);
    if (!events) return readings;
    return readings.map((reading, i): VelocityReading => {
      const { cameLate, customer, device, ip, details, beneficiarySeen, aggregates } = reading;
      const { counterparty, account, card, custom } = aggregates;
      return {
        ...{ cameLate, customer, device, ip, details, beneficiarySeen },
        aggregates: { counterparty, account, card, custom, events: events[i] ?? NO_EVENTS },
      };
    });
  }

  /** Reads a batch; the transactions that the statement had no time for are read in two halves. */
  private async readHalves(batch: readonly WindowQuestion[], call: Call): Promise<VelocityReading[]> {
    const readings = await this.readInTime(batch, call);
    const late = [...readings.keys()].filter((place) => readings[place] === null);
    const half = Math.ceil(late.length / 2);
    for (const places of [late.slice(0, half), late.slice(half)]) {
      const questions = places.flatMap((place) => batch[place] ?? []);
      if (questions.length === 0) continue;
      const halfReadings = await this.readHalves(questions, call);
      places.forEach((place, i) => {
        readings[place] = halfReadings[i] ?? null;
      });
    }
    return readings.map((reading) => required(reading, 'a reading'));
  }

  /** Returns null for each transaction whose rows the statements had no time for. */
  private async readInTime(
    batch: readonly WindowQuestion[],
    { lastSeq, together }: Call,
  ): Promise<(VelocityReading | null)[]> {
    const chains = dimensionsOf((dimension) => chainsOf(entriesOf(batch, dimension)));
    const organisations = batch.map(({ transaction }) => transaction.organisationId);
    const payments = new Payments(batch, chains.customer);
    const answer = await this.queries.read(organisations, {
      logs: dimensionsOf((dimension) => chains[dimension].flatMap(({ requests }) => requests)),
      beneficiaries: payments.requests,
      payees: payments.chains.flatMap(({ requests }) => requests),
      lastSeq,
      mostMs: batch.length === 1 ? Number.MAX_SAFE_INTEGER : this.mostMs,
    });
    const late = new Set<number>();
    const slices = new Map<LogEntry, ReadSlice>();
    for (const dimension of windowDimensions) {
      for (const chain of chains[dimension]) {
        const { members, at } = chain;
        const memberSlices = slicesOf(chain, answer.logs[dimension].slice(at, at + members.length));
        members.forEach((entry, i) => {
          const slice = memberSlices?.[i];
          if (slice) slices.set(entry, slice);
          else late.add(entry.place);
        });
      }
    }
    const counterparties = payments.places.map((place, i) => {
      const beneficiary = answer.beneficiaries[i];
      const counterparty = beneficiary === 'SHARED' ? payments.findAmong(place, answer.payees) : beneficiary;
      if (counterparty === undefined) late.add(place);
      return [place, counterparty ?? null] as const;
    });
    const beneficiaries = new Map(counterparties);
    const details = await this.readDetails(batch, chains, slices);
    const slicesByPlace = batch.map(() => new Map<LogName | number, ReadSlice>());
    for (const dimension of windowDimensions) {
      for (const entry of chains[dimension].flatMap(({ members }) => members)) {
        const slice = slices.get(entry);
        const name = dimension === 'custom' ? entry.field : dimension;
        if (slice && name !== null) slicesByPlace[entry.place]?.set(name, slice);
      }
    }
    return batch.map(({ transaction, unfilled }, place) => {
      if (late.has(place)) return null;
      const slicesByLog = slicesByPlace[place] ?? new Map<LogName | number, ReadSlice>();
      const sliceOf = (name: LogName): ReadSlice | null => slicesByLog.get(name) ?? null;
      return {
        cameLate: [...slicesByLog.values()].some((slice) =>
          isLateArrival(slice, slice.laterSeqs, Number(transaction.seq), together, slice.effective),
        ),
        customer: sliceOf('customer'),
        device: sliceOf('device'),
        ip: sliceOf('ip'),
        beneficiarySeen: beneficiaries.get(place) ?? null,
        aggregates: {
          counterparty: sliceOf('counterparty'),
          account: sliceOf('account'),
          card: sliceOf('card'),
          events: NO_EVENTS,
          custom: new Map(
            [...slicesByLog].flatMap(([name, slice]) => (typeof name === 'number' ? [[name, slice]] : [])),
          ),
        },
        details: { outcomes: details.outcomes, custom: details.custom, unfilled },
      };
    });
  }

  /**
   * Leaves out second keys under which nothing is stored, if a customer of the batch has several second keys, so that
   * the transactions of this customer share one log.
   */
  private async withoutEmptyKeys(batch: readonly WindowQuestion[]): Promise<readonly WindowQuestion[]> {
    const keysByCustomer = new Map<string, Map<string, OrganisationKey>>();
    for (const { transaction, otherKey: key } of batch) {
      const { organisationId, customerKey } = transaction;
      if (!customerKey || !key) continue;
      const customer = nameOf({ organisationId, key: customerKey });
      const keysOfCustomer = keysByCustomer.get(customer) ?? new Map<string, OrganisationKey>();
      keysByCustomer.set(
        customer,
        keysOfCustomer.set(nameOf({ organisationId, key }), { organisationId, key }),
      );
    }
    const readSlices = new Map(
      [...keysByCustomer.values()].filter(({ size }) => size > 1).flatMap((own) => [...own]),
    );
    if (readSlices.size === 0) return batch;
    const storedKeys = await this.queries.findStoredKeys([...readSlices.values()]);
    const empty = new Set([...readSlices.keys()].filter((_, i) => !storedKeys.has(i)));
    return batch.map((question) => {
      const { transaction, otherKey: key, needs, customFieldKeys, customFieldValues, unfilled } = question;
      if (!key || !empty.has(nameOf({ organisationId: transaction.organisationId, key }))) return question;
      return { transaction, otherKey: null, needs, customFieldKeys, customFieldValues, unfilled };
    });
  }

  /** Reads values of rows that aggregates need and that logs do not hold. */
  private async readDetails(
    batch: readonly WindowQuestion[],
    chains: Chains,
    slices: Slices,
  ): Promise<RowDetails> {
    if (batch.every(({ needs }) => needs.outcomesOf.size === 0 && needs.valuesOf.size === 0)) {
      return NO_DETAILS;
    }
    const nameIn = (dimension: WindowDimension, { field }: LogEntry): LogName | number =>
      dimension === 'custom' ? (field ?? 0) : dimension;
    const needsOf = ({ place }: LogEntry): WindowNeeds | undefined => batch[place]?.needs;
    const outcomes = await this.details.findOutcomes(
      batch.map(({ transaction }) => transaction.organisationId),
      dimensionsOf((dimension) =>
        chains[dimension]
          .filter(({ members }) =>
            members.some((entry) => needsOf(entry)?.outcomesOf.has(nameIn(dimension, entry))),
          )
          .flatMap(({ requests }) => requests),
      ),
    );
    const needsByOrganisation = new Map<
      string,
      { readonly logs: Set<VelocityLog>; readonly fields: Set<number> }
    >();
    for (const dimension of windowDimensions) {
      for (const entry of chains[dimension].flatMap(({ members }) => members)) {
        const fields = needsOf(entry)?.valuesOf.get(nameIn(dimension, entry));
        const slice = slices.get(entry);
        if (!fields || !slice) continue;
        const own = needsByOrganisation.get(entry.organisationId) ?? { logs: new Set(), fields: new Set() };
        needsByOrganisation.set(entry.organisationId, own);
        own.logs.add(slice.log);
        for (const field of fields) own.fields.add(field);
      }
    }
    const custom = new Map<number, ReadonlyMap<number, FactValue>>();
    for (const [organisationId, { logs, fields }] of needsByOrganisation) {
      const seqs = new Set([...logs].flatMap(({ seqs: own }) => [...own]));
      const values = await this.details.readCustomFieldValues(organisationId, [...seqs], [...fields]);
      for (const [seq, own] of values) custom.set(seq, own);
    }
    return { unfilled: NO_DETAILS.unfilled, outcomes, custom };
  }
}

function dimensionsOf<T>(of: (dimension: WindowDimension) => T): Readonly<Record<WindowDimension, T>> {
  return Object.fromEntries(windowDimensions.map((dimension) => [dimension, of(dimension)])) as Record<
    WindowDimension,
    T
  >;
}

function entriesOf(batch: readonly WindowQuestion[], dimension: WindowDimension): LogEntry[] {
  return batch.flatMap(({ transaction, otherKey, needs, customFieldKeys }, place): LogEntry[] => {
    const { organisationId, occurredAt, seq } = transaction;
    const entry = (key: Buffer | null | undefined, reachMs: number, field: number | null): LogEntry[] =>
      key
        ? [
            {
              ...{ place, field, organisationId, key, occurredAt, seq, reachMs },
              otherKey: dimension === 'customer' ? otherKey : null,
            },
          ]
        : [];
    if (dimension === 'custom') {
      return [...needs.customFieldReach].flatMap(([field, ms]) =>
        entry(customFieldKeys.get(field), ms, field),
      );
    }
    const always = velocityDimensions.find((one) => one === dimension);
    const reachMs = Math.max(needs.reach.get(dimension) ?? 0, always ? reachHours[always] * HOUR_MS : 0);
    return reachMs === 0 ? [] : entry(transaction[KEYS[dimension]], reachMs, null);
  });
}
