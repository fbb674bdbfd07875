import type { Response } from 'supertest';
import { ApprovalsService } from '../../src/features/approvals/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import type { TestApi } from './api.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';
import { bindAnew } from './tamper.js';

/** A request as the API shows it. */
export interface AskedApproval {
  readonly id: string;
  readonly digest: string;
  readonly reason: string;
  readonly status: string;
  readonly subjectId: string;
  readonly approvalId?: string;
}

/** The request that an answer of 202 names. */
export const askedIn = ({ body }: Pick<Response, 'body'>): AskedApproval =>
  (body as { data: AskedApproval }).data;

/** Approves, as a second person, what an answer of 202 has asked for. */
export async function approve(second: TestApi, answer: Pick<Response, 'body'>): Promise<AskedApproval> {
  const { id, approvalId = id } = askedIn(answer);
  const { digest } = askedIn(await second.get(`/operator/approvals/${approvalId}`).expect(200));
  return askedIn(await second.post(`/operator/approvals/${approvalId}/approve`).send({ digest }).expect(200));
}

/** Lets the time pass that an approved effect waits for, and brings it about. */
export async function waitOut(t: TestApp, { id }: Pick<AskedApproval, 'id'>): Promise<void> {
  const approval = uuidOf('apr', id) ?? '';
  // Due in a moment and not at once: whoever looked between the change and its binding would find it altered.
  await t.owner.query(
    `UPDATE approvals SET decided_at = decided_at - interval '73 hours', effective_at = clock_timestamp() + interval '3 seconds'
     WHERE id = $1`,
    [approval],
  );
  await bindAnew(t, 'approval', approval);
  await eventually('the effect is there', async () => {
    await t.app.get(ApprovalsService).sweep();
    const { rows } = await t.owner.query<{ status: string }>('SELECT status FROM approvals WHERE id = $1', [
      approval,
    ]);
    return rows[0]?.status !== 'APPROVED';
  });
}

/** Lets keys be destroyed without an approved erasure, where the destruction alone is under test. */
export async function letAnybodyErase(t: TestApp): Promise<void> {
  await t.owner.query('ALTER TABLE subject_keys DISABLE TRIGGER subject_keys_erasure_approved');
}

type Step = 'approve' | 'refuse' | 'withdraw';

/** Approves, refuses or withdraws the request for the closing of a case; null when the case has none. */
export async function decideOn(by: TestApi, reviewId: string, step: Step): Promise<Response | null> {
  const { body } = await by.get(`/operator/reviews/${reviewId}`).expect(200);
  const { approvalId } = (body as { data: { approvalId: string | null } }).data;
  if (approvalId === null) return null;
  const path = `/operator/approvals/${approvalId}`;
  const { digest } = askedIn(await by.get(path).expect(200));
  const reason = 'Looked at by two people, and agreed.';
  return by.post(`${path}/${step}`).send(step === 'approve' ? { digest } : { reason });
}
