import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AuditTrail,
  CHAIN_START,
  composeEntry,
  type AuditDraft,
  type ComposedEntry,
} from '../../src/features/audit/index.js';
import { TrailSweepService } from '../../src/features/audit/jobs/trail-sweep.service.js';
import { PersonAccessRecorder } from '../../src/features/audit/watch/person-access-recorder.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { newUuid, publicId } from '../../src/platform/kernel/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { figure } from '../support/figure.js';

/** Subjects that the background check goes through: 1,000,000 for the figures of record. */
const SUBJECTS = Number(process.env['AUDIT_SUBJECTS'] ?? 5_000);
/** Transactions of one round of a comparison: 5,000 for the figures of record. */
const ROUND = Number(process.env['AUDIT_ROUND'] ?? 500);
const IS_OF_RECORD = SUBJECTS >= 1_000_000;
/** The default of AUDIT_SWEEP_PER_SECOND. */
const PACE = 20;
const ROUNDS = 3;

let t: TestApp;
let client: TestClient;
let officer: TestApi;

beforeAll(async () => {
  t = await startTestApp({ settings: { databasePoolSize: 16 } });
  client = await t.client();
  const { organisationId } = client;
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
}, 120_000);
afterAll(() => t.close());

const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[of.length >> 1] ?? NaN;

const allSealed = (): Promise<boolean> =>
  eventually(
    'everything is evaluated and sealed',
    async () => {
      const { rows } = await t.owner.query<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT FROM kyt_work) OR EXISTS (SELECT FROM audit_pending) AS waiting`,
      );
      return rows[0]?.waiting === false;
    },
    3_600_000,
  );

/** Transactions a second, from the call until everything is sealed; each is of a customer whom nobody knows. */
async function rate(people: () => Record<string, unknown>): Promise<number> {
  const begunAt = performance.now();
  const items = Array.from({ length: ROUND }, () => aTransaction(people()));
  for (let at = 0; at < ROUND; at += 250) {
    await t.api
      .as(client)
      .ingestBatch(items.slice(at, at + 250))
      .expect(207);
  }
  await allSealed();
  return (ROUND * 1_000) / (performance.now() - begunAt);
}

/** The same measured with and without something, in turns, so that both have the same neighbours; the share of the former. */
async function paired(
  measure: () => Promise<number>,
  set: (isOn: boolean) => Promise<void>,
): Promise<{ on: number; off: number; share: number }> {
  const found = { on: [] as number[], off: [] as number[] };
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const isOn = round % 2 === 0;
    await set(isOn);
    found[isOn ? 'on' : 'off'].push(await measure());
  }
  await set(true);
  const [on, off] = [median(found.on), median(found.off)];
  return { on, off, share: on / off };
}

async function bindings(isOn: boolean, names = '_bound_'): Promise<void> {
  const { rows } = await t.owner.query<{ name: string; of: string }>(
    `SELECT tgname AS name, tgrelid::regclass::text AS of FROM pg_trigger
     WHERE strpos(tgname, $1) > 0 AND NOT tgisinternal`,
    [names],
  );
  for (const { name, of } of rows) {
    await t.owner.query(`ALTER TABLE ${of} ${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
  }
}

describe(`the background check of ${SUBJECTS} subjects`, () => {
  beforeAll(async () => {
    const { organisationId } = client;
    for (let left = SUBJECTS; left > 0; left -= 5_000) {
      const entries = Array.from({ length: Math.min(5_000, left) }, (): ComposedEntry => {
        const draft: AuditDraft = {
          subject: { organisationId, type: 'dossier', id: newUuid() },
          action: 'dossier.exported',
          actor: { type: 'system', id: 'heavy' },
          requestId: null,
          correlationId: null,
          occurredAt: new Date(),
          content: { about: 'metrics', format: 'json' },
        };
        return composeEntry(draft, CHAIN_START);
      });
      await t.app.get(UnitOfWork).run(organisationId, (tx) => t.app.get(AuditTrail).append(tx, entries));
    }
    await allSealed();
  }, 7_200_000);

  it('goes through all of them, and takes less than a twentieth of the time at its pace', async () => {
    const sweep = t.app.get(TrailSweepService);
    const begunAt = performance.now();
    let judged = 0;
    const isOver = async (): Promise<boolean> => {
      const { rows } = await t.owner.query(
        'SELECT 1 FROM audit_sweeps WHERE organisation_id = $1 AND cycle_finished_at IS NOT NULL',
        [client.organisationId],
      );
      return rows.length > 0;
    };
    while (!(await isOver())) judged += await sweep.step();
    const perSecond = (judged * 1_000) / (performance.now() - begunAt);
    figure(
      `background check: ${judged} subjects, ${perSecond.toFixed(0)}/s at full speed; at ${PACE}/s it works ` +
        `${((100 * PACE) / perSecond).toFixed(2)} % of the time, a million take ${(1_000_000 / PACE / 3_600).toFixed(1)} h`,
    );
    expect(judged).toBeGreaterThanOrEqual(SUBJECTS);
    if (IS_OF_RECORD) expect(PACE / perSecond).toBeLessThan(0.05);
  }, 7_200_000);

  it('beside the ingest', async () => {
    const sweep = t.app.get(TrailSweepService);
    let beside: { stop: boolean; done: Promise<void> } | null = null;
    const { on, off, share } = await paired(
      () => rate(() => ({})),
      async (isOn) => {
        if (beside) beside.stop = true;
        await beside?.done;
        beside = null;
        if (!isOn) return;
        const run = { stop: false, done: Promise.resolve() };
        run.done = (async () => {
          while (!run.stop) {
            await t.owner.query('UPDATE audit_sweeps SET due_at = now()');
            const judged = await sweep.step();
            await new Promise((next) => setTimeout(next, Math.min(1_000, (judged * 1_000) / PACE)));
          }
        })();
        beside = run;
      },
    );
    (beside as { stop: boolean } | null)!.stop = true;
    figure(`ingest beside the check ${on.toFixed(0)}/s, without ${off.toFixed(0)}/s: ${share.toFixed(2)}`);
    if (IS_OF_RECORD) expect(share).toBeGreaterThanOrEqual(0.95);
    expect(share).toBeGreaterThan(0);
  }, 3_600_000);
});

describe('what binding costs', () => {
  it.each([
    ['known customers', () => ({ externalCustomerId: `known-${Math.floor(Math.random() * 50)}` })],
    ['customers of whom each is new', () => ({ externalCustomerId: newUuid(), cpfCnpj: cpfOf(newUuid()) })],
  ])(
    'the ingest of %s',
    async (name, people) => {
      const { on, off, share } = await paired(() => rate(people), bindings);
      figure(`${name}: bound ${on.toFixed(0)}/s, not bound ${off.toFixed(0)}/s: ${share.toFixed(2)}`);
      if (ROUND >= 5_000) expect(share).toBeGreaterThanOrEqual(0.95);
      expect(share).toBeGreaterThan(0);
    },
    3_600_000,
  );

  it('looking at the rows before each change of a customer', async () => {
    const { organisationId } = client;
    const changes = async (): Promise<number> => {
      const begunAt = performance.now();
      const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM customers LIMIT 200');
      for (const { id } of rows) {
        await t.app
          .get(UnitOfWork)
          .run(organisationId, (tx) =>
            tx.query(`UPDATE customers SET named = NOT named WHERE id = $1`, [id]).then(() => {
              throw new Undone();
            }),
          )
          .catch((error: unknown) => {
            if (!(error instanceof Undone)) throw error;
          });
      }
      return (performance.now() - begunAt) / rows.length;
    };
    const { on, off } = await paired(changes, (isOn) => bindings(isOn, '_bound_begin_'));
    figure(
      `one change of a customer: ${on.toFixed(2)} ms with the look before it, ${off.toFixed(2)} ms without`,
    );
    expect(on).toBeGreaterThan(0);
  }, 600_000);
});

describe('what it costs to write down who reads', () => {
  it('a customer that is opened again and again', async () => {
    const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM customers LIMIT 50');
    const reads = t.app.get(PersonAccessRecorder);
    const note = reads.record.bind(reads);
    const open = async (): Promise<number> => {
      const took: number[] = [];
      for (const { id } of rows) {
        const begunAt = performance.now();
        await officer.get(`/operator/customers/${publicId('cus', id)}`).expect(200);
        took.push(performance.now() - begunAt);
      }
      return median(took);
    };
    const first = await open();
    const { on, off, share } = await paired(open, (isOn) => {
      reads.record = isOn ? note : () => Promise.resolve();
      return Promise.resolve();
    });
    figure(
      `a customer's page: ${first.toFixed(1)} ms when it is opened first in an hour, then ${on.toFixed(1)} ms; ` +
        `${off.toFixed(1)} ms without: ${share.toFixed(2)}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    if (IS_OF_RECORD) expect(share).toBeLessThan(1.05);
  }, 600_000);
});

class Undone extends Error {}
