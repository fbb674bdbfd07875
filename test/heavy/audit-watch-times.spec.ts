import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CHAIN_START, composeEntry, systemActor } from '../../src/features/audit/index.js';
import { RollbackGuard } from '../../src/features/audit/jobs/rollback-guard.js';
import { ListImporterService, ScreeningListsService } from '../../src/features/screening/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { figure } from '../support/figure.js';
import { behindItsBack } from '../support/tamper.js';

/** As long as a person may wait for health to tell of a fault. */
const SECONDS = 10;

let t: TestApp;
let client: TestClient;
let auditor: TestApi;

interface Health {
  readonly status: string;
  readonly sealedLate: number;
  readonly rolledBack: boolean;
  readonly subjects: readonly { readonly subject: string }[];
}

const health = async (): Promise<Health> => {
  const { body } = await auditor.get('/operator/audit/health').expect(200);
  return (body as { data: Health }).data;
};

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  const { organisationId } = client;
  auditor = t.api.asOperator(await t.operator({ roles: ['AUDITOR'], organisationId }));
  const ctx = systemActor(organisationId, 'test');
  const list = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key: 'sanctions', name: 'Sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' });
  const importer = t.app.get(ListImporterService);
  const snapshot = await importer.startImport(ctx, list, null);
  const file = 'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n';
  const main = Readable.from([Buffer.from(file)]);
  await importer.runImport(ctx, list, snapshot.id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  const body = aTransaction();
  await t.api.as(client).ingest(body).expect(202);
  await t.api.as(client).settled(body.transactionId);
  await t.app.get(RollbackGuard).anchor();
}, 120_000);
afterAll(() => t.close());

const list = (from: string, to: string): Promise<void> =>
  behindItsBack(t, 'screening_entries', `UPDATE screening_entries SET content = replace(content, $1, $2)`, [
    from,
    to,
  ]);
const trigger = (state: 'DISABLE' | 'ENABLE'): Promise<unknown> =>
  t.owner.query(`ALTER TABLE reviews ${state} TRIGGER reviews_bound_update`);

/** An entry about a delivery that nobody has heard of, kept from its seal. */
async function unsealed(): Promise<void> {
  const { organisationId } = client;
  const [id, occurredAt] = [randomUUID(), new Date()];
  const { canonical } = composeEntry(
    {
      subject: { organisationId, type: 'delivery', id },
      action: 'delivery.retried',
      actor: { type: 'system', id: 'nobody' },
      requestId: null,
      correlationId: null,
      occurredAt,
      content: {},
    },
    CHAIN_START,
  );
  await behindItsBack(
    t,
    'audit_entries',
    `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical, recorded_at)
     VALUES ($1, 'delivery', $2, 1, 'delivery.retried', $3, $4)`,
    [organisationId, id, canonical, occurredAt],
  );
}

/** Leaves the log telling of a finding that is not there. */
async function wiped(): Promise<void> {
  await list('Anacleto', 'Somebody');
  await eventually('the list is found', async () => (await health()).status === 'RED', 120_000);
  await list('Somebody', 'Anacleto');
  await t.owner.query('DELETE FROM audit_findings');
}

/** The rulesets as they were; a table of them would be another difference. */
let kept: readonly { readonly id: string; readonly hash: Buffer }[] = [];

const faults: readonly (readonly [
  name: string,
  make: () => Promise<unknown>,
  back: (() => Promise<unknown>) | null,
])[] = [
  ['a trigger disabled', () => trigger('DISABLE'), () => trigger('ENABLE')],
  ['a list entry changed', () => list('Anacleto', 'Somebody'), () => list('Somebody', 'Anacleto')],
  [
    'a ruleset changed',
    () => behindItsBack(t, 'rulesets', `UPDATE rulesets SET content_hash = sha256('x')`, []),
    async () => {
      for (const { id, hash } of kept) {
        await behindItsBack(t, 'rulesets', 'UPDATE rulesets SET content_hash = $2 WHERE id = $1', [id, hash]);
      }
    },
  ],
  ['an unsealed entry', unsealed, null],
  ['findings wiped', wiped, null],
  [
    'a log rolled back',
    () =>
      t.owner.query('UPDATE audit_logs SET size = size - 1 WHERE organisation_id = $1', [
        client.organisationId,
      ]),
    null,
  ],
];

it(`health turns red within ${SECONDS} seconds of each fault`, async () => {
  kept = (await t.owner.query<{ id: string; hash: Buffer }>('SELECT id, content_hash AS hash FROM rulesets'))
    .rows;
  const took: Record<string, number> = {};
  for (const [name, make, back] of faults) {
    const late = (await health()).sealedLate;
    await make();
    const begunAt = performance.now();
    await eventually(
      `health tells of ${name}`,
      async () => {
        const found = await health();
        if (found.status !== 'RED') return false;
        // Health may be red for the fault before this one.
        if (name === 'an unsealed entry') return found.sealedLate > late;
        if (name === 'a log rolled back') return found.rolledBack;
        return (
          name !== 'findings wiped' || found.subjects.some(({ subject }) => subject.startsWith('audit_log:'))
        );
      },
      120_000,
    );
    took[name] = (performance.now() - begunAt) / 1_000;
    figure(`${name}: health is red after ${took[name].toFixed(1)} s`);
    await back?.();
    if (back) await eventually('green', async () => (await health()).status === 'GREEN', 120_000);
  }
  expect(Object.keys(took).filter((name) => took[name]! > SECONDS)).toEqual([]);
}, 900_000);
