import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExchangeRateTable } from '../../src/features/fx/index.js';
import { setAggregateFacts } from '../../src/features/kyt/domain/aggregates/aggregate-facts.js';
import { currentTransactionOf } from '../../src/features/kyt/domain/aggregates/current-transaction.js';
import { NO_DETAILS } from '../../src/features/kyt/domain/aggregates/row-details.js';
import { windowNeedsOf } from '../../src/features/kyt/domain/aggregates/window-needs.js';
import { verifyBundle } from '../../src/features/kyt/domain/replay.js';
import type { DecryptedTransaction } from '../../src/features/kyt/domain/claimed.js';
import { ReceiptExportService } from '../../src/features/kyt/index.js';
import { EventWindowQueries } from '../../src/features/kyt/store/events/event-window.queries.js';
import {
  FactSheet,
  featureSchema,
  parseDeclarations,
  type AggregateDefinition,
} from '../../src/features/rules/language/index.js';
import { RulesetsService } from '../../src/features/rules/index.js';
import { newUuid } from '../../src/platform/kernel/index.js';
import { sha256 } from '../../src/platform/kernel/values/digest.js';
import { LocalDays } from '../../src/platform/kernel/values/local-day.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { brFirst } from '../support/br-first.js';
import { runsInPart } from '../support/needs.js';
import { aRule } from '../support/rule-language.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const AGGREGATES: Readonly<Record<string, AggregateDefinition>> = {
  changes: {
    function: 'count',
    events: ['PASSWORD_CHANGED', 'DEVICE_ENROLLED'],
    by: 'customer',
    window: '24h',
  },
  changedAt: {
    function: 'last',
    of: 'occurredAt',
    events: ['PASSWORD_CHANGED'],
    by: 'customer',
    window: '7d',
  },
  enrolledAt: {
    function: 'last',
    of: 'occurredAt',
    events: ['DEVICE_ENROLLED'],
    by: 'customer',
    window: '7d',
  },
  firstLogin: { function: 'first', of: 'channel', events: ['LOGIN'], by: 'device', window: '30d' },
  people: {
    function: 'distinct',
    of: 'customer',
    events: ['LOGIN', 'LOGIN_FAILED'],
    by: 'device',
    window: '24h',
  },
  fromHere: {
    function: 'count',
    events: ['LOGIN'],
    by: 'account',
    window: '24h',
    offset: '1h',
    where: 'same.device && channel == "WEB" && occurredAt < now.occurredAt',
  },
};

describe('Windows of events', () => {
  interface House {
    readonly client: TestClient;
    readonly api: TestApi;
  }

  async function aHouse(): Promise<House> {
    const client = await t.client({ rules: false, scopes: ['kyt:ingest', 'kyt:read'] });
    const rule = aRule({
      key: 'EVENT-01',
      aggregates: AGGREGATES,
      when: 'aggregate.changes >= 2 && aggregate.changedAt < aggregate.enrolledAt',
      score: { points: 30, group: 'EVENTS', groupMax: null },
    });
    const definition = { ...brFirst, key: 'events', version: 1, rules: [rule], dampeners: [] };
    await t.app.get(RulesetsService).publish(client.organisationId, definition, 'test');
    return { client, api: t.api.as(client) };
  }

  function aCustomer({ api }: House): {
    event: (type: string, at: number, fields?: object) => Promise<void>;
    pay: (at: number) => Promise<Evaluated>;
  } {
    const name = randomBytes(6).toString('hex');
    const cpfCnpj = cpfOf(name);
    const when = (at: number): string => new Date(at).toISOString();
    return {
      event: async (type, at, fields = {}) => {
        const event = {
          eventId: randomBytes(8).toString('hex'),
          type,
          occurredAt: when(at),
          cpfCnpj,
          ...fields,
        };
        await api.post('/kyt/events').send(event).expect(202);
      },
      pay: async (at) => {
        const body = aTransaction({ cpfCnpj, occurredAt: when(at) });
        await api.ingest(body).expect(202);
        return (await api.settled(body.transactionId)) as unknown as Evaluated;
      },
    };
  }

  interface Evaluated {
    readonly transactionId: string;
    readonly reasons: { readonly ruleId: string }[];
    readonly notEvaluated: { readonly ruleId: string; readonly missing: string[] }[];
  }
  const rulesOf = ({ reasons }: Evaluated): string[] => reasons.map(({ ruleId }) => ruleId);

  it('a password changed, then a device enrolled, then a payment: told by their order, and replayed from the receipt', async () => {
    const house = await aHouse();
    const now = Date.now() - HOUR;
    const [inOrder, otherOrder] = [aCustomer(house), aCustomer(house)];
    await inOrder.event('PASSWORD_CHANGED', now - 3 * HOUR);
    await inOrder.event('DEVICE_ENROLLED', now - 2 * HOUR);
    const hit = await inOrder.pay(now);
    expect(rulesOf(hit)).toEqual(['EVENT-01']);
    await otherOrder.event('DEVICE_ENROLLED', now - 3 * HOUR);
    await otherOrder.event('PASSWORD_CHANGED', now - 2 * HOUR);
    expect(rulesOf(await otherOrder.pay(now))).toEqual([]);
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE organisation_id = $1 AND transaction_id = $2',
      [house.client.organisationId, hit.transactionId],
    );
    const bundle = await t.app
      .get(ReceiptExportService, { strict: false })
      .createBundle(house.client.organisationId, rows[0]!.id, null);
    expect(verifyBundle(JSON.stringify(bundle)).problems).toEqual([]);
  });

  it('an application that never sent such an event: unknown, not none', async () => {
    const house = await aHouse();
    const customer = aCustomer(house);
    const now = Date.now() - HOUR;
    const before = await customer.pay(now);
    expect(before.notEvaluated).toMatchObject([{ ruleId: 'EVENT-01' }]);
    // Somebody else's events show that both types are sent: now no event of this customer means none.
    const other = aCustomer(house);
    await other.event('PASSWORD_CHANGED', now);
    await other.event('DEVICE_ENROLLED', now);
    const after = await customer.pay(now);
    expect({ reasons: rulesOf(after), notEvaluated: after.notEvaluated }).toEqual({
      reasons: [],
      notEvaluated: [],
    });
  });

  it('an event that arrives after a payment does not count for it, also when it is evaluated again', async () => {
    const house = await aHouse();
    const now = Date.now() - HOUR;
    const customer = aCustomer(house);
    await customer.event('PASSWORD_CHANGED', now - 3 * HOUR);
    await aCustomer(house).event('DEVICE_ENROLLED', now);
    expect(rulesOf(await customer.pay(now))).toEqual([]);
    await customer.event('DEVICE_ENROLLED', now - 2 * HOUR);
    expect(rulesOf(await customer.pay(now + 1_000))).toEqual(['EVENT-01']);
  });

  it('a ruleset without events costs a transaction no statement about them', async () => {
    const reads = await t.app.get(EventWindowQueries).read([
      {
        transaction: {} as never,
        otherKey: null,
        needs: windowNeedsOf(featureSchema),
      },
    ]);
    expect(reads).toBeNull();
  });
});

interface Event {
  readonly type: string;
  readonly at: number;
  readonly seq: number;
  readonly channel: string;
  readonly customer: number | null;
  readonly device: number | null;
  readonly account: number | null;
}

interface History {
  readonly events: readonly Event[];
  readonly own: { readonly at: number; readonly seq: number; readonly other: number | null } & Pick<
    Event,
    'customer' | 'device' | 'account'
  >;
}

const NOW = Date.parse('2026-11-18T12:00:00-03:00');
const TYPES = ['LOGIN', 'LOGIN_FAILED', 'DEVICE_ENROLLED', 'PASSWORD_CHANGED'];
const key = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 });
const moments = fc.oneof(
  fc.integer({ min: -40 * 24, max: 2 }).map((hours) => NOW + hours * HOUR),
  fc.integer({ min: -25 * 3_600, max: 60 }).map((seconds) => NOW + seconds * 1_000),
);
const histories: fc.Arbitrary<History> = fc
  .record({
    events: fc.array(
      fc.record({
        type: fc.constantFrom(...TYPES),
        at: moments,
        seq: fc.integer({ min: 1, max: 20 }),
        channel: fc.constantFrom('', 'WEB', 'MOBILE_APP'),
        customer: key,
        device: key,
        account: key,
      }),
      { maxLength: 10 },
    ),
    own: fc.record({
      at: fc.constant(NOW),
      seq: fc.integer({ min: 1, max: 20 }),
      other: key,
      customer: key,
      device: key,
      account: key,
    }),
  })
  // A second key is of somebody who has a first one, and another.
  .map(({ events, own: { other, ...own } }) => ({
    events,
    own: { ...own, other: own.customer === null || other === own.customer ? null : other },
  }));

type Fact = string | number | boolean | null;

/** The same figures from a list of all events, without a database; null where they are unknown or missing. */
function naively({ events, own }: History): Record<string, Fact> {
  const arrived = events.filter(({ seq }) => seq < own.seq);
  const sent = new Set(arrived.map(({ type }) => type));
  const figure = (
    types: readonly string[],
    by: 'customer' | 'device' | 'account',
    [ms, offset]: readonly [number, number],
    of: (rows: readonly Event[]) => Fact,
  ): Fact => {
    if (own[by] === null || !types.every((type) => sent.has(type))) return null;
    const keys = by === 'customer' ? [own.customer, own.other] : [own[by]];
    const rows = arrived.filter(
      (one) =>
        types.includes(one.type) &&
        one[by] !== null &&
        keys.includes(one[by]) &&
        one.at > own.at - offset - ms &&
        one.at <= own.at - offset,
    );
    return of(rows.toSorted((a, b) => a.at - b.at || a.seq - b.seq));
  };
  const person = (customer: number | null): number | null =>
    customer !== null && customer === own.other ? own.customer : customer;
  const newest = (rows: readonly Event[]): Fact => rows.at(-1)?.at ?? null;
  const count = (rows: readonly Event[]): Fact => rows.length;
  return {
    changes: figure(['PASSWORD_CHANGED', 'DEVICE_ENROLLED'], 'customer', [DAY, 0], count),
    changedAt: figure(['PASSWORD_CHANGED'], 'customer', [7 * DAY, 0], newest),
    enrolledAt: figure(['DEVICE_ENROLLED'], 'customer', [7 * DAY, 0], newest),
    firstLogin: figure(['LOGIN'], 'device', [30 * DAY, 0], (rows) => rows[0]?.channel ?? null),
    people: figure(
      ['LOGIN', 'LOGIN_FAILED'],
      'device',
      [DAY, 0],
      (rows) => new Set(rows.flatMap(({ customer }) => person(customer) ?? [])).size,
    ),
    fromHere: figure(
      ['LOGIN'],
      'account',
      [DAY, HOUR],
      (rows) =>
        rows.filter(
          ({ device, channel }) => own.device !== null && device === own.device && channel === 'WEB',
        ).length,
    ),
  };
}

describe('Against a list of all events', () => {
  const declarations = parseDeclarations({ aggregates: AGGREGATES, parameters: {} });
  const schema = featureSchema.withNames(declarations.features);
  const runs = runsInPart(10_000);
  const seed = Date.now() % 2 ** 31;

  it(`says the same of ${runs} random histories`, async () => {
    expect(declarations.diagnostics).toEqual([]);
    const all = fc.sample(histories, { numRuns: runs, seed });
    let differences = 0;
    let known = 0;
    for (let from = 0; from < all.length; from += 500) {
      const part = all.slice(from, from + 500);
      const facts = await readFacts(part);
      part.forEach((history, i) => {
        const expected = naively(history);
        // A condition of which a part is unknown makes a count a lower bound; the naive one knows nothing of it.
        if (history.own.device === null) delete expected['fromHere'];
        for (const [name, value] of Object.entries(expected)) {
          if (value !== null) known += 1;
          if (facts[i]?.[name] !== value) differences += 1;
        }
      });
    }
    process.stdout.write(
      `event windows, seed ${seed}: ${runs} histories, ${known} known facts, ${differences} differences\n`,
    );
    expect(differences).toBe(0);
    expect(known).toBeGreaterThan(runs / 2);
  });

  /** Stores each history under an organisation of its own, and reads the facts of its transaction. */
  async function readFacts(part: readonly History[]): Promise<Record<string, Fact>[]> {
    const stored = part.map((history) => ({ organisationId: newUuid(), history }));
    const bytes = (kind: string, name: number | null): Buffer | null =>
      name === null ? null : sha256(`${kind} ${name}`);
    // Two events of a history may have one sequence number: then both arrived before the transaction, or neither.
    const rows = stored.flatMap(({ organisationId, history }) =>
      history.events.map((one) => ({ organisationId, ...one })),
    );
    const column = (of: (row: (typeof rows)[number]) => unknown): unknown[] => rows.map(of);
    const hex = (kind: string, name: number | null): string | null => {
      const value = bytes(kind, name);
      return value && `\\x${value.toString('hex')}`;
    };
    await t.owner.query(
      `INSERT INTO kyt_customer_events (id, seq, organisation_id, client_app_id, event_id, type, channel, occurred_at,
         received_at, fingerprint, customer_key, device_key, account_key, sealed_body, request_id, correlation_id, trail_hash)
       SELECT gen_random_uuid(), seq, organisation, organisation, gen_random_uuid(), type, channel, at, at, '', customer,
         device, account, '', '', '', ''
       FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::bytea[], $7::bytea[], $8::bytea[])
         AS s (seq, organisation, type, channel, at, customer, device, account)`,
      [
        column(({ seq }) => seq),
        column(({ organisationId }) => organisationId),
        column(({ type }) => type),
        column(({ channel }) => channel),
        column(({ at }) => new Date(at)),
        column(({ customer }) => hex('customer', customer)),
        column(({ device }) => hex('device', device)),
        column(({ account }) => hex('account', account)),
      ],
    );
    await t.owner.query(
      `INSERT INTO kyt_customer_event_types (client_app_id, type, organisation_id, first_seq)
       SELECT client_app_id, type, organisation_id, min(seq) FROM kyt_customer_events
       WHERE organisation_id = ANY ($1::uuid[]) GROUP BY 1, 2, 3`,
      [stored.map(({ organisationId }) => organisationId)],
    );
    const needs = windowNeedsOf(schema);
    const transactions = stored.map(({ organisationId, history: { own } }) => ({
      organisationId,
      clientAppId: organisationId,
      occurredAt: new Date(own.at),
      receivedAt: new Date(own.at),
      seq: String(own.seq),
      documentKey: null,
      customerKey: bytes('customer', own.customer),
      accountKey: bytes('account', own.account),
      deviceKey: bytes('device', own.device),
      ipKey: null,
      counterpartyKey: null,
      cardKey: null,
      submission: {
        ...{ type: 'PIX_TRANSFER', channel: 'WEB', amount: '1', currency: 'BRL' },
        direction: { value: 'OUT' },
        origin: { country: null },
        destination: { country: null },
      },
    }));
    const others = stored.map(({ history: { own } }) => bytes('customer', own.other));
    const readings = await t.app
      .get(EventWindowQueries)
      .read(transactions.map((transaction, i) => ({ transaction, otherKey: others[i] ?? null, needs })));
    return transactions.map((transaction, i) => {
      const sheet = new FactSheet(schema);
      const current = currentTransactionOf(
        transaction as unknown as DecryptedTransaction,
        others[i] ?? null,
        1,
        new Map(),
      );
      const none = { customer: null, device: null, ip: null, counterparty: null, account: null, card: null };
      setAggregateFacts(sheet, current, {
        logs: { ...none, custom: new Map(), events: readings![i]! },
        details: NO_DETAILS,
        rates: ExchangeRateTable.EMPTY,
        days: new LocalDays(),
      });
      return Object.fromEntries(
        Object.keys(AGGREGATES).map((name) => [
          name,
          sheet.valueAt(schema.getKnown(`aggregate.${name}`)) as Fact,
        ]),
      );
    });
  }
});
