import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteTable, scopes } from '../../src/platform/http/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
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
    // ASVS 7.4.5
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

describe('who reads the record of a person', () => {
  /** Routes with a name in their path that show no record of a person, and why. */
  const OF_NOBODY: Readonly<Record<string, string>> = {
    '/operator/flows/:key': 'what is asked, of whomever',
    '/operator/flows/:key/draft': 'what is to be asked, of whomever',
    '/operator/flows/:key/draft/difference': 'what is to be asked, of whomever',
    '/operator/flows/:key/funnel': 'how many came how far',
    '/operator/flows/:key/versions': 'what is asked, of whomever',
    '/operator/lists/:id': 'a list, without its entries',
    '/operator/lists/:id/entries': 'a list as its publisher gives it',
    '/operator/lists/:id/entries/:key': 'a list as its publisher gives it',
    '/operator/lists/:id/imports': 'how files were read',
    '/operator/lists/:id/imports/:importId': 'how a file was read',
    '/operator/look-backs/:id': 'how far a run is, and what it came to in numbers',
  };

  it('every route that opens one says so, or why it opens none', () => {
    const of = /^(customers|reviews|kyt|sessions|artifacts|screening|hits):/;
    const routes = t.app.get(RouteTable).routes();
    const opening = routes.filter(
      ({ method, path, access }) =>
        method === 'GET' &&
        path.includes(':') &&
        access?.kind === 'operator' &&
        of.test(access.permission ?? ''),
    );
    expect(opening.length).toBeGreaterThan(25);
    const silent = opening.filter(({ reads }) => reads === null).map(({ path }) => path);
    expect(silent.sort()).toEqual(Object.keys(OF_NOBODY).sort());
    // The interceptor takes the record from there.
    expect(routes.filter(({ reads, path }) => reads !== null && !path.includes('/:id'))).toEqual([]);
  });

  it('is written down, once for each operator, record and hour, and can be exported', async () => {
    const client = await t.client({ scopes });
    const { organisationId } = client;
    const reader = async (): Promise<{ id: string; api: TestApi }> => {
      const operator = await t.operator({ roles: ['COMPLIANCE_OFFICER', 'AUDITOR'], organisationId });
      return { id: operator.id, api: t.api.asOperator(operator) };
    };
    const [one, other] = [await reader(), await reader()];
    const stranger = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'] }));
    const body = aTransaction();
    await t.api.as(client).ingest(body).expect(202);
    await t.api.as(client).settled(body.transactionId);
    interface Found {
      readonly data: readonly { id: string }[];
    }
    const { data } = (await one.api.get(`/operator/transactions?transactionId=${body.transactionId}`))
      .body as Found;
    const path = `/operator/transactions/${data[0]!.id}`;
    await Promise.all([one.api.get(path).expect(200), one.api.get(`${path}/receipt`).expect(200)]);
    await one.api.get(`${path}/timeline`).expect(200);
    await other.api.get(path).expect(200);
    const customers = (await one.api.get('/operator/customers').expect(200)).body as Found;
    await one.api.get(`/operator/customers/${customers.data[0]!.id}`).expect(200);
    // Nobody reads a record that is not there, or not theirs.
    await stranger.get(path).expect(404);
    await one.api.get(`/operator/customers/cus_${'0'.repeat(32)}`).expect(404);

    // The log shows what is sealed.
    const log = await eventually('it is in the log', async () => {
      const { body: page } = await one.api.get('/operator/audit/events?subjectType=access').expect(200);
      const { data: found } = page as { data: { subjectId: string; action: string; actor: string }[] };
      return found.length >= 3 && found;
    });
    const said = log
      .map(({ subjectId, action, actor }) => `${subjectId.split(':')[0]} ${action} ${actor}`)
      .sort();
    expect(said).toEqual(
      [
        `customer access.noted operator:${one.id}`,
        `transaction access.noted operator:${one.id}`,
        `transaction access.noted operator:${other.id}`,
      ].sort(),
    );
    const asked = { subjectType: 'access', reason: 'Somebody asked who has looked at them.' };
    const { body: made } = await one.api.post('/operator/audit/exports').send(asked).expect(202);
    const { id } = (made as { data: { id: string } }).data;
    await eventually('the package is there', async () => {
      const { body: found } = await one.api.get(`/operator/audit/exports/${id}`).expect(200);
      return (found as { data: { status: string } }).data.status === 'READY';
    });
  });
});
