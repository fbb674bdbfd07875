import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { newUuid } from '../../src/platform/kernel/index.js';
import { CaseHistoryQueries } from '../../src/features/kyt/store/case-history.queries.js';
import { VelocityReader } from '../../src/features/kyt/facts/windows/velocity-reader.js';
import {
  builtInFacts,
  compareBeyondCap,
  compareHotKeys,
  compareSimulated,
  compareStored,
  oneKeyBatches,
  storeHistory,
  targetOf,
} from '../support/aggregate-runs.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { histories, NOON } from '../support/aggregates.js';
import { aTransaction } from '../support/builders.js';
import { rowsReadBy } from '../support/statement-count.js';
import { again, later, runsInPart } from '../support/needs.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

describe('Aggregates over stored transactions', () => {
  const reader = (): VelocityReader => t.app.get(VelocityReader, { strict: false });

  again(
    'are what a plain recomputation says: ties, late arrivals, currencies, outcomes, custom fields',
    async () => {
      const count = runsInPart(1_000);
      expect(await compareStored(t, reader(), { count, each: 20 })).toBeGreaterThan(2.5 * count);
    },
  );

  it('know that a transaction came late by one of the same moment as the newest that is read with it', async () => {
    const [made = []] = fc.sample(histories({ min: 3, max: 3 }), { numRuns: 1, seed: 1 });
    const moments = [NOON + 60_000, NOON + 60_000, NOON];
    const organisationId = newUuid();
    const [newest, beside, late] = await storeHistory(
      t,
      organisationId,
      made.map((one, i) => ({ ...one, ip: 'i0', occurredAt: moments[i]! })),
    );
    expect(beside!.seq).toBeLessThan(late!.seq);
    const found = await builtInFacts(reader(), organisationId, [newest!, late!].map(targetOf));
    expect(found.map(({ cameLate }) => cameLate)).toEqual([false, true]);
  });

  later('are bounds, or unknown, where a key has more rows than windows look at', async () => {
    expect(await compareBeyondCap(t, reader(), 100)).toBeGreaterThan(100);
  });

  later('are the same in a batch of a hot key, whose rows the transactions of the batch share', async () => {
    expect(await compareHotKeys(t, reader(), 3_000, 4)).toBeGreaterThan(100);
  });

  again('are the same in a simulation, whose history is its file', async () => {
    const count = runsInPart(500);
    expect(await compareSimulated(count, 10)).toBeGreaterThan(count);
  });
});

describe('A batch of one customer and one payee', () => {
  const reader = (): VelocityReader => t.app.get(VelocityReader, { strict: false });
  const ROWS = 2_600;
  const newest = Array.from({ length: 200 }, (_, i) => ROWS - 1 - i);
  // Each row once as one of the customer, once as one of the payee; the first row shows since when there are any.
  const MOST = 2 * ROWS + 5;

  later('reads each row of the key once, in one statement, whichever transactions it is of', async () => {
    const read = await oneKeyBatches(t, reader(), ROWS);
    const scattered = Array.from({ length: 130 }, (_, i) => 20 * i);
    for (const places of [newest, scattered]) {
      const { statements, rows } = await rowsReadBy(t, 'kyt_velocity_', () => read(places));
      expect(statements).toEqual(['kyt.velocity']);
      expect(rows).toBeLessThanOrEqual(MOST);
      expect(rows).toBeGreaterThan(2_000);
    }
  });

  it('reads what a statement had no time for in halves, and finds the same', async () => {
    const read = await oneKeyBatches(t, reader(), 60, (i) => (i % 3 === 0 ? { document: `d${i % 2}` } : {}));
    const places = Array.from({ length: 20 }, (_, i) => 3 * i);
    const whole = await read(places);
    // Not even the first row of a batch is in time, but a transaction alone is read whole.
    const limited = jest.replaceProperty(reader(), 'mostMs', 0);
    const { statements } = await rowsReadBy(t, 'kyt_velocity_', async () => {
      expect(await read(places)).toEqual(whole);
    });
    limited.restore();
    expect(statements).toHaveLength(2 * places.length - 1);
  });

  later('does so if each transaction names the customer by another id of the institution', async () => {
    const read = await oneKeyBatches(t, reader(), ROWS, (i) => ({ external: `e${i}` }));
    const { rows } = await rowsReadBy(t, 'kyt_velocity_', () => read(newest));
    expect(rows).toBeLessThanOrEqual(MOST);
  });

  later('reads the rows of a payee once for customers who are known for long and never paid it', async () => {
    const old = { occurredAt: NOON - 200 * 86_400_000, counterparty: 'p1' };
    const read = await oneKeyBatches(t, reader(), ROWS, (i) => {
      const document = `known${i % 200}`;
      return i < 200 ? { document, ...old } : i < ROWS - 200 ? {} : { document };
    });
    const { statements, rows } = await rowsReadBy(t, 'kyt_velocity_', () => read(newest));
    expect(statements).toEqual(['kyt.velocity']);
    expect(rows).toBeLessThanOrEqual(MOST);
    expect(rows).toBeGreaterThan(2_000);
    const facts = await read(newest);
    // More than the newest 2,000 rows of the payee would have to be looked through.
    expect(facts.map((one) => one.facts['counterparty.seenBefore'])).toEqual(
      newest.map(() => 'HISTORY_BEYOND_CAP'),
    );
  });
});

describe('A batch of one customer with many alerts', () => {
  const ALERTS = 300;
  const ASKED = 150;

  it('reads the cases once, and gives each transaction the facts that it has alone', async () => {
    const client = await t.client();
    const { organisationId } = client;
    const first = aTransaction();
    await t.api.as(client).ingest(first).expect(202);
    await t.api.as(client).settled(first.transactionId);
    const { rows: customers } = await t.owner.query<{ id: string }>(
      'SELECT id FROM customers WHERE organisation_id = $1',
      [organisationId],
    );
    const customerId = customers[0]?.id ?? '';
    const reviewId = newUuid();
    const { rows: stored } = await t.owner.query<{ id: string; at: Date }>(
      `INSERT INTO kyt_transactions (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount,
         currency, direction, direction_source, occurred_at, received_at, fingerprint, sealed_body, request_id,
         correlation_id, trail_hash, cash)
       SELECT gen_random_uuid(), $1, $1, n::text, 'INGEST', 'PIX_TRANSFER', 'API', 1, 'BRL', 'OUT', 'METADATA',
         date_trunc('milliseconds', now()) - make_interval(hours => n * 3), now(), '', '', '', '', '', false
       FROM generate_series(1, $2::int) AS n RETURNING id, occurred_at AS at`,
      [organisationId, ALERTS],
    );
    await t.owner.query(
      `INSERT INTO reviews (id, organisation_id, customer_id, kind, priority, queue, opened_by, opened_at,
         selection_deadline, analysis_deadline, due_at, updated_at, trail_hash, theme)
       VALUES ($2, $1, $3, 'SCORE', 2, 'alerts', 'test', now(), now(), now(), now(), now(), '', 'FRAUD')`,
      [organisationId, reviewId, customerId],
    );
    await t.owner.query(
      `INSERT INTO review_transactions (organisation_id, review_id, transaction_ref, evaluation_version, origin, points, rules)
       SELECT $1, $2, s.id, 1, 'OPERATOR', 1, '{R1}' FROM unnest($3::uuid[]) AS s (id)`,
      [organisationId, reviewId, stored.map(({ id }) => id)],
    );
    const asked = stored.slice(0, ASKED).map(({ id, at }) => ({
      ...{ organisationId, customerId },
      ...{ transactionRef: id, occurredAt: at },
    }));
    const cases = t.app.get(CaseHistoryQueries, { strict: false });
    const together = await cases.readCustomerHistories(asked);
    for (const one of asked.filter((_, i) => i % 10 === 0)) {
      const alone = await cases.readCustomerHistories([one]);
      expect(together.get(one.transactionRef)).toEqual(alone.get(one.transactionRef));
    }
    // The newest has those of 30 days before it, three hours apart.
    expect(together.get(asked[0]!.transactionRef)).toMatchObject({
      ...{ openCases: 1, confirmedFraud: false },
      ...{ points7d: 55, points30d: 239 },
    });
    const { statements, handled } = await rowsReadBy(t, 'review_transactions', () =>
      cases.readCustomerHistories(asked),
    );
    expect(statements).toEqual(['kyt-case-history']);
    expect(handled).toBeLessThan(20 * (ALERTS + ASKED));
  });
});
