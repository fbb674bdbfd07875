import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiProcess } from '../support/api-process.js';
import type { TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { scopes } from '../../src/platform/http/index.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { ingestTimes, p99 } from '../support/ingest-times.js';
import { figure } from '../support/figure.js';
import { median } from '../support/timing.js';

const PER_SECOND = Number(process.env['VIGIA_INGEST_PER_SECOND'] ?? 50);
const SECONDS = Number(process.env['VIGIA_SECONDS'] ?? 8);
const ROUNDS = Number(process.env['VIGIA_ROUNDS'] ?? 5);
const EXPORT_SECONDS = 60;
// One tenant has more callers than it has places anywhere.
const CALLERS = 24;
/** Some of its routes, to find out which of them costs others something. */
const ONLY = (process.env['VIGIA_ROUTES'] ?? '').split(',').filter((name) => name !== '');

let t: TestApp;
/** As docker-compose.yml runs them: who answers, and who works. */
let service: ApiProcess;
let worker: ApiProcess;
let victim: { client: TestClient; officer: TestOperator };
let hostile: { client: TestClient; officer: TestOperator; link: string };
let photo: Buffer;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  const [mine, theirs] = [await t.client(), await t.client({ perSecond: 100_000, burst: 100_000, scopes })];
  const officerOf = ({ organisationId }: TestClient): Promise<TestOperator> =>
    t.operator({ roles: ['COMPLIANCE_OFFICER', 'AUDITOR'], organisationId });
  victim = { client: mine, officer: await officerOf(mine) };
  photo = await aPicture(1_600, 1_200, 7).jpeg().toBuffer();
  // The limits that whoever runs this machine would set: it takes some hundred calls a second in all.
  await t.owner.query(
    `INSERT INTO organisation_quotas (name, organisation_id, value)
     VALUES ('requestsPerSecond', $1, 20), ('uploadsInFlight', $1, 4)`,
    [theirs.organisationId],
  );
  service = await ApiProcess.start(t, { ROLE: 'api', RATE_LIMIT_PUBLIC_PER_MINUTE: '100000' });
  worker = await ApiProcess.start(t, { ROLE: 'worker' });
  const officer = await officerOf(theirs);
  const session = await t.api
    .asOperator(officer)
    .post('/operator/kyc-sessions')
    .send({ flowKey: 'onboarding-pf' })
    .expect(201);
  hostile = {
    ...{ client: theirs, officer },
    link: (session.body as { data: { sessionId: string } }).data.sessionId,
  };
}, 180_000);

afterAll(async () => {
  await worker.stop();
  await service.stop();
  await t.close();
});

type Statuses = Record<string, Record<string, number>>;
const statuses: Statuses = {};

/** Every route of a tenant that costs, as fast as its callers can, from a process of its own. */
async function attack(): Promise<{ stop: () => Promise<void> }> {
  await jobsAtOnce(1);
  const child = fork(path.resolve(import.meta.dirname, '../scan/noisy-neighbour.mjs'), [], { execArgv: [] });
  // An attacker has a machine of their own: the work of the attack itself is not what is measured.
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  child.send({
    url: service.url,
    app: hostile.client,
    token: hostile.officer.token,
    link: hostile.link,
    photo: photo.toString('base64'),
    callers: CALLERS,
    only: ONLY,
  });
  await sleep(500);
  return {
    stop: async () => {
      const ended = once(child, 'exit');
      child.send('stop');
      const [counted] = (await once(child, 'message')) as [Statuses];
      for (const [what, of] of Object.entries(counted)) {
        const sum = (statuses[what] ??= {});
        for (const [status, count] of Object.entries(of)) sum[status] = (sum[status] ?? 0) + count;
      }
      await ended;
    },
  };
}

/** How many long jobs of the attacker may run at a time. */
async function jobsAtOnce(count: 0 | 1): Promise<void> {
  await t.owner.query(
    `INSERT INTO organisation_quotas (name, organisation_id, value)
     VALUES ('exportsAtOnce', $1, $2), ('backtestsAtOnce', $1, $2)
     ON CONFLICT (name, organisation_id) DO UPDATE SET value = excluded.value`,
    [hostile.client.organisationId, count],
  );
}

/** The attack leaves hours of work that waits its turn: it waits until the next one, so that alone is alone. */
async function quiet(): Promise<void> {
  await jobsAtOnce(0);
  await eventually(
    'nothing is under way',
    async () => {
      const { rows } = await t.owner.query(
        `SELECT ((SELECT count(*) FROM kyt_work) + (SELECT count(*) FROM audit_pending)
          + (SELECT count(*) FROM audit_exports WHERE status = 'RUNNING')
          + (SELECT count(*) FROM backtests WHERE status = 'RUNNING'))::int AS n`,
      );
      return (rows[0] as { n: number }).n === 0;
    },
    120_000,
  );
}

/** Seconds until an export of the victim is under way. */
async function exportStarts(): Promise<number> {
  const from = performance.now();
  const asked = await fetch(`${service.url}/operator/audit/exports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${victim.officer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'The yearly report of the auditors.', auditReady: false }),
  });
  expect(asked.status).toBe(202);
  await eventually(
    'the export of the victim is started',
    async () => {
      const { rows } = await t.owner.query(
        `SELECT count(*)::int AS n FROM audit_exports WHERE organisation_id = $1 AND started_at IS NULL`,
        [victim.client.organisationId],
      );
      return (rows[0] as { n: number }).n === 0;
    },
    10 * EXPORT_SECONDS * 1_000,
  );
  return (performance.now() - from) / 1_000;
}

it(
  'a tenant that does everything at once leaves the ingest of another as it was, and its exports start',
  async () => {
    const times = (): Promise<number[]> =>
      ingestTimes({ url: service.url, client: victim.client, perSecond: PER_SECOND, seconds: SECONDS });
    await times(); // warm
    const alone: number[] = [];
    const beside: number[] = [];
    const starts: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await quiet();
      alone.push(p99(await times()));
      const attacking = await attack();
      const [measured, started] = await Promise.all([times(), exportStarts()]);
      beside.push(p99(measured));
      starts.push(started);
      await attacking.stop();
    }
    const factor = median(beside) / median(alone);
    figure(
      `victim's ingest p99 at ${PER_SECOND}/s: ${median(alone).toFixed(1)} ms alone, ${median(beside).toFixed(1)} ms beside ` +
        `(factor ${factor.toFixed(2)}; rounds ${alone.map((ms, i) => `${ms.toFixed(0)}/${beside[i]?.toFixed(0)}`).join(' ')}); ` +
        `exports start after ${starts.map((s) => s.toFixed(1)).join(', ')} s; the attack got ${JSON.stringify(statuses)}`,
    );
    expect(Math.max(...starts)).toBeLessThan(EXPORT_SECONDS);
    expect(statuses['endpoint']?.[201] ?? 0).toBeLessThanOrEqual(20);
    expect(statuses['wrong']?.[429] ?? 0).toBeGreaterThan(0);
    expect(factor).toBeLessThan(1.5);
  },
  30 * 60_000,
);
