import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test as Call } from 'supertest';
import { expectError } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { afterTheCommit, beforeTheCommit, ThingsModule } from '../support/things-module.js';

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({ modules: [ThingsModule] });
  client = await t.client();
});

afterAll(async () => {
  await t.close();
});

const newKey = (): string => randomBytes(8).toString('hex');
const create = (key: string, body: object = { a: 1 }, shelf = newShelf(), as = client): Call =>
  t.api.as(as).post(`/things/${shelf}`).set('Idempotency-Key', key).send(body);

/** LegalHolds the next request in its transaction until it is let go. */
function hold(): { readonly isRunning: () => boolean; goOn(): void } {
  let goOn: (() => void) | undefined;
  beforeTheCommit.run = () =>
    new Promise((resolve) => {
      goOn = resolve;
      beforeTheCommit.run = () => Promise.resolve();
    });
  return { isRunning: () => goOn !== undefined, goOn: () => goOn?.() };
}

let shelves = 0;
const newShelf = (): string => `shelf-${(shelves += 1)}`;

async function created(shelf: string): Promise<number> {
  const { rows } = await t.owner.query('SELECT count(*)::int AS n FROM organisations WHERE name = $1', [
    shelf,
  ]);
  return (rows[0] as { n: number }).n;
}

describe('Idempotency-Key', () => {
  it('the same key with the same body gets the stored answer, byte for byte, and creates one thing', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    const first = await create(key, { a: 1, b: [2] }, shelf).expect(201);
    const again = await create(key, { b: [2], a: 1 }, shelf).expect(201);
    expect(again.text).toBe(first.text);
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: first.headers['location'],
    });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(await created(shelf)).toBe(1);
  });

  it('another body, or another address of the route: 422 IDEMPOTENCY_KEY_REUSED', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    await create(key, { a: 1 }, shelf).expect(201);
    expectError(await create(key, { a: 2 }, shelf), 422, 'IDEMPOTENCY_KEY_REUSED');
    expectError(await create(key, { a: 1 }, newShelf()), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await created(shelf)).toBe(1);
  });

  it('while the first request runs: 409 IDEMPOTENCY_IN_PROGRESS; 20 at once create one thing', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    const held = hold();
    const first = create(key, {}, shelf).then((answer) => answer);
    await eventually('the first request runs', held.isRunning);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(key, {}, shelf)));
    for (const answer of answers) {
      expect(expectError(answer, 409, 'IDEMPOTENCY_IN_PROGRESS').retryable).toBe(true);
      expect(answer.headers['retry-after']).toBe('1');
    }
    held.goOn();
    expect((await first).status).toBe(201);
    expect((await create(key, {}, shelf)).text).toBe((await first).text);
    expect(await created(shelf)).toBe(1);
  });

  it('keys of two applications and of two routes never meet; without a key nothing is kept', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    const other = await t.client();
    await create(key, {}, shelf).expect(201);
    const foreign = await create(key, {}, shelf, other).expect(201);
    expect(foreign.headers).not.toHaveProperty('idempotency-replayed');
    const route = t.api.as(client).post('/things/others/of-another-route');
    expect((await route.set('Idempotency-Key', key).send({})).status).toBe(201);
    await t.api.as(client).post(`/things/${shelf}`).send({}).expect(201);
    await t.api.as(client).post(`/things/${shelf}`).send({}).expect(201);
    expect(await created(shelf)).toBe(4);
  });

  it('a refusal is not kept: the corrected request may use the key', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    expectError(await create(key, { refuse: true }, shelf), 400, 'VALIDATION_FAILED');
    await create(key, { refuse: false }, shelf).expect(201);
  });

  it.each(['', ' ', 'x'.repeat(256), 'não', 'a\tb'])('a key that is none (%j): 400', async (key) => {
    // Node trims header values, so that a blank one arrives empty; names outside Latin-1 cannot be sent at all.
    const answer = await create(Buffer.from(key).toString('latin1'));
    expect(expectError(answer, 400, 'VALIDATION_FAILED').details[0]?.path).toBe('Idempotency-Key');
  });

  it('255 characters are a key', async () => {
    await create('~'.repeat(255)).expect(201);
  });

  it('a request whose process died before the commit may be taken over, and cannot commit afterwards', async () => {
    // ASVS 2.3.3
    const [key, shelf] = [newKey(), newShelf()];
    const held = hold();
    const stalled = create(key, {}, shelf).then((answer) => answer);
    await eventually('the first request runs', held.isRunning);
    await t.owner.query(`UPDATE idempotency_keys SET lease_until = now() WHERE NOT effective`);
    await create(key, {}, shelf).expect(201);
    held.goOn();
    expectError(await stalled, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(await created(shelf)).toBe(1);
  });

  it('a request that failed after its commit is never run again: 409 IDEMPOTENCY_OUTCOME_UNKNOWN', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    afterTheCommit.run = () => Promise.reject(new Error('a fault after the commit'));
    expectError(await create(key, {}, shelf), 500, 'INTERNAL_ERROR');
    afterTheCommit.run = () => Promise.resolve();
    expectError(await create(key, {}, shelf), 409, 'IDEMPOTENCY_IN_PROGRESS');
    await t.owner.query(`UPDATE idempotency_keys SET lease_until = now() WHERE sealed_answer IS NULL`);
    expectError(await create(key, {}, shelf), 409, 'IDEMPOTENCY_OUTCOME_UNKNOWN');
    expect(await created(shelf)).toBe(1);
  });

  it('after a day the key is free again', async () => {
    const [key, shelf] = [newKey(), newShelf()];
    await create(key, {}, shelf).expect(201);
    const { rows } = await t.owner.query(
      'SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM idempotency_keys',
    );
    const [{ seconds }] = rows as [{ seconds: number }];
    expect([seconds > 86_390, seconds <= 86_400]).toEqual([true, true]);
    await t.owner.query(`UPDATE idempotency_keys SET expires_at = now() - interval '1 s'`);
    await create(key, { other: true }, shelf).expect(201);
    expect(await created(shelf)).toBe(2);
  });

  it('neither the key nor the body nor the answer can be read in the database', async () => {
    const key = `key-${newKey()}`;
    await create(key, { document: '529.982.247-25' }).expect(201);
    const { rows } = await t.owner.query(
      `SELECT string_agg(k::text || encode(slot, 'escape') || encode(fingerprint, 'escape')
         || encode(sealed_answer, 'escape'), '') AS everything FROM idempotency_keys k WHERE sealed_answer IS NOT NULL`,
    );
    const { everything } = rows[0] as { everything: string };
    expect(everything.length).toBeGreaterThan(100);
    expect(everything).not.toMatch(new RegExp(`${key}|529.?982.?247|CANARY`));
  });
});
