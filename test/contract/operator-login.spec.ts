import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import supertest, { type Test as Call } from 'supertest';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import type { Role } from '../../src/platform/http/index.js';
import { publicId, requireUuid, Clock, type DomainError } from '../../src/platform/kernel/index.js';
import {
  systemActorContext,
  codeAt,
  InvitationsService,
  OperatorsService,
  Passwords,
  SecondFactors,
  COMMAND_LINE,
} from '../../src/features/operators/index.js';
import { OperatorEntity } from '../../src/features/operators/store/entities.js';
import { OperatorAudit } from '../../src/features/operators/operator-audit.js';
import { TokenKeys } from '../../src/features/operators/sessions/token-keys.js';
import { detailsOf, expectError } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestOperator } from '../support/api.js';
import { approve, askedIn } from '../support/approvals.js';
import { invitedToken } from '../support/outbox.js';
import { eventually } from '../support/eventually.js';
import { expectWithin } from '../support/timing.js';
import { later, promised } from '../support/needs.js';

/** A clock that tests put forward, so that nobody waits for the next code of an authenticator app. */
class MovableClock extends Clock {
  aheadMs = 0;

  now(): number {
    return Date.now() + this.aheadMs;
  }
}

interface Person {
  readonly id: string;
  readonly organisationId: string;
  readonly email: string;
  readonly seed: string;
  readonly recoveryCodes: readonly string[];
}

interface GrantBody {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly deviceToken: string;
  readonly csrfToken: string;
  readonly expiresIn: number;
  readonly sessionId: string;
}

const PASSWORD = 'jardim-cobre-7-planalto';
const OTHER_PASSWORD = 'vento-largo-91-cerrado';

const clock = new MovableClock();
let t: TestApp;
let passwordHash: string;

beforeAll(async () => {
  t = await startTestApp({
    settings: { machineOperators: true },
    override: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
  passwordHash = await t.app.get(Passwords).hash(PASSWORD, COMMAND_LINE);
});

afterAll(async () => {
  await t.close();
});

beforeEach(() => {
  clock.aheadMs = 0;
});

/** Tokens of half an hour ago would be expired, so each test starts from now; within it the clock only moves on. */
const nextStep = (): void => {
  clock.aheadMs += 30_000;
};

async function person(
  options: {
    roles?: readonly Role[];
    totp?: boolean;
    password?: boolean;
    organisationId?: string;
    email?: string;
    hash?: string;
  } = {},
): Promise<Person> {
  const name = `p-${randomBytes(5).toString('hex')}`;
  const organisationId =
    options.organisationId ?? (await t.app.get(ClientAppsService).ensureOrganisation(name, name));
  const email = options.email ?? `${name}@example.com`;
  const uow = t.app.get(UnitOfWork);
  const factors = t.app.get(SecondFactors);
  const cause = systemActorContext('test');
  const id = await uow.run(organisationId, (tx) =>
    t.app.get(OperatorsService).addPerson(
      tx,
      {
        organisationId,
        email,
        name,
        roles: options.roles ?? ['ADMIN'],
        passwordHash: options.password === false ? null : (options.hash ?? passwordHash),
      },
      cause,
    ),
  );
  if (id === null) throw new Error('the address is taken');
  if (options.totp === false) return { id, organisationId, email, seed: '', recoveryCodes: [] };
  const { seed, store } = await factors.beginTotpEnrolment({ id, organisationId });
  await uow.run(organisationId, store);
  const recoveryCodes = await uow.run(organisationId, async (tx) => {
    const codes = await factors.activateTotp(tx, await tx.findOneByOrFail(OperatorEntity, { id }), 0);
    const operator = { id, organisationId };
    await t.app.get(OperatorAudit).record(tx, operator, 'operator.credentials_reset', cause);
    return codes;
  });
  return { id, organisationId, email, seed, recoveryCodes };
}

const WHY = 'Takes over the analysis desk in December.';

/** Has two administrators invite somebody, and takes the token out of the mail. */
async function invited(
  admin: TestOperator,
  invitation: { email: string; name: string; roles: readonly Role[] },
): Promise<{ token: string; id: string }> {
  const second = await t.operator({ organisationId: admin.organisationId });
  const body = { ...invitation, reason: WHY };
  const asked = await t.api.asOperator(admin).post('/operator/invitations').send(body).expect(202);
  await approve(t.api.asOperator(second), asked);
  return {
    token: await invitedToken(t, invitation.email),
    id: requireUuid('inv', askedIn(asked).subjectId, 'INVITATION_NOT_FOUND'),
  };
}

const post = (path: string, body: object): Call => supertest(t.url).post(path).send(body);
const login = (body: object): Call => post('/operator/auth/login', body);
const code = ({ seed }: Person): string => codeAt(seed, clock.now());
const me = (token: string): Call =>
  supertest(t.url).get('/operator/me').set('authorization', `Bearer ${token}`);
const as = (token: string, path: string, body: object = {}): Call =>
  post(path, body).set('authorization', `Bearer ${token}`);

async function loggedIn(somebody: Person, extra: object = {}): Promise<GrantBody> {
  const totp = somebody.seed === '' ? {} : { totp: code(somebody) };
  const { body } = await login({ email: somebody.email, password: PASSWORD, ...totp, ...extra }).expect(200);
  nextStep();
  return (body as { data: GrantBody }).data;
}

const trailOf = async (id: string): Promise<{ action: string; content: Record<string, unknown> }[]> => {
  const { rows } = await t.owner.query<{ canonical: Buffer }>(
    `SELECT canonical FROM audit_entries WHERE subject_id = $1 ORDER BY subject_seq`,
    [id],
  );
  return rows.map(({ canonical }) => JSON.parse(canonical.toString()) as never);
};
const actionsOf = async (id: string): Promise<string[]> => (await trailOf(id)).map(({ action }) => action);

describe('login', () => {
  it('with password and second factor gives tokens, and is in the trail with address and request', async () => {
    // ASVS 6.3.4, 16.2.1, 16.3.1
    const ana = await person();
    const answer = await login({ email: ana.email.toUpperCase(), password: PASSWORD, totp: code(ana) })
      .set('x-request-id', 'req-login-1')
      .expect(200);
    expect(answer.body.data).toMatchObject({
      tokenType: 'Bearer',
      expiresIn: 600,
      refreshToken: expect.stringMatching(/^vrt_[\w-]{43}$/),
      deviceToken: expect.stringMatching(/^vdt_[\w-]{43}$/),
      csrfToken: null,
      operatorId: `opr_${ana.id.replaceAll('-', '')}`,
    });
    const { body } = await me(answer.body.data.accessToken).expect(200);
    expect(body.data).toMatchObject({ email: ana.email, strong: true, totpEnrolled: true });
    const entry = (await trailOf(ana.id)).at(-1);
    expect(entry).toMatchObject({
      action: 'operator.logged_in',
      actor: `operator:${ana.id}`,
      requestId: 'req-login-1',
      content: { method: 'PASSWORD', factor: 'TOTP', ip: expect.stringContaining('127.0.0.1') },
    });
  });

  it('asks for the second factor only after the right password', async () => {
    const ana = await person();
    expectError(await login({ email: ana.email, password: PASSWORD }), 401, 'TOTP_REQUIRED');
    expectError(await login({ email: ana.email, password: OTHER_PASSWORD }), 401, 'CREDENTIALS_INVALID');
    expectError(
      await login({ email: ana.email, password: OTHER_PASSWORD, totp: code(ana) }),
      401,
      'CREDENTIALS_INVALID',
    );
  });

  it('a code works once, a code of two minutes ago not at all', async () => {
    // ASVS 6.5.1
    const ana = await person();
    const attempt = { email: ana.email, password: PASSWORD };
    const totp = code(ana);
    await login({ ...attempt, totp }).expect(200);
    const again = expectError(await login({ ...attempt, totp }), 401, 'CREDENTIALS_INVALID');
    expect(detailsOf(again)).toEqual(['totp ALREADY_USED']);
    const old = codeAt(ana.seed, clock.now() - 120_000);
    const never = expectError(await login({ ...attempt, totp: old }), 401, 'CREDENTIALS_INVALID');
    expect(detailsOf(never)).toEqual([]);
    nextStep();
    await login({ ...attempt, totp: code(ana) }).expect(200);
  });

  it('the same code twice at the same time opens one session', async () => {
    // ASVS 2.3.4
    const ana = await person();
    const attempt = { email: ana.email, password: PASSWORD, totp: code(ana) };
    const answers = await Promise.all([login(attempt), login(attempt), login(attempt)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('a recovery code replaces the second factor once', async () => {
    // ASVS 6.5.1
    const ana = await person();
    const [recoveryCode = ''] = ana.recoveryCodes;
    const attempt = { email: ana.email, password: PASSWORD, recoveryCode };
    const { body } = await login({
      ...attempt,
      recoveryCode: recoveryCode.toLowerCase().replaceAll('-', ''),
    }).expect(200);
    expect((await me(body.data.accessToken)).body.data.strong).toBe(true);
    expectError(await login(attempt), 401, 'CREDENTIALS_INVALID');
    const { rows } = await t.owner.query(`SELECT hash FROM operator_recovery_codes WHERE operator_id = $1`, [
      ana.id,
    ]);
    expect(rows).toHaveLength(10);
    expect(JSON.stringify(rows)).not.toContain(recoveryCode);
  });

  it('an unknown address, an account without a password and a wrong password are answered byte for byte alike', async () => {
    const [ana, federated] = [await person(), await person({ password: false, totp: false })];
    const ids = { 'x-request-id': 'req-same', 'x-correlation-id': 'cor-same' };
    const texts: string[] = [];
    for (const email of [ana.email, federated.email, 'nobody@example.com']) {
      const answer = await login({ email, password: OTHER_PASSWORD }).set(ids);
      expectError(answer, 401, 'CREDENTIALS_INVALID');
      texts.push(answer.text);
    }
    expect(new Set(texts).size).toBe(1);
  });

  it('an address of two organisations is two accounts, chosen by the key; without it the first one', async () => {
    const first = await person();
    const hash = await t.app.get(Passwords).hash(OTHER_PASSWORD, COMMAND_LINE);
    const second = await person({ email: first.email, hash, totp: false });
    const own = async ({ id, organisationId }: Person): Promise<[string, string]> => {
      const { rows } = await t.owner.query(`SELECT key FROM organisations WHERE id = $1`, [organisationId]);
      return [(rows[0] as { key: string }).key, publicId('opr', id)];
    };
    const [[firstKey, firstId], [secondKey, secondId]] = [await own(first), await own(second)];
    const who = async (body: object) => {
      const answer = await login({ email: first.email, ...body });
      if (answer.status !== 200) return (answer.body as { error: { code: string } }).error.code;
      return (await me(answer.body.data.accessToken)).body.data.id as string;
    };
    expect(await who({ password: PASSWORD, totp: code(first) })).toBe(firstId);
    nextStep();
    expect(await who({ password: PASSWORD, totp: code(first), organisation: firstKey })).toBe(firstId);
    expect(await who({ password: OTHER_PASSWORD, organisation: secondKey })).toBe(secondId);
    // Nothing tells that there is another account: the passwords of both are wrong where they do not belong.
    for (const body of [
      { password: OTHER_PASSWORD },
      { password: PASSWORD, organisation: secondKey },
      { password: PASSWORD, organisation: 'no-such-organisation' },
    ]) {
      expect(await who(body)).toBe('CREDENTIALS_INVALID');
    }
  });

  it('asking organisation after organisation is counted as one, whether the address is known there or not', async () => {
    const { email, organisationId } = await person();
    const { rows } = await t.owner.query(`SELECT key FROM organisations WHERE id = $1`, [organisationId]);
    const { key } = rows[0] as { key: string };
    for (const address of [email, `nobody-${randomBytes(4).toString('hex')}@example.com`]) {
      const codes: string[] = [];
      for (const organisation of [key, 'other', undefined, key, 'another', undefined, key]) {
        const answer = await login({ email: address, password: 'not-the-password', organisation });
        codes.push((answer.body as { error: { code: string } }).error.code);
      }
      expect(codes).toEqual([...Array.from({ length: 6 }, () => 'CREDENTIALS_INVALID'), 'RATE_LIMITED']);
    }
  });

  it('a disabled operator is told so only after the right password', async () => {
    const ana = await person({ totp: false });
    await t.owner.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [ana.id]);
    expectError(await login({ email: ana.email, password: OTHER_PASSWORD }), 401, 'CREDENTIALS_INVALID');
    expectError(await login({ email: ana.email, password: PASSWORD }), 403, 'OPERATOR_DISABLED');
  });

  it.each([
    [{}, ['email TYPE_INVALID', 'password TYPE_INVALID']],
    [{ email: 'a@example.com', password: PASSWORD, totp: '12345' }, ['totp PATTERN_MISMATCH']],
    [{ email: 'a@example.com', password: PASSWORD, admin: true }, ['admin UNKNOWN_FIELD']],
    [{ email: { $ne: '' }, password: PASSWORD }, ['email TYPE_INVALID']],
  ])('refuses the body %j', async (body, details) => {
    expect(detailsOf(expectError(await login(body), 400, 'VALIDATION_FAILED'))).toEqual(details);
  });
});

describe('without a second factor', () => {
  it('permissions that need one are refused with a code of their own, and the refusal is in the trail', async () => {
    // ASVS 6.3.3, 16.3.2
    const ana = await person({ totp: false });
    const { accessToken } = await loggedIn(ana);
    const invitation = { email: 'new@example.com', name: 'New', roles: ['ANALYST'], reason: WHY };
    const error = expectError(
      await as(accessToken, '/operator/invitations', invitation),
      403,
      'STRONG_LOGIN_REQUIRED',
    );
    expect(detailsOf(error)).toEqual(['authorization PERMISSION_MISSING']);
    expect((await trailOf(ana.id)).at(-1)).toMatchObject({
      action: 'operator.access_denied',
      content: {
        permission: 'operators:manage',
        reason: 'STRONG_LOGIN_REQUIRED',
        route: '/operator/invitations',
      },
    });
  });

  it('setting one up needs the password again, makes this session strong and ends all others', async () => {
    // ASVS 7.4.3, 7.5.1
    const ana = await person({ totp: false });
    const other = await loggedIn(ana);
    const { accessToken } = await loggedIn(ana);
    const wrong = await as(accessToken, '/operator/me/totp', { password: OTHER_PASSWORD });
    expect(detailsOf(expectError(wrong, 400, 'VALIDATION_FAILED'))).toEqual(['password VALUE_INVALID']);
    const begun = await as(accessToken, '/operator/me/totp', { password: PASSWORD }).expect(201);
    const { secret, uri } = begun.body.data as { secret: string; uri: string };
    expect(uri).toContain(`secret=${secret}`);

    const confirm = (digits: string): Call => as(accessToken, '/operator/me/totp/confirm', { code: digits });
    expectError(await confirm('000000'), 400, 'VALIDATION_FAILED');
    const confirmed = await confirm(codeAt(secret, clock.now())).expect(200);
    expect(confirmed.body.data.recoveryCodes).toHaveLength(10);
    expectError(await confirm(codeAt(secret, clock.now())), 409, 'STATE_CONFLICT');

    await eventually('the session is strong', async () => (await me(accessToken)).body.data.strong === true);
    expectError(await me(other.accessToken), 401, 'CREDENTIALS_INVALID');
    expect(await actionsOf(ana.id)).toContain('operator.totp_enrolled');
    const { rows } = await t.owner.query(
      `SELECT sealed_totp_seed::text AS seed FROM operators WHERE id = $1`,
      [ana.id],
    );
    expect(Buffer.from((rows[0] as { seed: string }).seed.slice(2), 'hex').includes(secret)).toBe(false);
    expectError(await login({ email: ana.email, password: PASSWORD }), 401, 'TOTP_REQUIRED');
  });

  it('a step-up raises a session by a code', async () => {
    const ana = await person();
    const weak = await t.operator();
    expectError(await as(weak.token, '/operator/me/step-up', { totp: '123456' }), 409, 'STATE_CONFLICT');
    const { accessToken, sessionId } = await loggedIn(ana);
    const id = sessionId.slice(4).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
    await t.owner.query(`UPDATE operator_sessions SET strong = false WHERE id = $1`, [id]);
    await eventually('the session is weak', async () => (await me(accessToken)).body.data.strong === false);
    await as(accessToken, '/operator/me/step-up', { totp: code(ana) }).expect(200);
    await eventually('the session is strong', async () => (await me(accessToken)).body.data.strong === true);
  });
});

describe('guessing', () => {
  /** A lock of seconds becomes one that a slow machine does not outlast. */
  const prolongLocks = (): Promise<unknown> =>
    t.owner.query(
      `UPDATE operator_login_throttles SET blocked_until = blocked_until + interval '1 hour'
       WHERE blocked_until > last_failure_at`,
    );

  it('wrong passwords are free five times, then each one waits longer; the account is not locked for its device', async () => {
    // ASVS 6.3.1
    const ana = await person();
    const { deviceToken } = await loggedIn(ana);
    const wrong = { email: ana.email, password: OTHER_PASSWORD };
    const statuses: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      if (i === 6) await prolongLocks();
      statuses.push((await login(wrong)).status);
    }
    expect([statuses.slice(0, 6), new Set(statuses.slice(6))]).toEqual([Array(6).fill(401), new Set([429])]);

    const right = { email: ana.email, password: PASSWORD };
    const refused = await login(right);
    expect(detailsOf(expectError(refused, 429, 'RATE_LIMITED'))).toEqual(['LOGIN_LOCKED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // The device that ana has used before, and whoever has password and second factor, are not held up.
    await login({ ...right, totp: code(ana), deviceToken }).expect(200);
    nextStep();
    expect(detailsOf(expectError(await login({ ...right, totp: '000000' }), 429, 'RATE_LIMITED'))).toEqual([
      'LOGIN_LOCKED',
    ]);
    await login({ ...right, totp: code(ana) }).expect(200);
    nextStep();
    expect(await actionsOf(ana.id)).toContain('operator.login_locked');
  });

  it('an unknown address is locked like a known one', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      if (i === 6) await prolongLocks();
      statuses.push((await login({ email: 'ghost@example.com', password: OTHER_PASSWORD })).status);
    }
    expect(statuses).toEqual([...Array<number>(6).fill(401), 429, 429]);
  });

  later('a hundred guesses at the code lock the second factor, whatever the address', async () => {
    const ana = await person();
    const attempt = { email: ana.email, password: PASSWORD };
    const statuses: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      if (i === 6) await prolongLocks();
      statuses.push((await login({ ...attempt, totp: String(i).padStart(6, '0') })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(94);
    expectError(await login({ ...attempt, totp: code(ana) }), 429, 'RATE_LIMITED');
  });

  later(
    'of four hundred wrong codes at once inside a session no more are judged than one after the other',
    async () => {
      const ana = await person();
      const { accessToken } = await loggedIn(ana);
      const answers = await Promise.all(
        Array.from({ length: 400 }, () => as(accessToken, '/operator/me/step-up', { totp: '000000' })),
      );
      const statuses = answers.map(({ status }) => status);
      // Too many at once is an answer, too; none is let through.
      expect(statuses.every((status) => [400, 429, 503].includes(status))).toBe(true);
      const judged = statuses.filter((status) => status === 400).length;
      expect([judged >= 1, judged <= 6]).toEqual([true, true]);
      const { rows } = await t.owner.query(
        `SELECT count(*)::int AS n FROM audit_entries WHERE subject_id = $1
       AND convert_from(canonical, 'UTF8')::jsonb ->> 'action' = 'operator.reauthentication_failed'`,
        [ana.id],
      );
      expect(rows).toEqual([{ n: judged }]);
    },
  );

  it('a right code forgets the wrong ones before it', async () => {
    const ana = await person();
    const { accessToken } = await loggedIn(ana);
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) {
        expect((await as(accessToken, '/operator/me/step-up', { totp: '000000' })).status).toBe(400);
      }
      nextStep();
      await as(accessToken, '/operator/me/step-up', { totp: code(ana) }).expect(200);
    }
  });

  it('a foreign device token is worth nothing', async () => {
    const [ana, eva] = [await person(), await person()];
    const { deviceToken } = await loggedIn(eva);
    for (let i = 0; i < 6; i += 1) await login({ email: ana.email, password: OTHER_PASSWORD });
    await prolongLocks();
    expectError(await login({ email: ana.email, password: PASSWORD, deviceToken }), 429, 'RATE_LIMITED');
  });

  it('inside a session too', async () => {
    const ana = await person();
    const { accessToken } = await loggedIn(ana);
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      if (i === 6) await prolongLocks();
      statuses.push((await as(accessToken, '/operator/me/totp', { password: OTHER_PASSWORD })).status);
    }
    expect(statuses).toEqual([...Array<number>(6).fill(400), 429, 429]);
  });
});

describe('refresh tokens', () => {
  const refresh = (refreshToken: string): Call => post('/operator/auth/refresh', { refreshToken });

  it('each is good once and gives the next one', async () => {
    // ASVS 7.2.2
    const first = await loggedIn(await person());
    const { body } = await refresh(first.refreshToken).expect(200);
    expect(body.data.refreshToken).not.toBe(first.refreshToken);
    await me(body.data.accessToken).expect(200);
    await refresh(body.data.refreshToken).expect(200);
  });

  it('one that comes a second time ends the session for whoever holds any of its tokens', async () => {
    // ASVS 10.4.5
    const ana = await person();
    const stolen = await loggedIn(ana);
    const { body } = await refresh(stolen.refreshToken).expect(200);
    expectError(await refresh(stolen.refreshToken), 401, 'CREDENTIALS_INVALID');
    expectError(await refresh(body.data.refreshToken), 401, 'CREDENTIALS_INVALID');
    await eventually(
      'the access token is dead',
      async () => (await me(body.data.accessToken)).status === 401,
    );
    expect(await actionsOf(ana.id)).toContain('operator.refresh_refused');
  });

  it('two at the same time: one succeeds, and then nobody', async () => {
    const { refreshToken } = await loggedIn(await person());
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const next = answers.find(({ status }) => status === 200)?.body.data.refreshToken as string;
    expectError(await refresh(next), 401, 'CREDENTIALS_INVALID');
  });

  it.each(['', 'x', 'vrt_', `vrt_${'A'.repeat(43)}`, `vit_${'A'.repeat(43)}`])(
    '%j is none',
    async (token) => {
      expect([400, 401]).toContain((await refresh(token)).status);
    },
  );

  it('an idle or an old session is not refreshed', async () => {
    // ASVS 7.3.1, 7.3.2, 7.6.1, 10.4.8
    for (const column of ['idle_expires_at', 'expires_at']) {
      const ana = await person();
      const { refreshToken } = await loggedIn(ana);
      await t.owner.query(
        `UPDATE operator_sessions SET ${column} = now() - interval '1 s' WHERE operator_id = $1`,
        [ana.id],
      );
      expectError(await refresh(refreshToken), 401, 'CREDENTIALS_INVALID');
    }
  });

  it('only hashes are stored', async () => {
    // ASVS 7.2.3, 11.5.1
    const { refreshToken, deviceToken } = await loggedIn(await person());
    const { rows } = await t.owner.query(
      `SELECT to_jsonb(r)::text AS text FROM operator_refresh_tokens r
       UNION ALL SELECT to_jsonb(d)::text FROM operator_devices d`,
    );
    const text = JSON.stringify(rows);
    for (const token of [refreshToken, deviceToken]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token).toString('hex'));
    }
  });
});

describe('cookie mode', () => {
  const jar = (answer: { headers: Record<string, unknown> }): Map<string, string> =>
    new Map(
      ((answer.headers['set-cookie'] ?? []) as string[]).map((line) => [
        line.slice(0, line.indexOf('=')),
        line,
      ]),
    );
  const valueOf = (line = ''): string => line.slice(line.indexOf('=') + 1, line.indexOf(';'));

  it('keeps the refresh token from scripts, and refreshing needs the CSRF token', async () => {
    // ASVS 3.3.1, 3.3.2, 3.3.4, 10.1.1
    const ana = await person();
    const answer = await login({
      email: ana.email,
      password: PASSWORD,
      totp: code(ana),
      cookie: true,
    }).expect(200);
    expect(answer.body.data).toMatchObject({
      refreshToken: null,
      deviceToken: null,
      csrfToken: expect.any(String),
    });
    const cookies = jar(answer);
    for (const name of ['vigia_refresh', 'vigia_device']) {
      expect(cookies.get(name)).toMatch(/; Path=\/operator\/auth;.*HttpOnly; SameSite=Strict$/);
    }
    expect(cookies.get('vigia_csrf')).not.toMatch(/HttpOnly/);
    const csrf = valueOf(cookies.get('vigia_csrf'));
    expect(csrf).toBe(answer.body.data.csrfToken);

    const cookie = `vigia_refresh=${valueOf(cookies.get('vigia_refresh'))}`;
    const refresh = (headers: Record<string, string>): Call =>
      post('/operator/auth/refresh', {}).set({ cookie, ...headers });
    expectError(await refresh({}), 403, 'CSRF_TOKEN_INVALID');
    expectError(await refresh({ 'x-csrf-token': 'wrong' }), 403, 'CSRF_TOKEN_INVALID');
    expectError(
      await refresh({ 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' }),
      403,
      'CSRF_TOKEN_INVALID',
    );
    expectError(
      await refresh({ 'x-csrf-token': csrf, 'sec-fetch-site': 'same-site' }),
      403,
      'CSRF_TOKEN_INVALID',
    );
    // None of these has used the token up.
    const refreshed = await refresh({ 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' }).expect(200);
    expect(refreshed.body.data.refreshToken).toBeNull();
    expect(valueOf(jar(refreshed).get('vigia_refresh'))).not.toBe(valueOf(cookies.get('vigia_refresh')));

    const out = await as(refreshed.body.data.accessToken, '/operator/auth/logout').expect(200);
    expect(jar(out).get('vigia_refresh')).toMatch(/Expires=Thu, 01 Jan 1970/);
  });

  it('the CSRF token of one session is nothing to another', async () => {
    // ASVS 3.5.1
    const [ana, eva] = [await person(), await person()];
    const [one, two] = [
      await login({ email: ana.email, password: PASSWORD, totp: code(ana), cookie: true }),
      await login({ email: eva.email, password: PASSWORD, totp: code(eva), cookie: true }),
    ];
    const cookie = `vigia_refresh=${valueOf(jar(one).get('vigia_refresh'))}`;
    const headers = { cookie, 'x-csrf-token': two.body.data.csrfToken as string };
    expectError(await post('/operator/auth/refresh', {}).set(headers), 403, 'CSRF_TOKEN_INVALID');
  });

  it('an access token is never taken from a cookie', async () => {
    // ASVS 3.5.2
    const { accessToken } = await loggedIn(await person());
    const answer = await supertest(t.url)
      .get('/operator/me')
      .set('cookie', `authorization=Bearer ${accessToken}`);
    expectError(answer, 401, 'CREDENTIALS_MISSING');
  });
});

describe('sessions', () => {
  it('are listed, ended one by one, or all at once', async () => {
    // ASVS 7.1.2, 7.4.1, 7.5.2, 10.4.9
    const ana = await person();
    const [first, second, third] = [await loggedIn(ana), await loggedIn(ana), await loggedIn(ana)];
    const list = await supertest(t.url)
      .get('/operator/me/sessions')
      .set('authorization', `Bearer ${third.accessToken}`)
      .expect(200);
    const listed = list.body.data as { id: string; current: boolean }[];
    expect(listed.map(({ id, current }) => [id, current])).toEqual([
      [third.sessionId, true],
      [second.sessionId, false],
      [first.sessionId, false],
    ]);
    const end = (id: string): Call =>
      supertest(t.url)
        .delete(`/operator/me/sessions/${id}`)
        .set('authorization', `Bearer ${third.accessToken}`);
    await end(first.sessionId).expect(200);
    expectError(await end(first.sessionId), 404, 'OPERATOR_SESSION_NOT_FOUND');
    expectError(await end('ops_nothing'), 404, 'OPERATOR_SESSION_NOT_FOUND');
    const eva = await loggedIn(await person());
    expectError(await end(eva.sessionId), 404, 'OPERATOR_SESSION_NOT_FOUND');

    await as(third.accessToken, '/operator/auth/logout-everywhere').expect(200);
    for (const { accessToken } of [first, second, third]) {
      await eventually('the token is dead', async () => (await me(accessToken)).status === 401);
    }
    await me(eva.accessToken).expect(200);
    expect(await actionsOf(ana.id)).toEqual(
      expect.arrayContaining(['operator.session_ended', 'operator.logged_out']),
    );
  });

  promised(
    'the tokens of a disabled operator are dead within five seconds, here and in another process',
    async () => {
      // ASVS 7.4.2
      const admin = await loggedIn(await person());
      const { rows } = await t.owner.query(
        `SELECT organisation_id FROM operator_sessions ORDER BY created_at DESC LIMIT 1`,
      );
      const bob = await person({ roles: ['ANALYST'], organisationId: rows[0].organisation_id as string });
      const grant = await loggedIn(bob);
      const other = await startTestApp({
        like: t,
        settings: { role: 'api' },
        override: (builder) => builder.overrideProvider(Clock).useValue(clock),
      });
      try {
        const there = (): Call =>
          supertest(other.url).get('/operator/me').set('authorization', `Bearer ${grant.accessToken}`);
        await me(grant.accessToken).expect(200);
        await there().expect(200);
        await as(admin.accessToken, `/operator/operators/opr_${bob.id.replaceAll('-', '')}/disable`).expect(
          200,
        );
        const disabledAt = performance.now();
        await eventually('dead here', async () => (await me(grant.accessToken)).status === 401);
        await eventually('dead there', async () => (await there()).status === 401);
        expectWithin(5_000, disabledAt);
        expectError(
          await post('/operator/auth/refresh', { refreshToken: grant.refreshToken }),
          401,
          'CREDENTIALS_INVALID',
        );
      } finally {
        await other.close();
      }
    },
  );
});

describe('passwords', () => {
  it('changing it needs the old one and the second factor, and ends all other sessions', async () => {
    // ASVS 6.2.2, 6.2.3
    const ana = await person();
    const [other, mine] = [await loggedIn(ana), await loggedIn(ana)];
    const change = (body: object): Call => as(mine.accessToken, '/operator/me/password', body);
    const right = { password: PASSWORD, newPassword: OTHER_PASSWORD };
    expectError(
      await change({ ...right, password: OTHER_PASSWORD, totp: code(ana) }),
      400,
      'VALIDATION_FAILED',
    );
    expectError(await change(right), 400, 'VALIDATION_FAILED');
    await change({ ...right, totp: code(ana) }).expect(200);
    nextStep();
    await eventually('the other session is over', async () => (await me(other.accessToken)).status === 401);
    await me(mine.accessToken).expect(200);
    const attempt = { email: ana.email, totp: code(ana) };
    expectError(await login({ ...attempt, password: PASSWORD }), 401, 'CREDENTIALS_INVALID');
    await login({ ...attempt, password: OTHER_PASSWORD }).expect(200);
  });

  it.each([
    ['short-7-Kp', 'TOO_SHORT'],
    ['x'.repeat(129), 'TOO_LONG'],
    ['password1234', 'PASSWORD_GUESSABLE'],
    ['P@ssw0rdP@ssw0rd', 'PASSWORD_GUESSABLE'],
    ['flamengo1234', 'PASSWORD_GUESSABLE'],
    ['qwertyuiop123', 'PASSWORD_GUESSABLE'],
    ['aaaaaaaaaaaaaaaa', 'PASSWORD_GUESSABLE'],
    ['vigia-vigia-vigia', 'PASSWORD_GUESSABLE'],
    ['20261120-20261120', 'PASSWORD_GUESSABLE'],
  ])('%s is refused: %s', async (password, detail) => {
    // ASVS 6.2.4, 6.2.12
    const refusal = await t.app
      .get(Passwords)
      .requireStrong(password, [], COMMAND_LINE)
      .then(
        () => null,
        (error: unknown) => (error as DomainError).details[0]?.code,
      );
    expect(refusal).toBe(detail);
  });

  it('eleven characters are too few, and twelve are enough, whoever chooses them', async () => {
    // ASVS 6.2.1
    const admin = await t.operator();
    const { token } = await invited(admin, {
      email: `p-${randomBytes(5).toString('hex')}@example.com`,
      name: 'Ana',
      roles: ['ANALYST'],
    });
    const password = 'kP7 vq#2 zR9';
    const short = await post('/operator/auth/invitations/accept', { token, password: password.slice(1) });
    expect(detailsOf(expectError(short, 400, 'VALIDATION_FAILED'))).toEqual(['password TOO_SHORT']);
    await post('/operator/auth/invitations/accept', { token, password }).expect(201);
  });

  it('one that was chosen years ago still logs in: nobody has to change it from time to time', async () => {
    // ASVS 6.2.10
    const ana = await person();
    await t.owner.query(
      `UPDATE operators SET password_changed_at = now() - interval '10 years', created_at = now() - interval '10 years'
       WHERE id = $1`,
      [ana.id],
    );
    await login({ email: ana.email, password: PASSWORD, totp: code(ana) }).expect(200);
  });

  it('a login beside a session is a session of its own, with tokens of its own', async () => {
    // ASVS 7.2.4
    const ana = await person({ totp: false });
    const [first, second] = [await loggedIn(ana), await loggedIn(ana)];
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
  });

  later('the own name and address are refused; 128 characters of any kind are not', async () => {
    // ASVS 6.2.5, 6.2.8, 6.2.9, 6.2.11
    const passwords = t.app.get(Passwords);
    const own = ['Ana Exemplar', 'ana.exemplar@example.com'];
    await expect(passwords.requireStrong('exemplar-exemplar', own, COMMAND_LINE)).rejects.toMatchObject({
      details: [{ code: 'PASSWORD_GUESSABLE' }],
    });
    await passwords.requireStrong(`ção 漢字 🔑 ${'k9#'.repeat(3)} rio manso`, own, COMMAND_LINE);
    await passwords.requireStrong('Zq7 '.repeat(3) + randomBytes(58).toString('hex'), own, COMMAND_LINE);
  });

  it('are stored as argon2id with at least 46 MiB, and two of them give two hashes', async () => {
    // ASVS 11.4.2
    expect(passwordHash).toMatch(
      /^\$argon2id\$v=19\$m=(4710[4-9]|47[2-9]\d\d|4[89]\d{3}|[5-9]\d{4}),t=\d+,p=1\$/,
    );
    expect(await t.app.get(Passwords).hash(PASSWORD, COMMAND_LINE)).not.toBe(passwordHash);
  });
});

describe('access tokens', () => {
  const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nowSeconds = (): number => Math.floor(clock.now() / 1_000);
  let good: GrantBody;
  let keys: TokenKeys;
  let header: { alg: string; kid: string; typ: string };
  let payload: Record<string, unknown>;

  beforeAll(async () => {
    clock.aheadMs = 0;
    keys = t.app.get(TokenKeys);
    good = await loggedIn(await person());
    const [first = '', second = ''] = good.accessToken.split('.');
    header = JSON.parse(Buffer.from(first, 'base64url').toString()) as typeof header;
    payload = JSON.parse(Buffer.from(second, 'base64url').toString()) as typeof payload;
  });

  const signed = (head: object, body: object, key: KeyObject): string => {
    const input = `${b64(head)}.${b64(body)}`;
    return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
  };
  const mine = (head: object, body: object): string => signed(head, body, keys.current.privateKey);
  const hs256 = (head: object, body: object, secret: Buffer | string): string => {
    const input = `${b64(head)}.${b64(body)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const publicKey = (): KeyObject => createPublicKey(keys.current.privateKey);
  const foreign = generateKeyPairSync('ed25519');

  it('a token signed as ours by this test is accepted, so what follows is refused for its one difference', async () => {
    // ASVS 7.2.1, 9.1.1, 9.1.2, 9.2.2, 9.2.3, 9.2.4, 10.3.1, 10.3.3, 11.6.1
    expect(header).toEqual({ alg: 'EdDSA', kid: 'test', typ: 'at+jwt' });
    expect(Object.keys(payload).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'nbf', 'sid', 'sub']);
    expect(Number(payload['exp']) - Number(payload['iat'])).toBe(600);
    await me(mine(header, payload)).expect(200);
  });

  const attacks: [string, () => string][] = [
    ['alg none', () => `${b64({ ...header, alg: 'none' })}.${b64(payload)}.`],
    [
      'alg None with the old signature',
      () => `${b64({ ...header, alg: 'None' })}.${good.accessToken.split('.').slice(1).join('.')}`,
    ],
    ['no signature', () => good.accessToken.split('.').slice(0, 2).join('.') + '.'],
    ['two parts', () => good.accessToken.split('.').slice(0, 2).join('.')],
    [
      'HS256 with the public key as PEM',
      () => hs256({ ...header, alg: 'HS256' }, payload, publicKey().export({ type: 'spki', format: 'pem' })),
    ],
    [
      'HS256 with the public key as DER',
      () => hs256({ ...header, alg: 'HS256' }, payload, publicKey().export({ type: 'spki', format: 'der' })),
    ],
    [
      'HS256 with the raw public key',
      () =>
        hs256(
          { ...header, alg: 'HS256' },
          payload,
          Buffer.from(publicKey().export({ format: 'jwk' }).x ?? '', 'base64url'),
        ),
    ],
    ['HS256 with an empty secret', () => hs256({ ...header, alg: 'HS256' }, payload, '')],
    ['HS256 inside EdDSA', () => hs256(header, payload, publicKey().export({ type: 'spki', format: 'pem' }))],
    ['alg ES256 with our signature', () => mine({ ...header, alg: 'ES256' }, payload)],
    ['alg Ed448 with our signature', () => mine({ ...header, alg: 'Ed448' }, payload)],
    ['a foreign key under our kid', () => signed(header, payload, foreign.privateKey)],
    ['an unknown kid', () => mine({ ...header, kid: 'other' }, payload)],
    ['no kid', () => mine({ alg: header.alg, typ: header.typ }, payload)],
    ['kid is a path', () => signed({ ...header, kid: '../../../../dev/null' }, payload, foreign.privateKey)],
    ['kid is SQL', () => signed({ ...header, kid: `' UNION SELECT 'x` }, payload, foreign.privateKey)],
    [
      'kid is a property of every object',
      () => signed({ ...header, kid: '__proto__' }, payload, foreign.privateKey),
    ],
    ['kid is not text', () => mine({ ...header, kid: ['test'] }, payload)],
    [
      'jwk in the header',
      () =>
        signed({ ...header, jwk: foreign.publicKey.export({ format: 'jwk' }) }, payload, foreign.privateKey),
    ],
    [
      'jwk in the header, our signature',
      () => mine({ ...header, jwk: publicKey().export({ format: 'jwk' }) }, payload),
    ],
    ['jku', () => signed({ ...header, jku: 'http://127.0.0.1:1/keys' }, payload, foreign.privateKey)],
    ['x5u', () => signed({ ...header, x5u: 'http://127.0.0.1:1/cert' }, payload, foreign.privateKey)],
    ['x5c', () => signed({ ...header, x5c: ['AA'] }, payload, foreign.privateKey)],
    ['crit', () => mine({ ...header, crit: ['exp'] }, payload)],
    ['b64 false', () => mine({ ...header, b64: false, crit: ['b64'] }, payload)],
    ['typ JWT', () => mine({ ...header, typ: 'JWT' }, payload)],
    ['no typ', () => mine({ alg: header.alg, kid: header.kid }, payload)],
    ['wrong iss', () => mine(header, { ...payload, iss: 'urn:vigia:production' })],
    ['no iss', () => mine(header, { ...payload, iss: undefined })],
    ['wrong aud', () => mine(header, { ...payload, aud: 'urn:vigia:sandbox' })],
    [
      'aud of another environment',
      () => mine(header, { ...payload, aud: 'urn:vigia:production:operator-api' }),
    ],
    ['no aud', () => mine(header, { ...payload, aud: undefined })],
    ['not yet', () => mine(header, { ...payload, nbf: nowSeconds() + 60 })],
    ['no nbf', () => mine(header, { ...payload, nbf: undefined })],
    ['no exp', () => mine(header, { ...payload, exp: undefined })],
    ['exp is text', () => mine(header, { ...payload, exp: '9999999999' })],
    ['no jti', () => mine(header, { ...payload, jti: undefined })],
    ['no sid', () => mine(header, { ...payload, sid: undefined })],
    [
      'a session that never was',
      () => mine(header, { ...payload, sid: 'ops_019364d0c0de7000a000000000000001' }),
    ],
    [
      'another operator’s session',
      () => mine(header, { ...payload, sub: 'opr_019364d0c0de7000a000000000000001' }),
    ],
    [
      'a tampered claim',
      () => {
        const [head, , signature] = good.accessToken.split('.');
        return `${head}.${b64({ ...payload, sub: 'opr_019364d0c0de7000a000000000000001' })}.${signature}`;
      },
    ],
    [
      'a tampered signature',
      () => good.accessToken.slice(0, -4) + (good.accessToken.endsWith('AAAA') ? 'BBBB' : 'AAAA'),
    ],
    ['an encrypted token', () => `${b64({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
    ['a refresh token', () => good.refreshToken],
    ['ten thousand characters', () => 'a'.repeat(10_000)],
    ['a client secret', () => `vsk_${'a'.repeat(43)}`],
  ];

  it.each(attacks)('%s: 401', async (_, forge) => {
    const answer = await me(forge());
    expectError(answer, 401, 'CREDENTIALS_INVALID');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="operator"');
  });

  it('an expired one is 401 TOKEN_EXPIRED, and says nothing more', async () => {
    // ASVS 9.2.1
    const past = nowSeconds() - 3_600;
    const expired = mine(header, { ...payload, iat: past, nbf: past, exp: past + 600 });
    expect(detailsOf(expectError(await me(expired), 401, 'TOKEN_EXPIRED'))).toEqual([]);
    const forged = signed(header, { ...payload, iat: past, nbf: past, exp: past + 600 }, foreign.privateKey);
    expectError(await me(forged), 401, 'CREDENTIALS_INVALID');
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer ', 'bearer', 'Token x'])(
    '%j is no credential',
    async (authorization) => {
      expectError(
        await supertest(t.url).get('/operator/me').set('authorization', authorization),
        401,
        'CREDENTIALS_MISSING',
      );
    },
  );

  later('a token signed with an older key of the ring is good until it expires', async () => {
    // ASVS 9.1.3
    const rotated = await startTestApp({
      like: t,
      settings: { role: 'api', keyRing: [{ id: 'newer', bytes: randomBytes(32) }, ...t.settings.keyRing] },
    });
    try {
      const there = (token: string): Call =>
        supertest(rotated.url).get('/operator/me').set('authorization', `Bearer ${token}`);
      await there(good.accessToken).expect(200);
      const newer = signed(
        { ...header, kid: 'newer' },
        payload,
        rotated.app.get(TokenKeys).current.privateKey,
      );
      await there(newer).expect(200);
      expectError(await me(newer), 401, 'CREDENTIALS_INVALID');
    } finally {
      await rotated.close();
    }
  });
});

describe('invitations', () => {
  const accept = (body: object): Call => post('/operator/auth/invitations/accept', body);

  it('make an account once, with the roles of the invitation', async () => {
    const admin = await t.operator();
    const email = `new-${randomBytes(4).toString('hex')}@example.com`;
    const { token, id } = await invited(admin, { email, name: 'New Person', roles: ['ANALYST'] });
    expectError(await accept({ token, password: 'password1234' }), 400, 'VALIDATION_FAILED');
    const answers = await Promise.all([
      accept({ token, password: OTHER_PASSWORD }),
      accept({ token, password: OTHER_PASSWORD }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    expectError(await accept({ token, password: OTHER_PASSWORD }), 404, 'INVITATION_INVALID');
    const made = answers.find(({ status }) => status === 201);
    expect(made?.body.data).toMatchObject({
      email,
      name: 'New Person',
      roles: ['ANALYST'],
      status: 'ENABLED',
    });
    await login({ email, password: OTHER_PASSWORD }).expect(200);
    expect(await actionsOf(id)).toEqual(['operator_invitation.created', 'operator_invitation.accepted']);
    const again = { email, name: 'Again', roles: ['ANALYST'], reason: WHY };
    expectError(await as(admin.token, '/operator/invitations', again), 409, 'STATE_CONFLICT');
  });

  it('an address that another organisation knows is invited like one that nobody knows', async () => {
    const elsewhere = await person();
    const admin = await t.operator();
    const { token } = await invited(admin, { email: elsewhere.email, name: 'Ana', roles: ['ANALYST'] });
    const answer = await post('/operator/auth/invitations/accept', { token, password: OTHER_PASSWORD });
    expect(answer.status).toBe(201);
    const { rows } = await t.owner.query(`SELECT count(*)::int AS n FROM operators WHERE email = $1`, [
      elsewhere.email,
    ]);
    expect(rows).toEqual([{ n: 2 }]);
  });

  it('expire, and can be taken back', async () => {
    // ASVS 6.4.1
    const admin = await t.operator();
    const invite = (): Promise<{ token: string; id: string }> =>
      invited(admin, {
        email: `new-${randomBytes(4).toString('hex')}@example.com`,
        name: 'N',
        roles: ['AUDITOR'],
      });
    const [old, taken, foreignOne] = [await invite(), await invite(), await invite()];
    const remove = (token: string, id: string): Call =>
      supertest(t.url)
        .delete(`/operator/invitations/${publicId('inv', id)}`)
        .set('authorization', `Bearer ${token}`);
    await remove(admin.token, taken.id).expect(200);
    expectError(await remove(admin.token, taken.id), 404, 'INVITATION_NOT_FOUND');
    expectError(await remove((await t.operator()).token, foreignOne.id), 404, 'INVITATION_NOT_FOUND');
    await t.owner.query(`UPDATE operator_invitations SET expires_at = now() WHERE id = $1`, [old.id]);
    for (const { token } of [old, taken]) {
      expectError(await accept({ token, password: OTHER_PASSWORD }), 404, 'INVITATION_INVALID');
    }
  });

  it('a set-up token makes the first administrator of an organisation, once and only the first', async () => {
    // ASVS 6.3.2
    const name = `org-${randomBytes(4).toString('hex')}`;
    const organisationId = await t.app.get(ClientAppsService).ensureOrganisation(name, name);
    const replaced = await t.app.get(InvitationsService).createSetupToken(organisationId);
    const token = await t.app.get(InvitationsService).createSetupToken(organisationId);
    const setup = (body: object): Call =>
      post('/operator/auth/setup', {
        email: `${name}@example.com`,
        name: 'First',
        password: PASSWORD,
        ...body,
      });
    expectError(await setup({ token: replaced }), 404, 'INVITATION_INVALID');
    expectError(await setup({ token: `vst_${'A'.repeat(43)}` }), 404, 'INVITATION_INVALID');
    const { body } = await setup({ token }).expect(201);
    expect(body.data).toMatchObject({ roles: ['ADMIN'] });
    expectError(await setup({ token, email: 'second@example.com' }), 404, 'INVITATION_INVALID');
    expect(await t.app.get(InvitationsService).createSetupToken(organisationId)).toBeNull();
  });
});

describe('operators', () => {
  const idOf = ({ id }: { id: string }): string => `opr_${id.replaceAll('-', '')}`;

  it('are listed page by page, only those of the own organisation', async () => {
    const admin = await t.operator();
    const others = [
      await t.operator({ organisationId: admin.organisationId, roles: ['ANALYST'] }),
      await t.operator({ organisationId: admin.organisationId, roles: ['AUDITOR'] }),
    ];
    const api = t.api.asOperator(admin);
    const first = await api.get('/operator/operators?limit=2').expect(200);
    expect(first.body.page).toMatchObject({ limit: 2, hasMore: true, nextCursor: expect.any(String) });
    const second = await api
      .get(`/operator/operators?limit=2&cursor=${first.body.page.nextCursor}`)
      .expect(200);
    expect(second.body.page).toEqual({ limit: 2, nextCursor: null, hasMore: false });
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual([admin, ...others].map(idOf));
    expect(JSON.stringify(first.body)).not.toMatch(/argon2|hash|seed/i);
  });

  it.each([
    'x',
    'eyJ9',
    Buffer.from('["x"]').toString('base64url'),
    Buffer.from('[1]').toString('base64url'),
  ])('cursor %s is none of theirs', async (cursor) => {
    const admin = await t.operator();
    expectError(
      await t.api.asOperator(admin).get(`/operator/operators?cursor=${cursor}`),
      400,
      'CURSOR_INVALID',
    );
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1&limit=2', 'page=2', 'kind=ROBOT'])(
    '?%s: 400',
    async (query) => {
      const admin = await t.operator();
      expectError(
        await t.api.asOperator(admin).get(`/operator/operators?${query}`),
        400,
        'VALIDATION_FAILED',
      );
    },
  );

  it('one of another organisation is answered like one that never was', async () => {
    const [admin, stranger] = [await t.operator(), await t.operator()];
    const api = t.api.asOperator(admin);
    const never = 'opr_019364d0c0de7000a000000000000001';
    const ids = { 'x-request-id': 'req-1', 'x-correlation-id': 'req-1' };
    for (const call of [
      (id: string) => api.get(`/operator/operators/${id}`),
      (id: string) => api.call('patch', `/operator/operators/${id}`).send({ name: 'X' }),
      (id: string) => api.post(`/operator/operators/${id}/disable`),
      (id: string) => api.post(`/operator/operators/${id}/enable`).send({ reason: WHY }),
      (id: string) => api.post(`/operator/operators/${id}/totp/reset`).send({ reason: WHY }),
      (id: string) => api.post(`/operator/operators/${id}/roles`).send({ roles: ['ANALYST'], reason: WHY }),
      (id: string) => api.post(`/operator/operators/${id}/sessions/end`),
      (id: string) => api.post(`/operator/operators/${id}/secret`),
    ]) {
      const answers = [
        await call(idOf(stranger)).set(ids),
        await call(never).set(ids),
        await call('x').set(ids),
      ];
      for (const answer of answers) expectError(answer, 404, 'OPERATOR_NOT_FOUND');
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    await t.api.asOperator(stranger).get('/operator/me').expect(200);
  });

  it('a change of roles is felt at once and is in the trail; nobody changes the own ones', async () => {
    // ASVS 10.3.2
    const admin = await t.operator();
    const bob = await t.operator({ organisationId: admin.organisationId, roles: ['ANALYST', 'DEVELOPER'] });
    const api = t.api.asOperator(admin);
    await t.api.asOperator(bob).get('/operator/dead-letters').expect(200);
    await api
      .call('patch', `/operator/operators/${idOf(bob)}`)
      .send({ roles: ['ANALYST'] })
      .expect(200);
    await eventually(
      'bob may read no longer',
      async () => (await t.api.asOperator(bob).get('/operator/webhook-endpoints')).status === 403,
    );
    expect((await trailOf(bob.id)).find(({ action }) => action === 'operator.updated')).toMatchObject({
      action: 'operator.updated',
      actor: `operator:${admin.id}`,
      content: { rolesBefore: ['ANALYST', 'DEVELOPER'], roles: ['ANALYST'] },
    });
    const own = await api
      .call('patch', `/operator/operators/${idOf(admin)}`)
      .send({ roles: ['ADMIN', 'ANALYST'] });
    expectError(own, 403, 'FOUR_EYES_REQUIRED');
    const more = await api
      .call('patch', `/operator/operators/${idOf(bob)}`)
      .send({ roles: ['COMPLIANCE_OFFICER'] });
    expect(detailsOf(expectError(more, 403, 'FOUR_EYES_REQUIRED'))).toEqual(['roles ASK_FOR_IT']);
    expectError(await api.post(`/operator/operators/${idOf(admin)}/disable`), 403, 'FOUR_EYES_REQUIRED');
  });

  it('the last administrator stays, also when two of them act at once', async () => {
    const one = await t.operator();
    const two = await t.operator({ organisationId: one.organisationId });
    const answers = await Promise.all([
      t.api.asOperator(one).post(`/operator/operators/${idOf(two)}/disable`),
      t.api.asOperator(two).post(`/operator/operators/${idOf(one)}/disable`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await t.owner.query(
      `SELECT 1 FROM operators WHERE organisation_id = $1 AND status = 'ENABLED'`,
      [one.organisationId],
    );
    expect(rows).toHaveLength(1);
  });

  it('somebody who lost the second factor gets a new chance by an administrator', async () => {
    // ASVS 6.4.4
    const ana = await person({ roles: ['ANALYST'] });
    const admin = await t.operator({ organisationId: ana.organisationId });
    const second = await t.operator({ organisationId: ana.organisationId });
    const asked = await t.api
      .asOperator(admin)
      .post(`/operator/operators/${idOf(ana)}/totp/reset`)
      .send({ reason: WHY })
      .expect(202);
    await approve(t.api.asOperator(second), asked);
    const { accessToken } = await loggedIn({ ...ana, seed: '' });
    expect((await me(accessToken)).body.data).toMatchObject({ strong: false, totpEnrolled: false });
    expect(await actionsOf(ana.id)).toContain('operator.totp_reset');
  });
});

describe('machine operators', () => {
  const make = async (
    permissions: readonly string[],
  ): Promise<{ id: string; secret: string; token: string }> => {
    const admin = await t.operator();
    const { body } = await t.api
      .asOperator(admin)
      .post('/operator/operators')
      .send({ name: 'reports', permissions })
      .expect(201);
    return { ...(body.data as { id: string; secret: string }), token: admin.token };
  };
  const exchange = (operatorId: string, secret: string): Call =>
    post('/operator/auth/token', { operatorId, secret });

  it('get a short-lived token for their secret, with their own permissions', async () => {
    const { id, secret } = await make(['operators:read']);
    const { body } = await exchange(id, secret).expect(200);
    expect(body.data).toMatchObject({ refreshToken: null, deviceToken: null, expiresIn: 600 });
    const token = body.data.accessToken as string;
    expect((await me(token)).body.data).toMatchObject({
      kind: 'MACHINE',
      permissions: ['operators:read'],
      strong: false,
    });
    await supertest(t.url).get('/operator/operators').set('authorization', `Bearer ${token}`).expect(200);
    expectError(await as(token, '/operator/invitations', {}), 403, 'PERMISSION_DENIED');
    expectError(await as(token, '/operator/me/totp', { password: PASSWORD }), 403, 'PERMISSION_DENIED');
  });

  it('a wrong secret, an unknown machine and a person are answered alike', async () => {
    const { id } = await make(['kyt:read']);
    const human = await t.operator();
    const ids = { 'x-request-id': 'req-1', 'x-correlation-id': 'req-1' };
    const texts: string[] = [];
    for (const who of [
      id,
      'opr_019364d0c0de7000a000000000000001',
      `opr_${human.id.replaceAll('-', '')}`,
      'x',
    ]) {
      const answer = await exchange(who, `vms_${'a'.repeat(43)}`).set(ids);
      expectError(answer, 401, 'CREDENTIALS_INVALID');
      texts.push(answer.text);
    }
    expect(new Set(texts).size).toBe(1);
  });

  it('a new secret ends the old one and what was logged in with it', async () => {
    const { id, secret, token } = await make(['kyt:read']);
    const { body } = await exchange(id, secret).expect(200);
    const renewed = await as(token, `/operator/operators/${id}/secret`).expect(201);
    expectError(await exchange(id, secret), 401, 'CREDENTIALS_INVALID');
    await eventually('the token is dead', async () => (await me(body.data.accessToken)).status === 401);
    await exchange(id, renewed.body.data.secret).expect(200);
  });

  it.each([
    [{ name: 'm', permissions: ['reviews:decide'] }, 'permissions[0] VALUE_NOT_ALLOWED'],
    [{ name: 'm' }, 'permissions TYPE_INVALID'],
    [{ name: 'm', permissions: ['kyt:read'], roles: ['ADMIN'] }, 'roles UNKNOWN_FIELD'],
  ])('%j is refused: %s', async (body, detail) => {
    const admin = await t.operator();
    const answer = await t.api.asOperator(admin).post('/operator/operators').send(body);
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual([detail]);
  });

  later('are off unless switched on, and then the existing ones too', async () => {
    const { id, secret } = await make(['kyt:read']);
    const off = await startTestApp({ like: t, settings: { role: 'api', machineOperators: false } });
    try {
      const admin = await off.operator();
      const body = { name: 'm', permissions: ['kyt:read'] };
      expectError(
        await off.api.asOperator(admin).post('/operator/operators').send(body),
        400,
        'VALIDATION_FAILED',
      );
      const answer = await supertest(off.url).post('/operator/auth/token').send({ operatorId: id, secret });
      expectError(answer, 403, 'OPERATOR_DISABLED');
    } finally {
      await off.close();
    }
  });
});
