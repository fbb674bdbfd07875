import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { ClientUsageService } from '../../src/features/auth/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { detailsOf, expectError, keysOf, type Answer } from '../support/answers.js';
import { processEnv } from '../support/api-process.js';
import type { TestApi, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { later, promised } from '../support/needs.js';
import { send } from '../support/raw-http.js';
import { expectWithin } from '../support/timing.js';

/** Two API processes on one database. */
let t: TestApp;
let other: TestApp;
let admin: TestOperator;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  other = await startTestApp({ like: t });
  admin = await t.operator();
  api = t.api.asOperator(admin);
});

afterAll(async () => {
  await other.close();
  await t.close();
});

interface App {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly status: string;
  readonly secrets: { id: string; createdAt: string; expiresAt: string | null; lastUsedAt: string | null }[];
  readonly lastUsedAt: string | null;
}
const dataOf = (answer: Answer): App => (answer.body as { data: App }).data;
type Rotated = App & { secretId: string };

async function newApp(body: object = {}): Promise<App> {
  const answer = await api
    .post('/operator/client-apps')
    .send({ name: 'loja-checkout', publicName: 'Loja Exemplo', ...body });
  expect(answer.status).toBe(201);
  return dataOf(answer);
}

const ingest = (
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  url = t.url,
): Promise<Answer> =>
  send(`${url}/kyt/transactions/ingest`, {
    headers: {
      'content-type': 'application/json',
      'x-client-id': clientId,
      'x-client-secret': clientSecret,
    },
    body: JSON.stringify(aTransaction()),
  });

/** Both processes answer with this status; before a second has passed, it is promised. */
async function everywhereWithinASecond(
  credentials: { clientId: string; clientSecret: string },
  status: number,
): Promise<void> {
  const changedAt = performance.now();
  for (const { url } of [t, other]) {
    for (;;) {
      const begunAt = performance.now();
      const answer = await ingest(credentials, url);
      if (answer.status === status) break;
      expectWithin(1_000, changedAt, begunAt);
    }
  }
}

async function actions(app: App): Promise<string[]> {
  const { rows } = await t.owner.query(
    `SELECT action FROM audit_entries WHERE subject_type = 'client_app' AND subject_id = $1 ORDER BY subject_seq`,
    [uuidOf('app', app.id)],
  );
  return (rows as { action: string }[]).map(({ action }) => action);
}

const trail = (app: App): Promise<{ status: string }> =>
  t.app.get(AuditTrail).trailStatus({
    organisationId: admin.organisationId,
    type: 'client_app',
    id: uuidOf('app', app.id) ?? '',
  });

describe('Developers > My Apps', () => {
  it('creates an application with safe defaults; its secret works and is shown once', async () => {
    const app = await newApp();
    expect(app).toMatchObject({
      id: expect.stringMatching(/^app_[0-9a-f]{32}$/),
      clientId: expect.stringMatching(/^app-[0-9a-f]{20}$/),
      clientSecret: expect.stringMatching(/^vsk_[A-Za-z0-9_-]{43}$/),
      environment: 'sandbox',
      name: 'loja-checkout',
      publicName: 'Loja Exemplo',
      branding: { logoUrl: null, primaryColor: null },
      status: 'ENABLED',
      scopes: ['kyt:ingest', 'transactions:write', 'kyt:read', 'events:read', 'requests:read'],
      rateLimit: { perSecond: 200, burst: 400 },
      ipAllowList: [],
      corsOrigins: [],
      apiVersion: '2026-11-01',
      lastUsedAt: null,
    });
    expect(app.secrets).toHaveLength(1);
    expect((await ingest(app)).status).toBe(202);
    const read = await api.get(`/operator/client-apps/${app.id}`).expect(200);
    const listed = await api.get('/operator/client-apps?limit=200').expect(200);
    for (const text of [read.text, listed.text]) {
      expect(text).toContain(app.clientId);
      expect(text).not.toMatch(/vsk_|hash/);
    }
    expect(keysOf(dataOf(read))).toEqual(keysOf(app).filter((key) => key !== 'clientSecret'));
  });

  it('the same Idempotency-Key creates one application, with one secret', async () => {
    const body = { name: 'once', publicName: 'Once' };
    const create = (): Promise<Answer> =>
      api
        .post('/operator/client-apps')
        .set('Idempotency-Key', 'create-once')
        .send(body)
        .then((answer) => answer);
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect((await ingest(dataOf(again))).status).toBe(202);
  });

  it.each<[string, object, string[]]>([
    ['without names', {}, ['name REQUIRED', 'publicName REQUIRED']],
    [
      'with a logo inside',
      { branding: { logoUrl: 'https://10.0.0.1/x' } },
      ['branding.logoUrl ADDRESS_NOT_ALLOWED'],
    ],
    [
      'with a plain logo',
      { branding: { logoUrl: 'http://loja.example/x' } },
      ['branding.logoUrl SCHEME_NOT_ALLOWED'],
    ],
    ['with an unknown scope', { scopes: ['everything'] }, ['scopes VALUE_NOT_ALLOWED']],
    ['with a block that is none', { ipAllowList: ['203.0.113.7/24'] }, ['ipAllowList[0] VALUE_NOT_ALLOWED']],
    ['with an origin for all', { corsOrigins: ['*'] }, ['corsOrigins[0] VALUE_NOT_ALLOWED']],
    ['with an id of its own', { clientId: 'app-mine' }, ['clientId UNKNOWN_FIELD']],
    ['with a status', { status: 'ENABLED' }, ['status UNKNOWN_FIELD']],
    ['with an organisation', { organisationId: '0' }, ['organisationId UNKNOWN_FIELD']],
    ['with null for a list', { scopes: null }, ['scopes TYPE_INVALID']],
  ])('refuses one %s', async (what, body, expected) => {
    const names = what === 'without names' ? {} : { name: 'x', publicName: 'x' };
    const answer = await api.post('/operator/client-apps').send({ ...names, ...body });
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual(expected);
  });

  it('lists them in pages, by status', async () => {
    const organisation = await t.operator();
    const as = t.api.asOperator(organisation);
    for (let i = 0; i < 5; i += 1) {
      await as
        .post('/operator/client-apps')
        .send({ name: `app ${i}`, publicName: 'x' })
        .expect(201);
    }
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await as.get(`/operator/client-apps?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const body = answer.body as { data: { name: string }[]; page: { nextCursor: string | null } };
      names.push(...body.data.map(({ name }) => name));
      cursor = body.page.nextCursor;
    }
    expect(names).toEqual(['app 0', 'app 1', 'app 2', 'app 3', 'app 4']);
    const disabled = await as.get('/operator/client-apps?status=DISABLED').expect(200);
    expect((disabled.body as { data: unknown[] }).data).toEqual([]);
    expectError(await as.get('/operator/client-apps?limit=0'), 400, 'VALIDATION_FAILED');
    expectError(await as.get('/operator/client-apps?cursor=x'), 400, 'CURSOR_INVALID');
    expectError(await as.get('/operator/client-apps?sort=name'), 400, 'VALIDATION_FAILED');
  });

  it('changes what is given and nothing else; the public sees it within a second', async () => {
    const app = await newApp({ scopes: ['kyt:ingest', 'kyt:read'] });
    const branding = { logoUrl: 'https://cdn.loja.example/logo.svg', primaryColor: '#0B5FFF' };
    const changed = await api
      .call('patch', `/operator/client-apps/${app.id}`)
      .send({ publicName: 'Loja Nova', branding })
      .expect(200);
    expect(dataOf(changed)).toMatchObject({
      name: 'loja-checkout',
      publicName: 'Loja Nova',
      branding,
      scopes: ['kyt:ingest', 'kyt:read'],
    });
    await eventually('the public page shows it', async () => {
      const answer = await send(`${other.url}/client-apps/public/${app.clientId}`, { method: 'GET' });
      return (answer.body as { publicName: string }).publicName === 'Loja Nova';
    });
    const nothing = await api
      .call('patch', `/operator/client-apps/${app.id}`)
      .send({ publicName: 'Loja Nova' });
    expect(nothing.status).toBe(200);
    expect(await actions(app)).toEqual(['client_app.created', 'client_app.changed']);
  });

  promised('a scope that is taken away, and a limit, hold in every process within a second', async () => {
    const app = await newApp();
    for (const { url } of [t, other]) expect((await ingest(app, url)).status).toBe(202);
    await api
      .call('patch', `/operator/client-apps/${app.id}`)
      .send({ scopes: ['kyt:read'] })
      .expect(200);
    await everywhereWithinASecond(app, 403);
    await api
      .call('patch', `/operator/client-apps/${app.id}`)
      .send({ scopes: ['kyt:ingest'], rateLimit: { perSecond: 1, burst: 1 } })
      .expect(200);
    await everywhereWithinASecond(app, 429);
  });

  promised('an address that is not on the list is refused within a second', async () => {
    const app = await newApp();
    await api
      .call('patch', `/operator/client-apps/${app.id}`)
      .send({ ipAllowList: ['203.0.113.0/24'] })
      .expect(200);
    await everywhereWithinASecond(app, 403);
    expectError(await ingest(app), 403, 'IP_NOT_ALLOWED');
    await api
      .call('patch', `/operator/client-apps/${app.id}`)
      .send({ ipAllowList: ['203.0.113.0/24', '127.0.0.1'] })
      .expect(200);
    await everywhereWithinASecond(app, 202);
  });

  promised(
    'a disabled application is refused in every process within a second, and served again when enabled',
    async () => {
      const app = await newApp();
      for (const { url } of [t, other]) expect((await ingest(app, url)).status).toBe(202);
      expect(dataOf(await api.post(`/operator/client-apps/${app.id}/disable`).send({}))).toMatchObject({
        status: 'DISABLED',
      });
      await everywhereWithinASecond(app, 403);
      expectError(await ingest(app), 403, 'APP_DISABLED');
      await api.post(`/operator/client-apps/${app.id}/disable`).send({}).expect(200);
      await api.post(`/operator/client-apps/${app.id}/enable`).send({}).expect(200);
      await everywhereWithinASecond(app, 202);
      expect(await actions(app)).toEqual(['client_app.created', 'client_app.disabled', 'client_app.enabled']);
      expect(await trail(app)).toMatchObject({ status: 'COMPLETE' });
    },
  );

  promised('a revoked application is gone for ever, with its secrets', async () => {
    const app = await newApp();
    expect((await ingest(app)).status).toBe(202);
    const revoked = dataOf(await api.call('delete', `/operator/client-apps/${app.id}`));
    expect(revoked).toMatchObject({ status: 'REVOKED', secrets: [] });
    await everywhereWithinASecond(app, 401);
    for (const call of [
      api.post(`/operator/client-apps/${app.id}/enable`).send({}),
      api.post(`/operator/client-apps/${app.id}/secrets`).send({}),
      api.call('patch', `/operator/client-apps/${app.id}`).send({ name: 'x' }),
    ]) {
      expectError(await call, 409, 'STATE_CONFLICT');
    }
    await api.call('delete', `/operator/client-apps/${app.id}`).expect(200);
    expect(await actions(app)).toEqual(['client_app.created', 'client_app.revoked']);
    expect(await trail(app)).toMatchObject({ status: 'COMPLETE' });
    expect((await send(`${t.url}/client-apps/public/${app.clientId}`, { method: 'GET' })).status).toBe(404);
  });
});

describe('the secrets of an application', () => {
  const rotate = async (app: App, body: object = {}): Promise<Rotated> => {
    const answer = await api.post(`/operator/client-apps/${app.id}/secrets`).send(body);
    expect(answer.status).toBe(201);
    return dataOf(answer) as Rotated;
  };

  promised('old and new are valid during the overlap, then the old one is 401', async () => {
    const first = await newApp();
    const second = await rotate(first, { overlapSeconds: 600 });
    expect(second.clientSecret).not.toBe(first.clientSecret);
    expect(second.secretId).toBe(second.secrets[0]?.id);
    expect(second.secrets.map(({ expiresAt }) => expiresAt === null)).toEqual([true, false]);
    await everywhereWithinASecond(second, 202);
    expect((await ingest(first)).status).toBe(202);
    const expiresAt = Date.parse(second.secrets[1]?.expiresAt ?? '');
    const rotatedAt = Date.parse(second.secrets[0]?.createdAt ?? '');
    expect(Math.abs(expiresAt - rotatedAt - 600_000)).toBeLessThan(60_000);
    await t.owner.query(
      `UPDATE client_secrets SET expires_at = clock_timestamp() WHERE client_app_id = $1 AND expires_at IS NOT NULL`,
      [uuidOf('app', first.id)],
    );
    await eventually('the old one ends', async () => (await ingest(first)).status === 401);
    expect((await ingest(second)).status).toBe(202);
    const { secrets } = dataOf(await api.get(`/operator/client-apps/${first.id}`));
    expect(secrets).toHaveLength(1);
  });

  promised('never more than two are valid: a third ends the oldest at once', async () => {
    const first = await newApp();
    const second = await rotate(first);
    const third = await rotate(first);
    expect(third.secrets).toHaveLength(2);
    await everywhereWithinASecond(first, 401);
    await everywhereWithinASecond(third, 202);
    expect((await ingest(second)).status).toBe(202);
  });

  promised('without overlap the new one is the only one', async () => {
    const first = await newApp();
    const second = await rotate(first, { overlapSeconds: 0 });
    await everywhereWithinASecond(first, 401);
    await everywhereWithinASecond(second, 202);
    expect(second.secrets).toHaveLength(1);
  });

  promised(
    'one that is revoked is 401 in every process within a second; the other one stays valid',
    async () => {
      const first = await newApp();
      const second = await rotate(first);
      const old = second.secrets[1]?.id ?? '';
      await api.call('delete', `/operator/client-apps/${first.id}/secrets/${old}`).expect(200);
      await everywhereWithinASecond(first, 401);
      await everywhereWithinASecond(second, 202);
      expectError(
        await api.call('delete', `/operator/client-apps/${first.id}/secrets/${old}`),
        404,
        'SECRET_NOT_FOUND',
      );
      expect(await actions(first)).toEqual([
        'client_app.created',
        'client_app.secret_rotated',
        'client_app.secret_revoked',
      ]);
    },
  );

  it.each([-1, 2_592_001, 1.5, '60', null])('an overlap of %j is refused', async (overlapSeconds) => {
    const app = await newApp();
    expectError(
      await api.post(`/operator/client-apps/${app.id}/secrets`).send({ overlapSeconds }),
      400,
      'VALIDATION_FAILED',
    );
  });

  it('rotate under load without one failed request', async () => {
    let app = await newApp({ rateLimit: { perSecond: 20_000, burst: 40_000 } });
    const failed: number[] = [];
    let calls = 0;
    let stop = false;
    const caller = async (url: string): Promise<void> => {
      while (!stop) {
        const { status } = await ingest(app, url);
        calls += 1;
        if (status !== 202) failed.push(status);
      }
    };
    const callers = Promise.all([t.url, other.url, t.url, other.url].map(caller));
    for (let i = 0; i < 4; i += 1) {
      const next = await rotate(app, { overlapSeconds: 60 });
      // An integrator takes the new secret into use when every process knows it.
      await eventually('the new secret is known', async () => {
        const answers = await Promise.all([ingest(next), ingest(next, other.url)]);
        return answers.every(({ status }) => status === 202);
      });
      app = next;
    }
    stop = true;
    await callers;
    expect(calls).toBeGreaterThan(20);
    expect(failed).toEqual([]);
  });

  promised('the times of last use are known to about a minute, and written outside of requests', async () => {
    const first = await newApp();
    const second = await rotate(first);
    await everywhereWithinASecond(second, 202);
    const writes = async (): Promise<number> => {
      const { rows } = await t.owner.query(`SELECT xmin::text AS version FROM client_secrets WHERE id = $1`, [
        uuidOf('sec', second.secretId),
      ]);
      return Number((rows[0] as { version: string }).version);
    };
    await t.app.get(ClientUsageService).flush();
    const written = await writes();
    for (const app of [t, other]) {
      for (let i = 0; i < 5; i += 1) expect((await ingest(second, app.url)).status).toBe(202);
      await app.app.get(ClientUsageService).flush();
    }
    // Both processes have seen it used since, and neither writes again within the minute.
    expect(await writes()).toBe(written);
    const app = dataOf(await api.get(`/operator/client-apps/${first.id}`));
    const [newer, older] = app.secrets;
    expect(Math.abs(Date.now() - Date.parse(newer?.lastUsedAt ?? ''))).toBeLessThan(60_000);
    expect(older?.lastUsedAt).toBeNull();
    expect(Date.parse(app.lastUsedAt ?? '')).toBe(Date.parse(newer?.lastUsedAt ?? ''));
  });

  it('nothing of a secret can be found in the database', async () => {
    const app = await newApp();
    await rotate(app);
    const { rows } = await t.owner.query(
      `SELECT string_agg(s::text || encode(hash, 'escape'), '') AS everything FROM client_secrets s`,
    );
    const { everything } = rows[0] as { everything: string };
    expect(everything).not.toContain(app.clientSecret);
    expect(everything).not.toContain(app.clientSecret.slice(4, 20));
  });
});

describe('who may do what', () => {
  it('another organisation finds none of it, as if it had never existed', async () => {
    const app = await newApp();
    const stranger = t.api.asOperator(await t.operator());
    const secret = app.secrets[0]?.id ?? '';
    const never = 'app_019364d0c0de7000a000000000000001';
    for (const id of [app.id, never, 'app_x', 'x']) {
      expectError(await stranger.get(`/operator/client-apps/${id}`), 404, 'APP_NOT_FOUND');
      expectError(
        await stranger.call('patch', `/operator/client-apps/${id}`).send({ name: 'x' }),
        404,
        'APP_NOT_FOUND',
      );
      expectError(await stranger.call('delete', `/operator/client-apps/${id}`), 404, 'APP_NOT_FOUND');
      for (const action of ['disable', 'enable', 'secrets']) {
        expectError(
          await stranger.post(`/operator/client-apps/${id}/${action}`).send({}),
          404,
          'APP_NOT_FOUND',
        );
      }
      expectError(
        await stranger.call('delete', `/operator/client-apps/${id}/secrets/${secret}`),
        404,
        'APP_NOT_FOUND',
      );
    }
    expect((await ingest(app)).status).toBe(202);
  });

  it('every change names its author, address and request', async () => {
    // ASVS 16.3.3
    const app = await newApp();
    const { rows } = await t.owner.query(
      `SELECT convert_from(canonical, 'UTF8') AS entry FROM audit_entries WHERE subject_id = $1`,
      [uuidOf('app', app.id)],
    );
    const entry = JSON.parse((rows[0] as { entry: string }).entry) as Record<string, unknown>;
    expect(entry).toMatchObject({
      actor: `operator:${admin.id}`,
      requestId: expect.stringMatching(/^req_/),
      content: {
        clientId: app.clientId,
        ip: '127.0.0.1',
        scopes: ['kyt:ingest', 'transactions:write', 'kyt:read', 'events:read', 'requests:read'],
      },
    });
  });
});

describe('the trail of an application and of an operator', () => {
  it('is complete by its contract after all that happens to them', async () => {
    // ASVS 7.4.5
    const app = await newApp();
    const at = `/operator/client-apps/${app.id}`;
    const as = t.api.asOperator(admin);
    await as.call('patch', at).send({ name: 'renamed' }).expect(200);
    await as.post(`${at}/secrets`).send({ overlapSeconds: 60 }).expect(201);
    await as.post(`${at}/disable`).expect(200);
    await as.post(`${at}/enable`).expect(200);
    await as.call('delete', at).expect(200);
    const person = await t.operator({ roles: ['ANALYST'], organisationId: admin.organisationId });
    await t.api.asOperator(person).post('/operator/client-apps').send({ name: 'x' }).expect(403);
    const someone = `/operator/operators/opr_${person.id.replaceAll('-', '')}`;
    await as.post(`${someone}/disable`).expect(200);
    const second = await t.operator({ organisationId: admin.organisationId });
    const asked = await as.post(`${someone}/enable`).send({ reason: 'Back from leave.' }).expect(202);
    await approve(t.api.asOperator(second), asked);
    const trail = t.app.get(AuditTrail);
    const { organisationId } = admin;
    const ofApp = { organisationId, type: 'client_app', id: uuidOf('app', app.id) ?? '' } as const;
    expect(await trail.trailStatus(ofApp)).toMatchObject({ status: 'COMPLETE', gaps: [], length: 6 });
    const ofPerson = { organisationId, type: 'operator', id: person.id } as const;
    expect(await trail.trailStatus(ofPerson)).toMatchObject({ status: 'COMPLETE', gaps: [] });
    // Without its first entry it is not what the contract says.
    await t.owner.query(`ALTER TABLE audit_entries DISABLE TRIGGER USER`);
    await t.owner.query(`DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 1`, [person.id]);
    await t.owner.query(`ALTER TABLE audit_entries ENABLE TRIGGER USER`);
    expect(await trail.trailStatus(ofPerson)).toMatchObject({
      status: expect.not.stringMatching('COMPLETE'),
    });
  });
});

describe('vigia apps', () => {
  /** Runs the command line of the built program on the data of the test. */
  const apps = async (...given: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...fromSource('cli/main.ts'), 'apps', ...given],
      {
        env: processEnv(t),
      },
    );
    return stdout;
  };

  later('creates, rotates, disables and lists; a secret is printed once and works', async () => {
    const made = await apps('create', 'from the console', '--organisation', 'console', '--per-second', '50');
    const [, clientId = ''] = /x-client-id: (\S+)/.exec(made) ?? [];
    const [, first = ''] = /shown once\): (vsk_\S+)/.exec(made) ?? [];
    const call = async (secret: string): Promise<number> =>
      (await t.api.ingest(aTransaction()).set('x-client-id', clientId).set('x-client-secret', secret)).status;
    expect(await call(first)).toBe(202);
    const [, second = ''] =
      /shown once\): (vsk_\S+)/.exec(await apps('rotate', clientId, '--overlap', '0')) ?? [];
    // A new secret is good at once, an old one dies soon.
    expect(await call(second)).toBe(202);
    await eventually('the old one is refused', async () => (await call(first)) === 401);
    await apps('disable', clientId);
    await eventually('it is refused', async () => (await call(second)) === 403);
    const listed = await apps('list', '--organisation', 'console');
    expect(listed).toMatch(new RegExp(`^${clientId}  DISABLED  from the console  1 secret  `));
    expect(listed).not.toContain('vsk_');
    await expect(apps('rotate', 'nobody')).rejects.toThrow('There is no client application nobody');
  });
});

describe('pages of other origins', () => {
  const ORIGIN = 'https://loja.example';
  const corsHeaders = (answer: Answer): string[] =>
    Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
  const call = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> =>
    send(t.url + path, { method, headers });

  it('may call the public configuration of an application that lists them, and no other', async () => {
    // ASVS 3.4.2
    const app = await newApp({ corsOrigins: [ORIGIN] });
    const path = `/client-apps/public/${app.clientId}`;
    const allowed = await call(path, { origin: ORIGIN });
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      vary: expect.stringContaining('Origin'),
    });
    expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials');
    for (const origin of [
      'https://evil.example',
      'null',
      `${ORIGIN}.evil.example`,
      'http://loja.example',
      ORIGIN.toUpperCase(),
    ]) {
      const answer = await call(path, { origin });
      expect([answer.status, corsHeaders(answer)]).toEqual([200, []]);
      expect(JSON.stringify(answer.headers)).not.toContain('evil');
    }
    const closed = await newApp();
    expect(corsHeaders(await call(`/client-apps/public/${closed.clientId}`, { origin: ORIGIN }))).toEqual([]);
  });

  it('get a preflight answered for what they may do', async () => {
    const app = await newApp({ corsOrigins: [ORIGIN] });
    const path = `/client-apps/public/${app.clientId}`;
    const preflight = (headers: Record<string, string>): Promise<Answer> => call(path, headers, 'OPTIONS');
    const allowed = await preflight({ origin: ORIGIN, 'access-control-request-method': 'GET' });
    expect([allowed.status, allowed.text]).toEqual([204, '']);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET',
      'access-control-max-age': '600',
    });
    const evil = await preflight({ origin: 'https://evil.example', 'access-control-request-method': 'GET' });
    expect([evil.status, corsHeaders(evil)]).toEqual([405, []]);
    const write = await preflight({ origin: ORIGIN, 'access-control-request-method': 'DELETE' });
    expect(write.status).toBe(405);
    expect(write.headers).not.toHaveProperty('access-control-allow-methods');
  });

  it.each([
    ['POST', '/kyt/transactions/ingest'],
    ['GET', '/kyt/transactions/x'],
    ['GET', '/operator/client-apps'],
    ['GET', '/health/live'],
    ['GET', '/openapi.json'],
    ['GET', '/docs/errors'],
    ['GET', '/nothing/here'],
  ])('%s %s answers no origin at all', async (method, path) => {
    await newApp({ corsOrigins: [ORIGIN] });
    for (const origin of [ORIGIN, 'https://evil.example', t.url]) {
      for (const verb of [method, 'OPTIONS']) {
        const answer = await call(path, { origin, 'access-control-request-method': method }, verb);
        expect([path, corsHeaders(answer)]).toEqual([path, []]);
      }
    }
  });
});
