import { expect } from '@jest/globals';
import { toSimulatedTransaction } from '../../src/features/kyt/domain/submission/simulated-event.js';
import {
  toSubmission,
  type SubmittedTransaction,
} from '../../src/features/kyt/domain/submission/submission.js';
import { FactCollector } from '../../src/features/kyt/facts/fact-collector.js';
import { BlindIndex } from '../../src/platform/privacy/index.js';
import {
  brStarter,
  compileRuleset,
  receiptOutlineOf,
  RulesetsService,
} from '../../src/features/rules/index.js';
import type { TestClient } from './api.js';
import type { TestApp } from './app.js';
import { CPF } from './builders.js';
import { eventually } from './eventually.js';

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** A month of customers who share beneficiaries, devices and addresses, with amounts that rules look for. */
function eventsOf(count: number, random: () => number): SubmittedTransaction[] {
  const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const begin = Date.parse('2026-10-20T00:00:00Z');
  const spread = (28 * 86_400_000) / count;
  const customers = Math.max(4, Math.round(count / 40));
  return Array.from({ length: count }, (_, i) => {
    const customer = Math.floor(random() * random() * customers);
    const incoming = random() < 0.3;
    const own = {
      name: 'Maria Exemplo',
      cpfCnpj: CPF.customer,
      accountReference: `own-${customer}`,
      country: 'BR',
    };
    const other = {
      name: 'João Exemplo',
      accountReference: `other-${Math.floor(random() * customers * 3)}`,
      country: 'BR',
    };
    return {
      transactionId: `order-${i}`,
      externalCustomerId: `customer-${customer}`,
      cpfCnpj: CPF.customer,
      type: pick(
        'PIX_TRANSFER',
        'PIX_TRANSFER',
        'PIX_TRANSFER',
        'CARD_PURCHASE',
        'CASH_DEPOSIT',
        'TED_TRANSFER',
      ),
      channel: 'MOBILE_APP',
      amount: pick(9_900, 49_000, 3_000, 15, 1_000.01, (1 + Math.floor(random() * 500_000)) / 100),
      currency: 'BRL',
      // Each at a moment of its own: of two in the same millisecond the first received comes first.
      occurredAt: new Date(begin + Math.floor(i * spread)).toISOString(),
      origin: incoming ? other : own,
      destination: incoming ? own : other,
      metadata: {
        direction: incoming ? 'IN' : 'OUT',
        deviceId: `device-${customer % 7}`,
        ipAddress: `203.0.113.${customer % 11}`,
      },
    };
  });
}

async function deliver(t: TestApp, client: TestClient, events: readonly object[]): Promise<void> {
  const api = t.api.as(client);
  for (let i = 0; i < events.length; i += 500) await api.ingestBatch(events.slice(i, i + 500)).expect(207);
  await eventually(
    'everything is evaluated',
    async () => {
      const { rows } = await t.owner.query('SELECT FROM kyt_work WHERE organisation_id = $1 LIMIT 1', [
        client.organisationId,
      ]);
      return rows.length === 0;
    },
    300_000,
  );
}

// How many cases are open depends on what was judged before, and so on the order of delivery.
const OF_CASES = 'customer.openCases';

interface Judged {
  readonly facts: string;
  readonly score: number;
  readonly hits: readonly string[];
}

/** Returns a judgement of each event now that everything was received. */
async function judged(
  t: TestApp,
  { organisationId, id: clientAppId }: TestClient,
  events: readonly SubmittedTransaction[],
): Promise<Map<string, Judged>> {
  const { rows } = await t.owner.query<{ transaction_id: string; seq: string }>(
    'SELECT transaction_id, seq FROM kyt_transactions WHERE organisation_id = $1',
    [organisationId],
  );
  const seqs = new Map(rows.map((row) => [row.transaction_id, row.seq]));
  expect(seqs.size).toBe(events.length);
  const compilation = compileRuleset(brStarter);
  if (!compilation.ok) throw new Error('br-starter does not compile');
  const index = t.app.get(BlindIndex);
  const finder = t.app.get(FactCollector, { strict: false });
  const found = new Map<string, Judged>();
  for (let i = 0; i < events.length; i += 100) {
    const batch = events.slice(i, i + 100).map((body) =>
      toSimulatedTransaction(index, {
        ...{ organisationId, clientAppId, body },
        receivedAt: toSubmission(body, 0).occurredAt,
        seq: seqs.get(body.transactionId) ?? '0',
      }),
    );
    const evidence = await finder.collectForDryRun(batch);
    evidence.forEach((one, n) => {
      const { score, hits } = receiptOutlineOf(one, compilation.ruleset, true);
      const facts = one.sheet.schema.features
        .filter(({ name }) => name !== OF_CASES)
        .map((feature) => [feature.name, one.sheet.factAt(feature)]);
      found.set(batch[n]!.transactionId, { facts: JSON.stringify(facts), score, hits });
    });
  }
  return found;
}

/**
 * Delivers the same events to two organisations: in order to one, shuffled and one in ten more than once to the other.
 * Both must know the same about each, and the one in order must have known it at once.
 */
export async function expectOrderNotToMatter(t: TestApp, count: number): Promise<void> {
  const random = seeded(20_261_120);
  const events = eventsOf(count, random);
  const again = events.filter(() => random() < 0.1);
  const [ordered, mixed] = [await t.client({ rules: false }), await t.client({ rules: false })];
  for (const { organisationId } of [ordered, mixed]) {
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  }
  await deliver(t, ordered, events);
  await deliver(t, mixed, shuffled([...events, ...again], random));
  const [one, other] = [await judged(t, ordered, events), await judged(t, mixed, events)];
  const differing = [...one].filter(([id, own]) => {
    const theirs = other.get(id);
    return theirs?.facts !== own.facts || theirs.score !== own.score;
  });
  expect(differing.map(([id]) => id)).toEqual([]);
  const { rows } = await t.owner.query<{ transaction_id: string; risk_score: number }>(
    `SELECT t.transaction_id, e.risk_score FROM kyt_transactions t
     JOIN kyt_evaluations e ON e.transaction_ref = t.id AND e.evaluation_version = 1 WHERE t.organisation_id = $1`,
    [ordered.organisationId],
  );
  expect(rows.filter((row) => one.get(row.transaction_id)?.score !== row.risk_score)).toEqual([]);
  // The events are such that there is something to get wrong.
  expect([...one.values()].filter(({ hits }) => hits.length > 0).length).toBeGreaterThan(count / 20);
}
