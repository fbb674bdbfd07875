import { Injectable } from '@nestjs/common';
import type { FactValue } from '../../../rules/index.js';
import { NO_DETAILS, type RowDetails } from '../../domain/aggregates/row-details.js';
import type { LogName, WindowNeeds } from '../../domain/aggregates/window-needs.js';
import type { DecryptedTransaction } from '../../domain/claimed.js';
import type { VelocityReading } from '../../domain/facts/velocity-facts.js';
import { VELOCITY_CAP } from '../../domain/facts/velocity-log.js';
import { isLateArrival, type LogSlice } from '../../domain/facts/velocity-window.js';
import { RowDetailsQueries } from '../../store/reading/row-details.queries.js';
import {
  reachHours,
  VelocityQueries,
  velocityDimensions,
  windowDimensions,
  type BeneficiaryRequest,
  type VelocityLogResult,
  type LogRequest,
  type VelocityLogResults,
  type WindowDimension,
} from '../../store/velocity.queries.js';

export type KeyedTransaction = Pick<
  DecryptedTransaction,
  | 'organisationId'
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
  /** The keys of house fields, keyed by number of the field. */
  readonly houseKeys: ReadonlyMap<number, Buffer>;
  /** The values of house fields that windows read, keyed by number of the field. */
  readonly houseValues: ReadonlyMap<number, FactValue>;
  /** House fields whose back-fill has not ended. */
  readonly unfilled: ReadonlySet<number>;
}

/** A key of a transaction for which rows are read. */
interface Entry {
  /** The index of the transaction in the batch. */
  readonly place: number;
  /** The number of the house field; null if the key is not a house field. */
  readonly field: number | null;
  readonly organisationId: string;
  readonly key: Buffer;
  readonly otherKey: Buffer | null;
  readonly occurredAt: Date;
  readonly seq: string;
  readonly reachMs: number;
}

interface Group {
  readonly request: LogRequest;
  readonly members: readonly Entry[];
}

type Slice = LogSlice & VelocityLogResult;
type Slices = ReadonlyMap<Entry, Slice>;

const HOUR_MS = 3_600_000;
const KEYS = {
  customer: 'customerKey',
  device: 'deviceKey',
  ip: 'ipKey',
  counterparty: 'counterpartyKey',
  account: 'accountKey',
  card: 'cardKey',
} as const satisfies Record<LogName, keyof KeyedTransaction>;
/**
 * Transactions of one key share a log only if the time between neighbours is at most this long. The row limit counts
 * back from the newest, so early transactions of a long group would lack rows.
 */
const GROUP_SPAN_MS = HOUR_MS;

/** Reads the windows of a batch in shared statements; rows of the same key are read once. */
@Injectable()
export class VelocityReader {
  constructor(
    private readonly queries: VelocityQueries,
    private readonly details: RowDetailsQueries,
  ) {}

  /** Returns one reading per transaction, in order. */
  async read(batch: readonly WindowQuestion[]): Promise<VelocityReading[]> {
    const groups = dimensionsOf((dimension) => groupsOf(entriesOf(batch, dimension)));
    const organisations = batch.map(({ transaction }) => transaction.organisationId);
    const customerLogs = new Map(
      groups.customer.flatMap(({ members }, g) => members.map(({ place }) => [place, g])),
    );
    const payments = batch.flatMap(({ transaction: { customerKey, counterpartyKey } }, place) =>
      customerKey && counterpartyKey ? [place] : [],
    );
    const lastSeq = batch.reduce((last, { transaction }) => Math.max(last, Number(transaction.seq)), 0);
    const answer = await this.queries.read(organisations, {
      logs: dimensionsOf((dimension) => groups[dimension].map(({ request }) => request)),
      beneficiaries: payments.map((place) => ({
        ...seenRequest(batch[place]),
        log: customerLogs.get(place) ?? missing(),
      })),
      lastSeq,
    });
    const slices = await this.slices(groups, answer.logs, lastSeq);
    const beneficiaries = new Map(payments.map((place, i) => [place, answer.beneficiaries[i]]));
    const details = await this.detailsOf(batch, groups, slices);
    const together = new Set(batch.map(({ transaction }) => Number(transaction.seq)));
    const found = batch.map(() => new Map<LogName | number, Slice>());
    for (const dimension of windowDimensions) {
      for (const { members } of groups[dimension]) {
        for (const entry of members) {
          const slice = slices.get(entry);
          const name = dimension === 'house' ? entry.field : dimension;
          if (slice && name !== null) found[entry.place]?.set(name, slice);
        }
      }
    }
    return batch.map(({ transaction, unfilled }, place) => {
      const own = found[place] ?? new Map<LogName | number, Slice>();
      const named = (name: LogName): Slice | null => own.get(name) ?? null;
      return {
        cameLate: [...own.values()].some((slice) =>
          isLateArrival(slice, slice.laterSeqs, Number(transaction.seq), together),
        ),
        customer: named('customer'),
        device: named('device'),
        ip: named('ip'),
        beneficiarySeen: beneficiaries.get(place) ?? null,
        aggregates: {
          counterparty: named('counterparty'),
          account: named('account'),
          card: named('card'),
          house: new Map(
            [...own].flatMap(([name, slice]) => (typeof name === 'number' ? [[name, slice]] : [])),
          ),
        },
        details: { outcomes: details.outcomes, house: details.house, unfilled },
      };
    });
  }

  /** Finds each transaction in the log of its group, or in a log of its own if the limit cut the group's log short. */
  private async slices(
    groups: Readonly<Record<WindowDimension, readonly Group[]>>,
    found: VelocityLogResults,
    lastSeq: number,
  ): Promise<Slices> {
    const slices = new Map<Entry, Slice>();
    const short = dimensionsOf((dimension) =>
      groups[dimension].flatMap(({ members }, g) => {
        const own = found[dimension][g];
        if (!own) throw new Error('a velocity log was not answered');
        return members.filter((entry) => {
          const first = firstOf(own, entry);
          // Rows after this transaction used up the limit, so that fewer rows than the cap are left for it.
          if (own.log.truncated && own.log.length - first < VELOCITY_CAP) return true;
          slices.set(entry, { first, ...own });
          return false;
        });
      }),
    );
    const alone = windowDimensions.flatMap((dimension) => short[dimension]);
    if (alone.length === 0) return slices;
    const { logs } = await this.queries.read(
      alone.map(({ organisationId }) => organisationId),
      {
        logs: dimensionsOf((dimension) => short[dimension].map((entry) => requestOf([entry]))),
        beneficiaries: [],
        lastSeq,
      },
    );
    for (const dimension of windowDimensions) {
      short[dimension].forEach((entry, i) => {
        const own = logs[dimension][i];
        if (!own) throw new Error('a velocity log was not answered');
        slices.set(entry, { first: firstOf(own, entry), ...own });
      });
    }
    return slices;
  }

  /** Reads values of rows that aggregates need and that logs do not hold. */
  private async detailsOf(
    batch: readonly WindowQuestion[],
    groups: Readonly<Record<WindowDimension, readonly Group[]>>,
    slices: Slices,
  ): Promise<RowDetails> {
    if (batch.every(({ needs }) => needs.outcomesOf.size === 0 && needs.valuesOf.size === 0)) {
      return NO_DETAILS;
    }
    const nameOf = (dimension: WindowDimension, { field }: Entry): LogName | number =>
      dimension === 'house' ? (field ?? 0) : dimension;
    const needsOf = ({ place }: Entry): WindowNeeds | undefined => batch[place]?.needs;
    const outcomes = await this.details.findOutcomes(
      batch.map(({ transaction }) => transaction.organisationId),
      dimensionsOf((dimension) =>
        groups[dimension]
          .filter(({ members }) =>
            members.some((entry) => needsOf(entry)?.outcomesOf.has(nameOf(dimension, entry))),
          )
          .map(({ request }) => request),
      ),
    );
    const wanted = new Map<string, { readonly seqs: Set<number>; readonly fields: Set<number> }>();
    for (const dimension of windowDimensions) {
      for (const entry of groups[dimension].flatMap(({ members }) => members)) {
        const fields = needsOf(entry)?.valuesOf.get(nameOf(dimension, entry));
        if (!fields) continue;
        const own = wanted.get(entry.organisationId) ?? { seqs: new Set(), fields: new Set() };
        wanted.set(entry.organisationId, own);
        for (const seq of slices.get(entry)?.log.seqs ?? []) own.seqs.add(seq);
        for (const field of fields) own.fields.add(field);
      }
    }
    const house = new Map<number, ReadonlyMap<number, FactValue>>();
    for (const [organisationId, { seqs, fields }] of wanted) {
      const values = await this.details.readHouseValues(organisationId, [...seqs], [...fields]);
      for (const [seq, own] of values) house.set(seq, own);
    }
    return { unfilled: NO_DETAILS.unfilled, outcomes, house };
  }
}

function dimensionsOf<T>(of: (dimension: WindowDimension) => T): Readonly<Record<WindowDimension, T>> {
  return Object.fromEntries(windowDimensions.map((dimension) => [dimension, of(dimension)])) as Record<
    WindowDimension,
    T
  >;
}

function missing(): never {
  throw new Error('a transaction of a customer has no group');
}

const firstOf = ({ log }: VelocityLogResult, { occurredAt, seq }: Entry): number =>
  log.indexOfNewestBefore(occurredAt.getTime() * 1_000, Number(seq));

function entriesOf(batch: readonly WindowQuestion[], dimension: WindowDimension): Entry[] {
  return batch.flatMap(({ transaction, otherKey, needs, houseKeys }, place): Entry[] => {
    const { organisationId, occurredAt, seq } = transaction;
    const entry = (key: Buffer | null | undefined, reachMs: number, field: number | null): Entry[] =>
      key
        ? [
            {
              ...{ place, field, organisationId, key, occurredAt, seq, reachMs },
              otherKey: dimension === 'customer' ? otherKey : null,
            },
          ]
        : [];
    if (dimension === 'house') {
      return [...needs.houseReach].flatMap(([field, ms]) => entry(houseKeys.get(field), ms, field));
    }
    const always = velocityDimensions.find((one) => one === dimension);
    const reachMs = Math.max(needs.reach.get(dimension) ?? 0, always ? reachHours[always] * HOUR_MS : 0);
    return reachMs === 0 ? [] : entry(transaction[KEYS[dimension]], reachMs, null);
  });
}

function groupsOf(entries: readonly Entry[]): Group[] {
  const byKey = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { organisationId, key, otherKey } = entry;
    const name = `${organisationId}${key.toString('latin1')}|${otherKey?.toString('latin1') ?? ''}`;
    const members = byKey.get(name);
    if (members) members.push(entry);
    else byKey.set(name, [entry]);
  }
  return [...byKey.values()].flatMap((members) =>
    split(members).map((part) => ({ members: part, request: requestOf(part) })),
  );
}

/** Splits the entries of a key at gaps of more than `GROUP_SPAN_MS`. */
function split(members: readonly Entry[]): (readonly Entry[])[] {
  if (members.length === 1) return [members];
  const parts: Entry[][] = [];
  let last = -Infinity;
  for (const entry of [...members].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())) {
    const part = parts.at(-1);
    const time = entry.occurredAt.getTime();
    if (part && time - last <= GROUP_SPAN_MS) part.push(entry);
    else parts.push([entry]);
    last = time;
  }
  return parts;
}

/** Returns the request for all rows that the windows of these transactions of one key read. */
function requestOf(members: readonly Entry[]): LogRequest {
  let newest = members[0];
  let from = Infinity;
  for (const member of members) {
    if (!newest) break;
    from = Math.min(from, member.occurredAt.getTime() - member.reachMs);
    const later = member.occurredAt.getTime() - newest.occurredAt.getTime();
    if (later > 0 || (later === 0 && Number(member.seq) > Number(newest.seq))) newest = member;
  }
  if (!newest) throw new Error('a group of transactions is empty');
  return {
    organisationId: newest.organisationId,
    key: newest.key,
    otherKey: newest.otherKey,
    from: new Date(from),
    to: newest.occurredAt,
    toSeq: newest.seq,
  };
}

function seenRequest(question: WindowQuestion | undefined): Omit<BeneficiaryRequest, 'log'> {
  const { transaction, otherKey } = question ?? {};
  const key = transaction?.counterpartyKey;
  if (!transaction || !key || !transaction.customerKey) throw new Error('a transaction lost its keys');
  return {
    organisationId: transaction.organisationId,
    key,
    customerKey: transaction.customerKey,
    otherKey: otherKey ?? null,
    to: transaction.occurredAt,
    toSeq: transaction.seq,
  };
}
