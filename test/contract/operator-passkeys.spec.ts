import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import {
  systemActorContext,
  COMMAND_LINE,
  OperatorsService,
  Passwords,
} from '../../src/features/operators/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { SoftwareAuthenticator, type Behaviour } from '../support/authenticator.js';

const ORIGIN = 'https://vigia.example.com';
const PASSWORD = 'jardim-cobre-7-planalto';

let t: TestApp;
let passwordHash: string;

beforeAll(async () => {
  t = await startTestApp({ settings: { publicUrl: ORIGIN } });
  passwordHash = await t.app.get(Passwords).hash(PASSWORD, COMMAND_LINE);
});

afterAll(async () => {
  await t.close();
});

interface Person {
  readonly id: string;
  readonly organisationId: string;
  readonly email: string;
}

async function person(
  options: { organisationId?: string; password?: boolean; roles?: ['ADMIN'] } = {},
): Promise<Person> {
  const name = `k-${randomBytes(5).toString('hex')}`;
  const organisationId =
    options.organisationId ?? (await t.app.get(ClientAppsService).ensureOrganisation(name, name));
  const email = `${name}@example.com`;
  const made = {
    organisationId,
    email,
    name,
    roles: options.roles ?? (['ADMIN'] as const),
    passwordHash: options.password === false ? null : passwordHash,
  };
  const id = await t.app
    .get(UnitOfWork)
    .run(organisationId, (tx) => t.app.get(OperatorsService).addPerson(tx, made, systemActorContext('test')));
  if (id === null) throw new Error('the address is taken');
  return { id, organisationId, email };
}

type Options = Parameters<SoftwareAuthenticator['create']>[0] & { readonly rpId?: string };
interface Answer {
  readonly status: number;
  readonly body: { readonly data: Record<string, never>; readonly error: { readonly code: string } | null };
}

async function call(route: string, body: object = {}, token?: string): Promise<Answer> {
  const request = t.api.post(route);
  if (token !== undefined) request.set('authorization', `Bearer ${token}`);
  const { status, body: answer } = await request.send(body);
  return { status, body: answer as Answer['body'] };
}

const optionsOf = async (route: string, body: object = {}, token?: string): Promise<Options> => {
  const answer = await call(route, body, token);
  expect(answer.status).toBe(201);
  return answer.body.data['publicKey'] as unknown as Options;
};

const logIn = ({ email }: Person, more: object = {}): Promise<Answer> =>
  call('/operator/auth/login', { email, password: PASSWORD, ...more });
const tokenOf = ({ body }: Answer): string => String(body.data['accessToken']);
const me = async (token: string): Promise<Record<string, unknown>> =>
  (await t.api.get('/operator/me').set('authorization', `Bearer ${token}`)).body.data as Record<
    string,
    unknown
  >;

/** Adds a passkey in a session; returns the answer. */
async function add(
  token: string,
  key: SoftwareAuthenticator,
  behaviour: Behaviour = {},
  shown: object = {},
): Promise<Answer> {
  const options = await optionsOf('/operator/me/passkeys/options', { password: PASSWORD, ...shown }, token);
  const credential = key.create(options, behaviour);
  return call('/operator/me/passkeys/verify', { name: 'Chave azul', credential }, token);
}

async function withPasskey(): Promise<{ who: Person; key: SoftwareAuthenticator; token: string }> {
  const who = await person();
  const token = tokenOf(await logIn(who));
  const key = new SoftwareAuthenticator(ORIGIN);
  expect((await add(token, key)).status).toBe(201);
  return { who, key, token };
}

async function signIn(key: SoftwareAuthenticator, behaviour: Behaviour = {}): Promise<Answer> {
  const options = await optionsOf('/operator/auth/passkeys/options');
  return call('/operator/auth/passkeys/verify', { credential: key.get(options, behaviour) });
}

describe('adding a passkey', () => {
  it('as the first second factor ends the other sessions, gives recovery codes and makes this one strong', async () => {
    const who = await person();
    const other = tokenOf(await logIn(who));
    const token = tokenOf(await logIn(who));
    expect(await me(token)).toMatchObject({ strong: false, passkeys: 0, totpEnrolled: false });
    const added = await add(token, new SoftwareAuthenticator(ORIGIN));
    expect(added.body.data).toMatchObject({ name: 'Chave azul', transports: ['internal'], backedUp: false });
    expect(added.body.data['recoveryCodes']).toHaveLength(10);
    expect(await me(token)).toMatchObject({ strong: true, passkeys: 1, totpEnrolled: false });
    expect((await t.api.get('/operator/me').set('authorization', `Bearer ${other}`)).status).toBe(401);
    const listed = await t.api.get('/operator/me/passkeys').set('authorization', `Bearer ${token}`);
    expect(listed.body.data).toHaveLength(1);
    expect(JSON.stringify(listed.body)).not.toContain('publicKey');
  });

  it('a second one needs the first, keeps the sessions and gives no codes', async () => {
    const { key, token } = await withPasskey();
    const wrong = await call('/operator/me/passkeys/options', { password: PASSWORD }, token);
    expect(wrong.status).toBe(400);
    const shown = { passkey: key.get(await optionsOf('/operator/me/step-up/options', {}, token)) };
    const second = await add(token, new SoftwareAuthenticator(ORIGIN), {}, shown);
    expect([second.status, second.body.data['recoveryCodes']]).toEqual([201, null]);
    expect(await me(token)).toMatchObject({ passkeys: 2 });
  });

  it("under an id that is somebody else's, in another organisation, adds nothing and tells nothing", async () => {
    const { key } = await withPasskey();
    const token = tokenOf(await logIn(await person()));
    const stolen = await add(token, new SoftwareAuthenticator(ORIGIN, key.credentialId));
    expect([stolen.status, stolen.body.error?.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(await me(token)).toMatchObject({ strong: false, passkeys: 0 });
    expect((await signIn(key, { verifies: true })).status).toBe(200);
  });

  it.each<[string, Behaviour]>([
    ['another page', { origin: 'https://vigia.example.com.evil.example' }],
    ['another relying party', { rpId: 'example.com' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['an assertion', { type: 'webauthn.get' }],
  ])('refuses one made for %s', async (_, behaviour) => {
    const token = tokenOf(await logIn(await person()));
    const answer = await add(token, new SoftwareAuthenticator(ORIGIN), behaviour);
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(await me(token)).toMatchObject({ strong: false, passkeys: 0 });
  });

  it('a challenge is good once and for the operator who asked', async () => {
    const [ana, bruno] = [tokenOf(await logIn(await person())), tokenOf(await logIn(await person()))];
    const key = new SoftwareAuthenticator(ORIGIN);
    const options = await optionsOf('/operator/me/passkeys/options', { password: PASSWORD }, ana);
    const body = { name: 'x', credential: key.create(options) };
    expect((await call('/operator/me/passkeys/verify', body, bruno)).status).toBe(400);
    const twice = await Promise.all([1, 2].map(() => call('/operator/me/passkeys/verify', body, ana)));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, expect.any(Number)]);
    expect(await me(ana)).toMatchObject({ passkeys: 1 });
  });
});

describe('logging in with a passkey alone', () => {
  it('is strong, and the options name nobody', async () => {
    const { who, key } = await withPasskey();
    const options = await optionsOf('/operator/auth/passkeys/options');
    expect(options).toMatchObject({ rpId: 'vigia.example.com', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials', expect.arrayContaining([expect.anything()]));
    const answer = await call('/operator/auth/passkeys/verify', { credential: key.get(options) });
    expect(answer.status).toBe(200);
    expect(await me(tokenOf(answer))).toMatchObject({ email: who.email, strong: true });
    const { rows } = await t.owner.query(
      `SELECT convert_from(canonical, 'UTF8')::jsonb -> 'content' ->> 'method' AS method FROM audit_entries
       WHERE subject_id = $1 AND convert_from(canonical, 'UTF8')::jsonb ->> 'action' = 'operator.logged_in'
       ORDER BY subject_seq DESC LIMIT 1`,
      [who.id],
    );
    expect(rows).toEqual([{ method: 'PASSKEY' }]);
  });

  it('keeps the refresh token in a cookie where that is asked for', async () => {
    const { key } = await withPasskey();
    const options = await optionsOf('/operator/auth/passkeys/options');
    const response = await t.api
      .post('/operator/auth/passkeys/verify')
      .send({ credential: key.get(options), cookie: true });
    expect([response.status, response.body.data.refreshToken]).toEqual([200, null]);
    expect(String(response.headers['set-cookie'])).toMatch(/vigia_refresh=.*HttpOnly; SameSite=Strict/);
  });

  it.each<[string, Behaviour]>([
    ['without user verification', { verifies: false }],
    ['on another page', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['with a registration', { type: 'webauthn.create' }],
    ['under the handle of somebody else', { userHandle: randomBytes(16).toString('base64url') }],
    ['with a count that went back', { counter: 0 }],
  ])('is refused %s', async (_, behaviour) => {
    const { key } = await withPasskey();
    const answer = await signIn(key, behaviour);
    expect([answer.status, answer.body.error?.code]).toEqual([401, 'CREDENTIALS_INVALID']);
  });

  it('is refused with a signature of another key, an unknown passkey and a used challenge', async () => {
    const { key } = await withPasskey();
    const options = await optionsOf('/operator/auth/passkeys/options');
    const right = key.get(options);
    const other = new SoftwareAuthenticator(ORIGIN);
    const forged = {
      ...right,
      response: { ...right.response, signature: other.get(options).response.signature },
    };
    const answers = [];
    for (const credential of [
      forged,
      other.get(options, { userHandle: right.response.userHandle }),
      right,
      right,
    ]) {
      answers.push((await call('/operator/auth/passkeys/verify', { credential })).status);
    }
    expect(answers).toEqual([401, 401, 200, 401]);
  });

  it('a challenge answered 20 times at once lets one in', async () => {
    const { key } = await withPasskey();
    const credential = key.get(await optionsOf('/operator/auth/passkeys/options'));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('/operator/auth/passkeys/verify', { credential })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is refused when it is too late', async () => {
    const { key } = await withPasskey();
    const options = await optionsOf('/operator/auth/passkeys/options');
    await t.owner.query(`UPDATE operator_passkey_challenges SET expires_at = now() - interval '1 second'`);
    const answer = await call('/operator/auth/passkeys/verify', { credential: key.get(options) });
    expect(answer.status).toBe(401);
  });

  it('is refused for who is disabled, and for who logs in with the identity provider', async () => {
    const { who, key } = await withPasskey();
    await t.owner.query(`UPDATE operators SET password_hash = NULL WHERE id = $1`, [who.id]);
    expect((await signIn(key)).status).toBe(401);
    await t.owner.query(`UPDATE operators SET password_hash = 'x', status = 'DISABLED' WHERE id = $1`, [
      who.id,
    ]);
    expect((await signIn(key)).body.error?.code).toBe('OPERATOR_DISABLED');
  });
});

describe('a passkey beside a password', () => {
  it('is asked for, and user presence is enough', async () => {
    const { who, key } = await withPasskey();
    expect((await logIn(who)).body.error?.code).toBe('TOTP_REQUIRED');
    const asked = { userVerification: 'preferred' };
    const passkey = key.get(await optionsOf('/operator/auth/passkeys/options', asked), { verifies: false });
    const answer = await logIn(who, { passkey });
    expect([answer.status, (await me(tokenOf(answer)))['strong']]).toEqual([200, true]);
    expect((await logIn(who, { passkey })).status).toBe(401);
  });

  it('of somebody else is no second factor, and a recovery code is one', async () => {
    const who = await person();
    const key = new SoftwareAuthenticator(ORIGIN);
    const added = await add(tokenOf(await logIn(who)), key);
    const [code] = added.body.data['recoveryCodes'] as unknown as string[];
    const foreign = (await withPasskey()).key;
    const passkey = foreign.get(await optionsOf('/operator/auth/passkeys/options'));
    expect((await logIn(who, { passkey })).body.error?.code).toBe('CREDENTIALS_INVALID');
    expect((await logIn(who, { recoveryCode: code })).status).toBe(200);
    expect((await logIn(who, { recoveryCode: code })).status).toBe(401);
  });

  it('raises a session; options of the session are good for its operator alone', async () => {
    const { who, key, token } = await withPasskey();
    await t.owner.query(`UPDATE operator_sessions SET strong = false WHERE operator_id = $1`, [who.id]);
    const options = await optionsOf('/operator/me/step-up/options', {}, token);
    expect((await call('/operator/auth/passkeys/verify', { credential: key.get(options) })).status).toBe(401);
    const answer = await call('/operator/me/step-up', { passkey: key.get(options) }, token);
    expect([answer.status, (await me(token))['strong']]).toEqual([200, true]);
  });
});

describe('removing a passkey', () => {
  const remove = async (token: string, key: SoftwareAuthenticator, id: string): Promise<Answer> => {
    const passkey = key.get(await optionsOf('/operator/me/step-up/options', {}, token));
    return call(`/operator/me/passkeys/${id}/remove`, { password: PASSWORD, passkey }, token);
  };

  it('leaves the last second factor, also when two go at once', async () => {
    const { key, token } = await withPasskey();
    const ids = async (): Promise<string[]> =>
      (
        (await t.api.get('/operator/me/passkeys').set('authorization', `Bearer ${token}`)).body.data as {
          id: string;
        }[]
      ).map(({ id }) => id);
    const [first = ''] = await ids();
    expect((await remove(token, key, first)).body.error?.code).toBe('STATE_CONFLICT');
    const shown = { passkey: key.get(await optionsOf('/operator/me/step-up/options', {}, token)) };
    const second = await add(token, new SoftwareAuthenticator(ORIGIN), {}, shown);
    expect(second.status).toBe(201);
    for (const id of await ids()) await remove(token, key, id);
    expect(await ids()).toHaveLength(1);
  });

  it('the database refuses the removal of the last one by the service, whatever the service thinks', async () => {
    const { who } = await withPasskey();
    const removed = t.app
      .get(UnitOfWork)
      .run(who.organisationId, (tx) =>
        tx.query(`DELETE FROM operator_passkeys WHERE operator_id = $1 RETURNING id`, [who.id]),
      );
    await expect(removed).rejects.toThrow('the last second factor was taken away');
  });

  it('by a reset takes two administrators, and all of them go', async () => {
    const { who } = await withPasskey();
    const maker = await t.operator({ organisationId: who.organisationId });
    const checker = await t.operator({ organisationId: who.organisationId });
    const asked = await t.api
      .post(`/operator/operators/${publicId('opr', who.id)}/totp/reset`)
      .set('authorization', `Bearer ${maker.token}`)
      .send({ reason: 'She lost the key on a bus in the city of Recife.' });
    expect([asked.status, (await logIn(who)).body.error?.code]).toEqual([202, 'TOTP_REQUIRED']);
    await approve(t.api.asOperator(checker), asked);
    expect(await me(tokenOf(await logIn(who)))).toMatchObject({ strong: false, passkeys: 0 });
  });
});
