import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { ApprovalsService } from '../../src/features/approvals/index.js';
import { AuditTrail } from '../../src/features/audit/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { required, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { ApiProcess } from '../support/api-process.js';
import type { TestApi, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, type AskedApproval } from '../support/approvals.js';
import { eventually } from '../support/eventually.js';
import { bindAnew } from '../support/tamper.js';

const WHY = 'Agreed in the meeting of the committee.';

/** Asks and looks; the processes that die are beside it. */
let t: TestApp;
let organisationId: string;
let maker: TestApi;
let checker: TestApi;
let second: TestOperator;
/** Holds a row, so that an effect stands still in the middle of its commit. */
let holder: pg.Client;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  ({ organisationId } = await t.client({ rules: false }));
  const officer = (): Promise<TestOperator> => t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  maker = t.api.asOperator(await officer());
  second = await officer();
  checker = t.api.asOperator(second);
  holder = new pg.Client({ connectionString: t.database.ownerUrl });
  await holder.connect();
});

afterAll(async () => {
  await holder.end();
  await t.close();
});

/** Holds the row that the statement names while a process comes to it and is killed there. */
async function killedAt(held: string, id: string, start: () => Promise<ApiProcess>): Promise<void> {
  await holder.query('BEGIN');
  await holder.query(held, [id]);
  const process = await start();
  await eventually('the process waits for the row', async () => {
    const { rows } = await t.owner.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await process.kill();
  await eventually('the database has noticed', async () => {
    await holder.query('ROLLBACK');
    const { rows } = await t.owner.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
    );
    return rows.length === 0;
  });
}

async function standing(of: readonly AskedApproval[]): Promise<string[]> {
  const { rows } = await t.owner.query<{ status: string }>(
    `SELECT status FROM approvals WHERE id = ANY ($1) ORDER BY id`,
    [of.map(({ id }) => uuidOf('apr', id))],
  );
  return rows.map(({ status }) => status);
}

async function stepsOf(subject: string, action: string): Promise<number> {
  const { rows } = await t.owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM audit_entries WHERE subject_id = $1 AND action = $2`,
    [subject, action],
  );
  return required(rows[0], 'a count').count;
}

it('a worker that dies between the approval and its effect: the effect comes about exactly once', async () => {
  const customers = await Promise.all(
    [0, 1, 2, 3, 4].map(async (i) => {
      const [found] = await t.app.get(CustomerIdentificationService).identify([
        {
          organisationId,
          clientAppId: null,
          externalCustomerId: `to-erase-${i}`,
          taxId: null,
          name: null,
          birthDate: null,
          by: 'SESSION',
          requestId: null,
          correlationId: 'killed',
          traceparent: null,
        },
      ]);
      return required(found, 'a customer').customerId;
    }),
  );
  const asked: AskedApproval[] = [];
  for (const id of customers) {
    const path = `/operator/customers/${publicId('cus', id)}/erase`;
    asked.push(await approve(checker, await maker.post(path).send({ reason: WHY }).expect(202)));
  }
  await t.owner.query(
    `UPDATE approvals SET decided_at = decided_at - interval '73 hours', effective_at = effective_at - interval '73 hours'
     WHERE organisation_id = $1 AND status = 'APPROVED'`,
    [organisationId],
  );
  for (const { id } of asked) await bindAnew(t, 'approval', uuidOf('apr', id) ?? '');
  const third = required(customers[2], 'a customer');
  await killedAt('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', third, () =>
    ApiProcess.start(t, { ROLE: 'worker' }),
  );
  expect(await standing(asked)).toEqual(['APPLIED', 'APPLIED', 'APPROVED', 'APPROVED', 'APPROVED']);
  expect(await stepsOf(third, 'customer.erased')).toBe(0);

  // Another worker goes on, and this process beside it.
  const next = await ApiProcess.start(t, { ROLE: 'worker' });
  await eventually('all are erased', async () => {
    await t.app.get(ApprovalsService).sweep();
    return (await standing(asked)).every((status) => status === 'APPLIED');
  });
  await next.stop();
  for (const [i, id] of customers.entries()) {
    const request = uuidOf('apr', asked[i]?.id ?? '') ?? '';
    expect([await stepsOf(id, 'customer.erased'), await stepsOf(request, 'approval.applied')]).toEqual([
      1, 1,
    ]);
    const trail = { organisationId, type: 'approval', id: request } as const;
    expect((await t.app.get(AuditTrail).trailStatus(trail)).status).toBe('COMPLETE');
  }
});

it('a process that dies while somebody approves: nothing has happened, and approving again has one effect', async () => {
  const body = { key: 'killed', name: 'UN', kind: 'SANCTIONS', format: 'HOUSE_CSV' };
  const { id: list } = askedIn(await maker.post('/operator/lists').send(body).expect(201));
  const change = { reason: WHY, staleAfterDays: 90 };
  const asked = askedIn(await maker.post(`/operator/lists/${list}/changes`).send(change).expect(202));
  const row = uuidOf('lst', list) ?? '';
  let answer: Promise<number> | undefined;
  await killedAt('SELECT 1 FROM screening_lists WHERE id = $1 FOR UPDATE', row, async () => {
    const process = await ApiProcess.start(t);
    answer = fetch(`${process.url}/operator/approvals/${asked.id}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ digest: asked.digest }),
    }).then(
      ({ status }) => status,
      () => 0,
    );
    return process;
  });
  expect(await answer).toBe(0);
  expect(await standing([asked])).toEqual(['REQUESTED']);
  expect(await stepsOf(row, 'list.changed')).toBe(0);
  const again = { digest: asked.digest };
  await checker.post(`/operator/approvals/${asked.id}/approve`).send(again).expect(200);
  expect(await standing([asked])).toEqual(['APPLIED']);
  expect(await stepsOf(row, 'list.changed')).toBe(1);
});
