import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/audit/index.js';
import { ClientAppsService } from '../../src/auth/index.js';
import { CustomersService } from '../../src/customers/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { ReviewsService, type OpenedReview, type ReviewRequest } from '../../src/reviews/index.js';
import { startTestApp, type TestApp } from '../support/app.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

const BY = { type: 'system', id: 'test' } as const;

async function organisation(): Promise<string> {
  const name = `rev-${randomBytes(4).toString('hex')}`;
  return t.app.get(ClientAppsService).ensureOrganisation(name, name);
}

async function aCustomer(organisationId: string): Promise<string> {
  const [identified] = await t.app.get(CustomersService).identify([
    {
      organisationId,
      clientAppId: null,
      externalCustomerId: `c-${randomUUID()}`,
      taxId: null,
      name: null,
      birthDate: null,
      by: 'OPERATOR',
      requestId: null,
      correlationId: 'test',
      traceparent: null,
    },
  ]);
  return identified!.customerId;
}

const aRequest = (
  organisationId: string,
  customerId: string | null,
  fields: Partial<ReviewRequest> = {},
): ReviewRequest => ({
  organisationId,
  kind: 'SCORE',
  customerId,
  clientAppId: null,
  transaction: { ref: randomUUID(), evaluationVersion: 1 },
  priority: 'HIGH',
  riskScore: 70,
  occurredAt: new Date(),
  requestId: null,
  correlationId: null,
  ...fields,
});

const open = (...requests: ReviewRequest[]): Promise<OpenedReview[]> =>
  t.app.get(UnitOfWork).run(
    requests.map(({ organisationId }) => organisationId),
    (tx) => t.app.get(ReviewsService).open(tx, requests, BY),
  );

const trailOf = async (organisationId: string, id: string): Promise<string> =>
  (await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'review', id })).status;

describe('Opening', () => {
  it('opens a case with its audit entry for each transaction that asks, in one go', async () => {
    const organisationId = await organisation();
    const customerId = await aCustomer(organisationId);
    const opened = await open(...[1, 2, 3].map(() => aRequest(organisationId, customerId)));
    expect(new Set(opened.map(({ reviewId }) => reviewId)).size).toBe(3);
    expect(opened.every((one) => one.opened)).toBe(true);
    for (const { reviewId } of opened) expect(await trailOf(organisationId, reviewId)).toBe('COMPLETE');
  });

  it('tells whoever asks twice the same case', async () => {
    const organisationId = await organisation();
    const request = aRequest(organisationId, null);
    const [first] = await open(request);
    expect(await open(request)).toEqual([{ reviewId: first!.reviewId, opened: false }]);
  });

  it('groups what is only missing about a customer, also when 40 ask at once', async () => {
    const organisationId = await organisation();
    const customerId = await aCustomer(organisationId);
    const asked = await Promise.all(
      Array.from({ length: 40 }, () => open(aRequest(organisationId, customerId, { kind: 'DATA_GAP' }))),
    );
    expect(new Set(asked.flat().map(({ reviewId }) => reviewId)).size).toBe(1);
    expect(asked.flat().filter((one) => one.opened)).toHaveLength(1);
    const { rows } = await t.owner.query(
      `SELECT r.linked, count(x.*)::int AS links FROM reviews r JOIN review_transactions x ON x.review_id = r.id
       WHERE r.organisation_id = $1 GROUP BY r.id, r.linked`,
      [organisationId],
    );
    expect(rows).toEqual([{ linked: 40, links: 40 }]);
  });
});
