import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

describe('GET /operator/me', () => {
  it('says who is logged in and what the session may do', async () => {
    const operator = await t.operator({ roles: ['ANALYST'] });
    const { body } = await t.api.asOperator(operator).get('/operator/me').expect(200);
    expect(body).toMatchObject({
      data: {
        id: `opr_${operator.id.replaceAll('-', '')}`,
        kind: 'PERSON',
        email: operator.email,
        roles: ['ANALYST'],
        permissions: expect.arrayContaining(['kyt:read', 'reviews:decide']),
        lockedPermissions: [],
        strong: true,
        totpEnrolled: false,
      },
      error: null,
    });
  });

  it('shows what waits for a second factor', async () => {
    const operator = await t.operator({ roles: ['ANALYST'], strong: false });
    const { body } = await t.api.asOperator(operator).get('/operator/me').expect(200);
    expect(body.data.lockedPermissions).toEqual([
      'kyt:evaluate',
      'hits:decide',
      'reviews:decide',
      'customers:export',
      'artifacts:read',
    ]);
    expect(body.data.permissions).not.toContain('reviews:decide');
  });
});

describe('sessions of others', () => {
  it('an administrator ends the sessions of somebody else of the own organisation', async () => {
    const admin = await t.operator();
    const analyst = await t.operator({ roles: ['ANALYST'], organisationId: admin.organisationId });
    const someone = `/operator/operators/opr_${analyst.id.replaceAll('-', '')}`;
    expectError(
      await t.api
        .asOperator(analyst)
        .post(`/operator/operators/opr_${admin.id.replaceAll('-', '')}/sessions/end`),
      403,
      'PERMISSION_DENIED',
    );
    await t.api.asOperator(admin).post(`${someone}/sessions/end`).expect(200);
    // Within the seconds for which a process remembers a session.
    await eventually('the token is dead', async () => {
      const { status } = await t.api.asOperator(analyst).get('/operator/me');
      return status === 401;
    });
    await t.api.asOperator(admin).get('/operator/me').expect(200);
  });
});

describe('two contracts', () => {
  it('a client credential opens no operator route', async () => {
    const client = await t.client();
    const answer = await t.api.as(client).get('/operator/me');
    expectError(answer, 401, 'CREDENTIALS_MISSING');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="operator"');
  });

  it('an operator token opens no integrator route', async () => {
    const operator = await t.operator();
    expectError(await t.api.asOperator(operator).get('/kyt/transactions/x'), 401, 'CREDENTIALS_MISSING');
  });
});
