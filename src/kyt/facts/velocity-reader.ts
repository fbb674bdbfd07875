import { Injectable } from '@nestjs/common';
import { LocalDays } from '../../kernel/values/local-day.js';
import type { OpenTransaction } from '../domain/claimed.js';
import type { VelocityReading } from '../domain/facts/velocity-facts.js';
import { VELOCITY_CAP } from '../domain/facts/velocity-log.js';
import { isOvertaken, type LogSlice } from '../domain/facts/velocity-window.js';
import {
  reachHours,
  VelocityQueries,
  type LogFound,
  type LogRequest,
  type SeenRequest,
  type VelocityDimension,
} from '../store/velocity.queries.js';

type Keyed = Pick<
  OpenTransaction,
  'organisationId' | 'customerKey' | 'deviceKey' | 'ipKey' | 'counterpartyKey' | 'occurredAt' | 'seq'
>;

interface Grouped extends Keyed {
  /** The other key under which its customer may have rows. */
  readonly otherKey: Buffer | null;
}

const HOUR_MS = 3_600_000;
const KEYS = { customer: 'customerKey', device: 'deviceKey', ip: 'ipKey' } as const;
/** Transactions of one key that lie further apart are asked for apart: the cap counts back from the newest of a group. */
const GROUP_SPAN_MS = HOUR_MS;

interface Group {
  readonly request: LogRequest;
  readonly members: readonly number[];
}

/** Reads what the windows of a batch need, in one statement; rows of the same key are read once. */
@Injectable()
export class VelocityReader {
  private readonly days = new LocalDays();

  constructor(private readonly queries: VelocityQueries) {}

  /** One reading per transaction, in order; beside each the other key under which its customer may have rows. */
  async read(
    transactions: readonly Keyed[],
    otherKeys: readonly (Buffer | null)[],
  ): Promise<VelocityReading[]> {
    const batch = transactions.map((one, i) => grouped(one, otherKeys[i] ?? null));
    const groups = {
      customer: groupsOf(batch, 'customer'),
      device: groupsOf(batch, 'device'),
      ip: groupsOf(batch, 'ip'),
    };
    const payments = placesOf(batch, ({ customerKey, counterpartyKey }) => customerKey && counterpartyKey);
    const uses = placesOf(batch, ({ customerKey, deviceKey }) => customerKey && deviceKey);
    const customerLogs = new Map(groups.customer.flatMap(({ members }, g) => members.map((i) => [i, g])));
    const answer = await this.queries.ask(
      batch.map(({ organisationId }) => organisationId),
      {
        logs: {
          customer: groups.customer.map(({ request }) => request),
          device: groups.device.map(({ request }) => request),
          ip: groups.ip.map(({ request }) => request),
        },
        beneficiaries: payments.map((i) => ({
          ...seenRequest(batch[i], 'counterpartyKey'),
          log: customerLogs.get(i) ?? missing(),
        })),
        devices: uses.map((i) => this.deviceRequest(batch[i])),
        lastSeq: lastSeqOf(batch),
      },
    );
    const found = {
      customer: await this.slices(batch, groups.customer, answer.logs.customer, 'customer'),
      device: await this.slices(batch, groups.device, answer.logs.device, 'device'),
      ip: await this.slices(batch, groups.ip, answer.logs.ip, 'ip'),
    };
    const beneficiaries = new Map(payments.map((place, i) => [place, answer.beneficiaries[i]]));
    const devices = new Map(uses.map((place, i) => [place, answer.devices[i]]));
    const together = new Set(batch.map(({ seq }) => Number(seq)));
    return batch.map((transaction, i) => ({
      cameLate: [found.customer[i], found.device[i], found.ip[i]].some(
        (slice) => slice && isOvertaken(slice, slice.laterSeqs, Number(transaction.seq), together),
      ),
      customer: found.customer[i] ?? null,
      device: found.device[i] ?? null,
      ip: found.ip[i] ?? null,
      beneficiarySeen: beneficiaries.get(i) ?? null,
      deviceSeen: devices.get(i) ?? null,
    }));
  }

  private deviceRequest(transaction: Grouped | undefined): SeenRequest {
    const request = seenRequest(transaction, 'deviceKey');
    return { ...request, to: new Date(this.days.startOfDay(request.to.getTime())), toSeq: '0' };
  }

  /** Where each transaction stands in the log of its group. */
  private async slices(
    batch: readonly Grouped[],
    groups: readonly Group[],
    found: readonly LogFound[],
    dimension: VelocityDimension,
  ): Promise<((LogSlice & LogFound) | null)[]> {
    const slices = new Array<(LogSlice & LogFound) | null>(batch.length).fill(null);
    const short: number[] = [];
    groups.forEach(({ members }, g) => {
      const own = found[g];
      if (!own) throw new Error('a velocity log was not answered');
      for (const i of members) {
        const first = firstOf(own, batch[i]);
        // The group's later rows took so much of the limit that the cap of this one is not reached.
        if (own.log.truncated && own.log.length - first < VELOCITY_CAP) short.push(i);
        else slices[i] = { first, ...own };
      }
    });
    if (short.length > 0) await this.readAlone(batch, short, dimension, slices);
    return slices;
  }

  private async readAlone(
    batch: readonly Grouped[],
    places: readonly number[],
    dimension: VelocityDimension,
    into: ((LogSlice & LogFound) | null)[],
  ): Promise<void> {
    const requests = places.map((i) => requestOf(dimension, [batch[i]]));
    const { logs } = await this.queries.ask(
      requests.map(({ organisationId }) => organisationId),
      {
        logs: { customer: [], device: [], ip: [], [dimension]: requests },
        beneficiaries: [],
        devices: [],
        lastSeq: lastSeqOf(batch),
      },
    );
    places.forEach((place, i) => {
      const own = logs[dimension][i];
      if (!own) throw new Error('a velocity log was not answered');
      into[place] = { first: firstOf(own, batch[place]), ...own };
    });
  }
}

const lastSeqOf = (batch: readonly Grouped[]): number =>
  batch.reduce((last, { seq }) => Math.max(last, Number(seq)), 0);

const grouped = (one: Keyed, otherKey: Buffer | null): Grouped => ({
  organisationId: one.organisationId,
  customerKey: one.customerKey,
  otherKey,
  deviceKey: one.deviceKey,
  ipKey: one.ipKey,
  counterpartyKey: one.counterpartyKey,
  occurredAt: one.occurredAt,
  seq: one.seq,
});

function missing(): never {
  throw new Error('a transaction of a customer has no group');
}

const firstOf = ({ log }: LogFound, transaction: Grouped | undefined): number =>
  log.firstBefore((transaction?.occurredAt.getTime() ?? 0) * 1_000, Number(transaction?.seq));

function placesOf(batch: readonly Grouped[], hasKeys: (transaction: Grouped) => Buffer | null): number[] {
  return batch.flatMap((transaction, i) => (hasKeys(transaction) ? [i] : []));
}

function groupsOf(batch: readonly Grouped[], dimension: VelocityDimension): Group[] {
  const byKey = new Map<string, number[]>();
  batch.forEach((transaction, i) => {
    const key = transaction[KEYS[dimension]];
    if (!key) return;
    const otherKey = dimension === 'customer' ? transaction.otherKey : null;
    const name = `${transaction.organisationId}${key.toString('latin1')}|${otherKey?.toString('latin1') ?? ''}`;
    const members = byKey.get(name);
    if (members) members.push(i);
    else byKey.set(name, [i]);
  });
  return [...byKey.values()].flatMap((members) =>
    split(batch, members).map((part) => ({
      members: part,
      request: requestOf(
        dimension,
        part.map((i) => batch[i]),
      ),
    })),
  );
}

/** Cuts the members of a key where the time between two of them is long. */
function split(batch: readonly Grouped[], members: readonly number[]): number[][] {
  if (members.length === 1) return [[...members]];
  const time = (i: number): number => batch[i]?.occurredAt.getTime() ?? 0;
  const parts: number[][] = [];
  let last = -Infinity;
  for (const i of [...members].sort((a, b) => time(a) - time(b))) {
    const part = parts.at(-1);
    if (part && time(i) - last <= GROUP_SPAN_MS) part.push(i);
    else parts.push([i]);
    last = time(i);
  }
  return parts;
}

/** The rows that the windows of these transactions of one key look at. */
function requestOf(dimension: VelocityDimension, members: readonly (Grouped | undefined)[]): LogRequest {
  let [oldest, newest] = [members[0], members[0]];
  for (const member of members) {
    if (!member || !oldest || !newest) continue;
    if (member.occurredAt < oldest.occurredAt) oldest = member;
    const later = member.occurredAt.getTime() - newest.occurredAt.getTime();
    if (later > 0 || (later === 0 && Number(member.seq) > Number(newest.seq))) newest = member;
  }
  const key = newest?.[KEYS[dimension]];
  if (!oldest || !newest || !key) throw new Error('a group of transactions has no key');
  return {
    organisationId: newest.organisationId,
    key,
    otherKey: dimension === 'customer' ? newest.otherKey : null,
    from: new Date(oldest.occurredAt.getTime() - reachHours[dimension] * HOUR_MS),
    to: newest.occurredAt,
    toSeq: newest.seq,
  };
}

function seenRequest(transaction: Grouped | undefined, name: 'counterpartyKey' | 'deviceKey'): SeenRequest {
  const key = transaction?.[name];
  if (!transaction || !key || !transaction.customerKey) throw new Error('a transaction lost its keys');
  return {
    organisationId: transaction.organisationId,
    key,
    customerKey: transaction.customerKey,
    otherKey: transaction.otherKey,
    to: transaction.occurredAt,
    toSeq: transaction.seq,
  };
}
