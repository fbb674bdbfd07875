import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { system, UnitOfWork } from '../../src/platform/database/index.js';
import { BodyEncryption, type DecryptedBody } from '../../src/features/kyt/ingest/body-encryption.js';
import type { PreparedTransaction } from '../../src/features/kyt/domain/submission/prepared-transaction.js';
import { TransactionPreparer, type IntakeDraft } from '../../src/features/kyt/ingest/transaction-preparer.js';
import { VelocityFactProvider } from '../../src/features/kyt/facts/windows/velocity.fact-provider.js';
import { eventPacking } from '../../src/features/webhooks/domain/event-packing.js';
import { KeyRing } from '../../src/platform/privacy/key-ring.js';
import { newClientSecret } from '../../src/features/auth/domain/client-secret.js';
import {
  BlindIndex,
  KeyRotation,
  SealBrokenError,
  encryptionContextOf,
  type RotationProgress,
  SubjectKeys,
  Vault,
} from '../../src/platform/privacy/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { letAnybodyErase } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { databaseAsText, forbiddenIn, leaksIn, redisAsText } from '../support/leaks.js';
import { send } from '../support/raw-http.js';
import { WebhookReceiver } from '../support/receiver.js';

/** Everything that a row or a key could show of a person or a secret, in clear or as the bytes of it. */
const PERSONAL = {
  cpf: CPF.customer,
  cpfPunctuated: '529.982.247-25',
  payee: CPF.payee,
  cnpj: '11222333000181',
  name: 'CANARYNAME',
  customer: 'CANARYCUSTOMER',
  account: 'CANARYACCOUNT',
  bank: 'CANARYBANK',
  wallet: 'CANARYWALLET',
  device: 'CANARYDEVICE',
  ip: '198.51.100.77',
  metadataKey: 'CANARYKEY',
  metadataValue: 'CANARYVALUE',
} as const;

const aPersonalTransaction = (
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { transactionId: string } =>
  aTransaction({
    externalCustomerId: PERSONAL.customer,
    cpfCnpj: PERSONAL.cpfPunctuated,
    origin: {
      name: PERSONAL.name,
      cpfCnpj: PERSONAL.cpf,
      accountReference: PERSONAL.account,
      bankReference: PERSONAL.bank,
      country: 'BR',
      metadata: { [PERSONAL.metadataKey]: PERSONAL.metadataValue },
    },
    destination: {
      ...{ name: PERSONAL.name, cpfCnpj: PERSONAL.cnpj, walletReference: PERSONAL.wallet },
      country: 'BR',
    },
    metadata: {
      deviceId: PERSONAL.device,
      ipAddress: PERSONAL.ip,
      [PERSONAL.metadataKey]: [PERSONAL.metadataValue],
    },
    ...fields,
  });

const rowOf = async (
  t: TestApp,
  transactionId: string,
): Promise<{ id: string; sealed_body: Buffer; organisation_id: string }> => {
  const { rows } = await t.owner.query<{ id: string; sealed_body: Buffer; organisation_id: string }>(
    'SELECT id, sealed_body, organisation_id FROM kyt_transactions WHERE transaction_id = $1',
    [transactionId],
  );
  return rows[0]!;
};

async function openedBody(t: TestApp, transactionId: string): Promise<DecryptedBody> {
  const row = await rowOf(t, transactionId);
  const stored = { transactionRef: row.id, organisationId: row.organisation_id, bytes: row.sealed_body };
  const [opened] = await t.app.get(BodyEncryption).openMany([stored]);
  return opened!;
}

/** Destroys the key of the person with this document, at once. */
async function erase(t: TestApp, client: TestClient, document: string): Promise<number> {
  const keys = t.app.get(SubjectKeys);
  const index = t.app.get(BlindIndex).computeIndex(client.organisationId, 'document', document);
  const uow = t.app.get(UnitOfWork);
  await letAnybodyErase(t);
  await uow.run(client.organisationId, (tx) =>
    keys.requestErasure(tx, { organisationId: client.organisationId, index }, randomUUID()),
  );
  return uow.run(system('privacy.erasure'), (tx) => keys.destroyRequested(tx, 0));
}

/** Fails as a library does that quotes what it choked on. */
class BrokenPreparer extends TransactionPreparer {
  override prepare(drafts: readonly IntakeDraft[]): Promise<PreparedTransaction[]> {
    const broken = drafts.find(({ submission }) => submission.channel === 'BROKEN');
    if (!broken) return super.prepare(drafts);
    const { origin, taxId, externalCustomerId } = broken.submission;
    const cpf = taxId?.canonical() ?? '';
    const quoted = JSON.stringify({ name: origin.name, cpf, externalCustomerId });
    throw new SyntaxError(`Unexpected token in ${quoted} for ${cpf}, "${origin.name ?? ''}" is not valid`);
  }
}

class BrokenVelocity extends VelocityFactProvider {
  override find(
    ...[batch, sheets, parties]: Parameters<VelocityFactProvider['find']>
  ): ReturnType<VelocityFactProvider['find']> {
    const broken = batch.find(({ submission }) => submission.type === 'BROKEN_EVIDENCE');
    if (!broken) return super.find(batch, sheets, parties);
    throw new Error(
      `invalid input "${broken.submission.origin.name ?? ''}" of ${broken.submission.taxId?.canonical() ?? ''}`,
    );
  }
}

describe('secret handling: nothing personal and no secret in logs, Redis or the database', () => {
  let t: TestApp;
  let client: TestClient;
  let api: TestApi;
  let receiver: WebhookReceiver;
  let signingSecret: string;

  beforeAll(async () => {
    t = await startTestApp({
      override: (builder) =>
        builder
          .overrideProvider(TransactionPreparer)
          .useClass(BrokenPreparer)
          .overrideProvider(VelocityFactProvider)
          .useClass(BrokenVelocity),
      settings: { logLevel: 'debug' },
    });
    client = await t.client();
    api = t.api.as(client);
    receiver = await WebhookReceiver.listen();
    const { organisationId, id: clientAppId } = client;
    const actor = { type: 'operator', id: 'test' } as const;
    const created = await t.app
      .get(WebhookEndpointsService)
      .create({ organisationId, clientAppId, url: receiver.url, actor });
    signingSecret = created.secret;
    await sendCanaries();
  });

  afterAll(async () => {
    await t.close();
    await receiver.close();
  });

  const secrets = (): Record<string, string> => ({
    clientSecret: client.clientSecret,
    signingSecret,
    pepper: t.settings.clientSecretPepper.toString('base64'),
    indexKey: t.settings.indexKey.toString('base64'),
    ringKey: t.settings.keyRing[0]!.bytes.toString('base64'),
  });

  /** Whatever could end up in a log: accepted, refused, broken, unauthorised, and in every place of a request. */
  async function sendCanaries(): Promise<void> {
    const accepted = aPersonalTransaction();
    await api.ingest(accepted).expect(202);
    await api.ingest(accepted).expect(200);
    await api.ingest({ ...accepted, amount: 3 }).expect(409);
    await api.settled(accepted.transactionId);
    await api.ingest(aPersonalTransaction({ origin: {}, destination: { name: PERSONAL.name } })).expect(202);
    await api.ingestBatch([aPersonalTransaction(), aPersonalTransaction({ amount: -1 })]).expect(207);
    const legacyCustomer = { id: PERSONAL.customer, name: PERSONAL.name, document: PERSONAL.cpf };
    await api.legacy({ transactionId: 'legacy-1', customer: legacyCustomer, amount: 1 }).expect(202);

    const text = JSON.stringify(aPersonalTransaction());
    await api.ingest(text.slice(0, -1)).expect(400);
    await api.ingest(text.replace('120.5', '1e400')).expect(400);
    await api.ingest(text.replace(PERSONAL.name, `${PERSONAL.name}\\u0000`)).expect(400);
    const unknownFields = {
      [PERSONAL.cpf]: 1,
      [PERSONAL.name]: PERSONAL.cpf,
      '529.982.247-25': { [PERSONAL.payee]: 1 },
    };
    await api.ingest(aPersonalTransaction({ ...unknownFields, origin: { [PERSONAL.cpf]: 1 } })).expect(400);
    await api.ingest(aPersonalTransaction({ cpfCnpj: `${PERSONAL.cpf}0` })).expect(400);

    // A route that knows no query parameters refuses them; what they say is in nothing that is written about it.
    await api
      .ingest(aPersonalTransaction())
      .query({ cpf: PERSONAL.cpf, secret: client.clientSecret, name: PERSONAL.name })
      .expect(400);
    await api
      .ingest(aPersonalTransaction())
      .set({
        'x-request-id': PERSONAL.cpf,
        'x-correlation-id': `pedido:${PERSONAL.cpfPunctuated}`,
        traceparent: `00-${PERSONAL.name}-${PERSONAL.cpf}-01`,
        'user-agent': `${PERSONAL.name}/${PERSONAL.cpf}`,
        referer: `https://loja.example/${PERSONAL.cpf}`,
        cookie: `cpf=${PERSONAL.cpf}; name=${PERSONAL.name}`,
        authorization: `Bearer ${client.clientSecret}`,
        'x-forwarded-for': PERSONAL.ip,
      })
      .expect(202);
    await api.transaction(PERSONAL.cpf).expect(404);
    await api.transaction(`${PERSONAL.name}?cpf=${PERSONAL.cpf}`).expect(404);
    await t.api.get(`/${PERSONAL.name}/${PERSONAL.cpf}?secret=${client.clientSecret}`).expect(404);
    await t.api.get(`/client-apps/public/${PERSONAL.cpf}`).expect(404);
    const swapped = { 'x-client-id': client.clientSecret, 'x-client-secret': PERSONAL.cpf };
    await t.api.post('/kyt/transactions/ingest').set(swapped).send(aPersonalTransaction()).expect(401);
    await send(`${t.url}/transactions`, { method: PERSONAL.name.slice(0, 3), headers: swapped });

    // Faults of ours: while storing, and while evaluating.
    const broken = await api.ingest(aPersonalTransaction({ channel: 'BROKEN' }));
    expectError(broken, 500, 'INTERNAL_ERROR');
    const unevaluable = aPersonalTransaction({ type: 'BROKEN_EVIDENCE' });
    await api.ingest(unevaluable).expect(202);
    expect(await api.settled(unevaluable.transactionId)).toMatchObject({
      outcome: 'REVIEW',
      components: { VELOCITY: { state: 'ERROR', reason: 'PROVIDER_FAILED' } },
    });

    receiver.nextStatuses.push(500);
    await receiver.about(accepted.transactionId, 2);
  }

  it('"do not log credentials, full CPF/CNPJ": the log holds none, and nothing else of the person', async () => {
    // ASVS 16.2.5
    const log = t.log.join('');
    // It did log what happened, with where in the code and for which request.
    expect(log).toMatch(/request req_[0-9a-f]{32} failed unexpectedly/);
    expect(log).toMatch(/the provider of VELOCITY, DEVICE_IP failed/);
    expect(log).toContain('BrokenPreparer.prepare');
    expect(log).toContain('SyntaxError: Unexpected token in');
    expect(log.match(/"route":"\/kyt\/transactions\/ingest"/g)?.length).toBeGreaterThan(10);
    expect(leaksIn(log, { ...PERSONAL, ...secrets() })).toEqual([]);
  });

  it('no column of any table holds them in clear', async () => {
    // ASVS 14.1.2, 14.2.4
    const { text, rows } = await databaseAsText(t.owner);
    expect(rows).toMatchObject({
      kyt_transactions: expect.any(Number),
      kyt_evaluations: expect.any(Number),
      events: expect.any(Number),
      audit_entries: expect.any(Number),
      webhook_endpoints: 1,
    });
    expect(rows['kyt_transactions']).toBeGreaterThan(4);
    expect(text).toContain('legacy-1');
    expect(leaksIn(text, { ...PERSONAL, ...secrets() })).toEqual([]);
  });

  it('the search itself finds what is there, in clear, in hexadecimal and in Base64', () => {
    const forms = [
      'x CANARYNAME y',
      `\\x00${Buffer.from('CANARYNAME').toString('hex')}`,
      Buffer.from('CANARYNAME').toString('base64'),
    ];
    for (const form of forms) expect(leaksIn(form, PERSONAL)).toEqual(['name']);
  });

  it('and so does the one that every test file ends with', () => {
    // ASVS 16.2.5
    for (const form of [CPF.customer, Buffer.from(`x${CPF.customer}`).toString('hex'), newClientSecret()]) {
      expect(forbiddenIn(`a ${form} b`)).toHaveLength(1);
    }
    expect(forbiddenIn('52998224726 vsk_short eyJh.b.c')).toEqual([]);
  });

  it('no webhook holds them', () => {
    const sent = receiver.deliveries
      .map(({ body, headers }) => body.toString() + JSON.stringify(headers))
      .join('\n');
    expect(sent).toContain('kyt.transaction.pipeline.completed');
    // The integrator's own identifier of its customer is what it knows its customer by.
    const others = Object.entries({ ...PERSONAL, ...secrets() }).filter(([name]) => name !== 'customer');
    expect(leaksIn(sent, Object.fromEntries(others))).toEqual([]);
  });

  it('the settings do not show their secrets when they are wrong', async () => {
    const { readSettings } = await import('../../src/platform/config/index.js');
    const attempt = (): unknown =>
      readSettings({ KEY_RING: 'CANARYRING', CLIENT_SECRET_PEPPER: 'CANARYPEPPER' });
    expect(attempt).toThrow(/KEY_RING/);
    expect(attempt).not.toThrow(/CANARY/);
  });
});

describe('between the receipt and the evaluation', () => {
  let front: TestApp;
  let worker: TestApp;
  let client: TestClient;
  let queued: Awaited<ReturnType<typeof redisAsText>>;
  const bodies = {
    plain: aPersonalTransaction(),
    swappedOne: aPersonalTransaction(),
    swappedOther: aPersonalTransaction(),
    truncated: aPersonalTransaction(),
    erased: aPersonalTransaction({ cpfCnpj: CPF.payee, origin: {}, destination: {} }),
    payeeErased: aPersonalTransaction({ destination: { name: 'Somebody', cpfCnpj: CPF.payee } }),
    trailLost: aPersonalTransaction(),
  };

  beforeAll(async () => {
    // A process that only answers: what it accepts waits for the worker, and can be tampered with meanwhile.
    front = await startTestApp({ settings: { role: 'api' } });
    client = await front.client();
    for (const body of Object.values(bodies)) await front.api.as(client).ingest(body).expect(202);
    queued = await eventually('the jobs are in Redis', async () => {
      const text = await redisAsText(front.settings);
      return text.includes('kyt.pipeline') && text;
    });

    const [one, other] = [
      await rowOf(front, bodies.swappedOne.transactionId),
      await rowOf(front, bodies.swappedOther.transactionId),
    ];
    await tamper(`UPDATE kyt_transactions SET sealed_body = $2 WHERE id = $1`, [one.id, other.sealed_body]);
    await tamper(`UPDATE kyt_transactions SET sealed_body = $2 WHERE id = $1`, [other.id, one.sealed_body]);
    const cut = await rowOf(front, bodies.truncated.transactionId);
    await tamper(`UPDATE kyt_transactions SET sealed_body = $2 WHERE id = $1`, [
      cut.id,
      cut.sealed_body.subarray(0, -1),
    ]);
    const lost = await rowOf(front, bodies.trailLost.transactionId);
    await front.owner.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await front.owner.query('DELETE FROM audit_entries WHERE subject_id = $1', [lost.id]);
    expect(await erase(front, client, CPF.payee)).toBe(1);

    worker = await startTestApp({ like: front, settings: { role: 'all' } });
  });

  afterAll(async () => {
    await worker.close();
    await front.close();
  });

  async function tamper(change: string, values: unknown[]): Promise<void> {
    await front.owner.query('ALTER TABLE kyt_transactions DISABLE TRIGGER USER');
    await front.owner.query(change, values);
    await front.owner.query('ALTER TABLE kyt_transactions ENABLE TRIGGER USER');
  }

  const settled = (name: keyof typeof bodies): ReturnType<TestApi['settled']> =>
    worker.api.as(client).settled(bodies[name].transactionId);

  it('the queue carries references, nothing of the person', async () => {
    // ASVS 14.2.2
    const { id } = await rowOf(front, bodies.plain.transactionId);
    expect(queued).toContain(id);
    expect(leaksIn(queued, { ...PERSONAL, secret: client.clientSecret })).toEqual([]);
    expect(queued).not.toContain(bodies.plain.transactionId);
  });

  it('what nobody touched is evaluated', async () => {
    expect(await settled('plain')).toMatchObject({ status: 'COMPLETED' });
  });

  it.each(['swappedOne', 'swappedOther', 'truncated'] as const)(
    'a ciphertext that was moved or cut does not open: %s is dead-lettered with SEALED_BODY_BROKEN',
    async (name) => {
      expect(await settled(name)).toMatchObject({
        status: 'DEAD_LETTERED',
        outcome: null,
        failure: { code: 'SEALED_BODY_BROKEN', stage: 'OPEN', attempts: 1 },
      });
    },
  );

  it('a customer who was erased is not evaluated: SUBJECT_ERASED', async () => {
    expect(await settled('erased')).toMatchObject({
      status: 'DEAD_LETTERED',
      failure: { code: 'SUBJECT_ERASED', stage: 'OPEN' },
    });
  });

  it('a participant who was erased says nothing any more, and the rest is evaluated', async () => {
    expect(await settled('payeeErased')).toMatchObject({
      status: 'COMPLETED',
      components: { COUNTERPARTY: { state: 'MISSING_INPUT' } },
    });
  });

  it('"Missing audit trail": the score is not defensible, and a person decides', async () => {
    expect(await settled('trailLost')).toMatchObject({
      outcome: 'REVIEW',
      defensible: false,
      nonDefensibleReasons: ['AUDIT_TRAIL_INCOMPLETE'],
    });
  });
});

describe('erasure of a person', () => {
  let t: TestApp;
  let cold: TestApp;
  let client: TestClient;
  let api: TestApi;
  const before = aPersonalTransaction({ origin: {}, destination: {} });
  const after = aPersonalTransaction({ origin: {}, destination: {} });
  const paidToThem = aTransaction({
    cpfCnpj: CPF.payee,
    origin: {},
    destination: { name: PERSONAL.name, cpfCnpj: PERSONAL.cpf },
  });
  const bystander = aTransaction({
    cpfCnpj: CPF.payee,
    externalCustomerId: null,
    origin: {},
    destination: {},
  });

  beforeAll(async () => {
    t = await startTestApp();
    client = await t.client();
    api = t.api.as(client);
    for (const body of [before, paidToThem, bystander]) {
      await api.ingest(body).expect(202);
      await api.settled(body.transactionId);
    }
    expect(await openedBody(t, before.transactionId)).toMatchObject({
      kind: 'open',
      version: 1,
      body: before,
    });
    expect(await erase(t, client, PERSONAL.cpf)).toBe(1);
    await api.ingest(after).expect(202);
    await api.settled(after.transactionId);
    // A process without keys in memory reads what is really left.
    cold = await startTestApp({ like: t, settings: { role: 'api' } });
  });

  afterAll(async () => {
    await cold.close();
    await t.close();
  });

  const eventsOf = async (transactionId: string): Promise<(Buffer | null)[]> => {
    const { id } = await rowOf(t, transactionId);
    const { rows } = await t.owner.query<{ id: string; organisation_id: string; sealed_payload: Buffer }>(
      'SELECT id, organisation_id, sealed_payload FROM events WHERE resource_id = $1 ORDER BY sequence',
      [id],
    );
    expect(rows).toHaveLength(2);
    const sealed = rows.map((row) => ({
      sealed: row.sealed_payload,
      context: encryptionContextOf('events', row.id, row.organisation_id),
    }));
    return cold.app.get(Vault).openMany(sealed);
  };

  it('their body does not open any more, nor do the events about them', async () => {
    expect(await openedBody(cold, before.transactionId)).toEqual({ kind: 'erased' });
    expect(await eventsOf(before.transactionId)).toEqual([null, null]);
  });

  it('where they were the other side, only their part is gone', async () => {
    expect(await openedBody(cold, paidToThem.transactionId)).toEqual({
      kind: 'open',
      version: 1,
      body: { ...paidToThem, destination: {} },
      erased: ['destination'],
    });
  });

  it('nobody else is touched', async () => {
    expect(await openedBody(cold, bystander.transactionId)).toEqual({
      kind: 'open',
      version: 1,
      body: bystander,
      erased: [],
    });
    const [queued] = await eventsOf(bystander.transactionId);
    expect(queued && eventPacking.unpack(queued).toString()).toContain(bystander.transactionId);
  });

  it('a new transaction of the same person gets a new key and works', async () => {
    expect(await openedBody(cold, after.transactionId)).toEqual({
      kind: 'open',
      version: 1,
      body: after,
      erased: [],
    });
    const index = t.app.get(BlindIndex).computeIndex(client.organisationId, 'document', PERSONAL.cpf);
    const { rows } = await t.owner.query(
      `SELECT generation, wrapped_key IS NULL AS destroyed FROM subject_keys WHERE subject_index = $1 ORDER BY generation`,
      [index],
    );
    expect(rows).toEqual([
      { generation: 1, destroyed: true },
      { generation: 2, destroyed: false },
    ]);
  });

  it('the decision stays: the result names no person, and the trail is complete', async () => {
    expect(await cold.api.as(client).settled(before.transactionId)).toMatchObject({ status: 'COMPLETED' });
    const { AuditTrail } = await import('../../src/features/audit/index.js');
    const { id } = await rowOf(t, before.transactionId);
    const subject = { organisationId: client.organisationId, type: 'transaction', id } as const;
    expect((await cold.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
  });

  it('destroying again finds nothing to destroy', async () => {
    expect(
      await t.app
        .get(UnitOfWork)
        .run(system('privacy.erasure'), (tx) => t.app.get(SubjectKeys).destroyRequested(tx, 0)),
    ).toBe(0);
  });

  it('another process opens nothing a few seconds later; the key waits until none can be sealing under it', async () => {
    const keys = t.app.get(SubjectKeys);
    const index = t.app.get(BlindIndex).computeIndex(client.organisationId, 'document', CPF.payee);
    const uow = t.app.get(UnitOfWork);
    expect(await openedBody(cold, bystander.transactionId)).toMatchObject({ kind: 'open' });
    await uow.run(client.organisationId, (tx) =>
      keys.requestErasure(tx, { organisationId: client.organisationId, index }, randomUUID()),
    );
    expect(await openedBody(t, bystander.transactionId)).toEqual({ kind: 'erased' });
    await eventually(
      'the other process has forgotten the person',
      async () => (await openedBody(cold, bystander.transactionId)).kind === 'erased',
    );
    expect(await uow.run(system('privacy.erasure'), (tx) => keys.destroyRequested(tx))).toBe(0);
  });

  it('is seen in time: a key stays in use while the process looks who is erased, and is read again when it could not', async () => {
    // One that no watch tells anything.
    const keys = new SubjectKeys(t.app.get(UnitOfWork), t.app.get(KeyRing));
    const subject = { organisationId: client.organisationId, index: randomBytes(16) };
    await keys.ensureKeys([subject]);
    const { id } = keys.findCachedKey(subject)!;
    // Gone without having been requested, so that nothing but a look at the table shows it.
    await t.owner.query('UPDATE subject_keys SET wrapped_key = NULL, destroyed_at = now() WHERE id = $1', [
      id,
    ]);
    const begun = performance.now();
    let passed = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => begun + passed);
    const usedAfter = async (seconds: number): Promise<boolean> => {
      passed = seconds * 1_000;
      return (await keys.findByKeyId([id])).has(id);
    };
    const look = (): void => {
      keys.confirmErasures([], performance.now());
    };
    try {
      expect(await usedAfter(29)).toBe(true);
      // Nobody has looked for 31 seconds.
      expect(await usedAfter(31)).toBe(false);
      look();
      expect(await usedAfter(60)).toBe(true);
      look();
      expect(await usedAfter(89)).toBe(true);
      // The next look comes so late that it may not see who was erased in between.
      passed = 106_000;
      look();
      expect(await usedAfter(106)).toBe(false);
    } finally {
      clock.mockRestore();
    }
  });
});

describe('a new key in the ring', () => {
  const k1 = { id: 'k1', bytes: randomBytes(32) };
  const k2 = { id: 'k2', bytes: randomBytes(32) };
  let before: TestApp;
  let after: TestApp;
  let later: TestApp | undefined;
  let client: TestClient;
  let receiver: WebhookReceiver;
  const early = aTransaction({ cpfCnpj: CPF.payee });
  const failures: unknown[] = [];
  const reports: RotationProgress[] = [];
  /** Data keys under the old ring key: wrapped anew by the stopped runs, there before the last run, left of these by it. */
  const waiting = { stopped: 0, last: 0, left: 0 };
  // The answers so far, by both processes.
  const served = { ingest: 0, customer: 0 };

  beforeAll(async () => {
    receiver = await WebhookReceiver.listen();
    // Known everywhere before anybody uses it, or a process would meet what it cannot open.
    before = await startTestApp({ settings: { keyRing: [k1, k2] } });
    client = await before.client();
    const { organisationId, id: clientAppId } = client;
    const actor = { type: 'operator', id: 'test' } as const;
    await before.app
      .get(WebhookEndpointsService)
      .create({ organisationId, clientAppId, url: receiver.url, actor });
    await before.api.as(client).ingest(early).expect(202);
    await before.api.as(client).settled(early.transactionId);
    const many = Array.from({ length: 2_600 }, () => ({ organisationId, index: randomBytes(16) }));
    await before.app.get(SubjectKeys).ensureKeys(many);

    after = await startTestApp({ like: before, settings: { keyRing: [k2, k1] } });
    const officer = await before.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
    const { rows: customers } = await before.owner.query<{ id: string }>('SELECT id FROM customers LIMIT 1');
    const person = `/operator/customers/${publicId('cus', customers[0]!.id)}`;
    let done = false;
    const ingesting = [before, after, before, after].map(async (app) => {
      while (!done) {
        const body = aTransaction({ cpfCnpj: CPF.payee });
        const { status } = await app.api.as(client).ingest(body);
        const { outcome } = await app.api.as(client).settled(body.transactionId);
        if (status !== 202 || outcome === null) failures.push({ status, outcome });
        served.ingest += 1;
      }
    });
    // Everything about a customer is sealed: reading opens it; declared data and the reason of a look are sealed.
    const reading = [before, after].map(async (app) => {
      const desk = app.api.asOperator(officer);
      for (let income = 1_000; !done; income += 1) {
        const changed = await desk.call('patch', `${person}/profile`).send({ monthlyIncome: income });
        const shown = await desk.get(person);
        const revealed = await desk.post(`${person}/reveal`).send({ reason: 'A test of what is sealed.' });
        for (const { status } of [shown, revealed]) if (status !== 200) failures.push({ status });
        // The other process may have declared something in between.
        if (![200, 409].includes(changed.status)) failures.push({ status: changed.status });
        served.customer += 1;
      }
    });
    // A process that has not heard of the new key yet goes on wrapping under the old one.
    const wrapping = [before].map(async ({ app }) => {
      while (!done) await app.get(SubjectKeys).ensureKeys([{ organisationId, index: randomBytes(16) }]);
    });
    const load = [...ingesting, ...reading, ...wrapping];
    const underOldKey = async (among: readonly string[] | null): Promise<string[]> => {
      const { rows } = await before.owner.query<{ id: string }>(
        `SELECT id FROM subject_keys WHERE ring_key_id = 'k1' AND ($1::uuid[] IS NULL OR id = ANY($1))`,
        [among],
      );
      return rows.map(({ id }) => id);
    };
    /** Both kinds of work go on, with some of the keys wrapped anew and some not. */
    const goesOn = async (): Promise<void> => {
      const { ingest, customer } = served;
      await eventually(
        'the load goes on',
        () => served.ingest > ingest + 3 && served.customer > customer + 1,
      );
    };
    try {
      await goesOn();
      const first = await underOldKey(null);
      for (let stop = 0; stop < 2; stop += 1) {
        const stopped = after.app.get(KeyRotation).rotate(() => {
          throw new Error('the terminal was closed');
        });
        await expect(stopped).rejects.toThrow('the terminal was closed');
        await goesOn();
      }
      const [unwrapped, last] = [await underOldKey(first), await underOldKey(null)];
      await after.app.get(KeyRotation).rotate((progress) => reports.push(progress));
      const left = await underOldKey(last);
      Object.assign(waiting, {
        stopped: first.length - unwrapped.length,
        last: last.length,
        left: left.length,
      });
      await goesOn();
    } finally {
      done = true;
      await Promise.all(load);
    }
  });

  afterAll(async () => {
    await later?.close();
    await after.close();
    await before.close();
    await receiver.close();
  });

  it('wraps everything anew under load, goes on where it was stopped, and no request fails', async () => {
    // ASVS 11.2.2
    expect(failures).toEqual([]);
    expect(waiting).toEqual({ stopped: 1_000, last: expect.any(Number), left: 0 });
    // It ends, whatever others wrap under the old key meanwhile.
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.length).toBeLessThanOrEqual(Math.ceil(waiting.last / 500) + 1);
    const rewrapped = reports.map((progress) => progress.rewrapped);
    expect([...new Set(rewrapped)].sort((a, b) => a - b)).toEqual(rewrapped);
    expect(rewrapped.at(-1)).toBeGreaterThanOrEqual(waiting.last);
    expect(await after.app.get(KeyRotation).readUsage()).toMatchObject([
      { ringKeyId: 'k2', state: 'CURRENT' },
      { ringKeyId: 'k1', state: expect.stringMatching(/NEEDED|UNUSED/) },
    ]);
  });

  it('is in the trail of operations, with which key and how much', async () => {
    // ASVS 16.3.3
    const { rows } = await after.owner.query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE action = 'ops.keys.rotated'`,
    );
    const contents = rows.map(
      ({ canonical }) => (JSON.parse(canonical.toString()) as { content: unknown }).content,
    );
    // The run that was stopped never came to its end.
    expect(contents).toEqual([
      { ringKeyId: 'k2', rewrapped: expect.any(Number), remaining: expect.any(Number) },
    ]);
  });

  it('lets the old key go: what was sealed before opens, is found, and is signed as before', async () => {
    expect((await after.app.get(KeyRotation).rotate()).remaining).toBe(0);
    expect(await after.app.get(KeyRotation).readUsage()).toContainEqual({
      ringKeyId: 'k1',
      dataKeys: 0,
      state: 'UNUSED',
    });
    later = await startTestApp({ like: before, settings: { keyRing: [k2] } });
    expect(await openedBody(later, early.transactionId)).toMatchObject({
      kind: 'open',
      version: 1,
      body: early,
    });
    await later.api.as(client).ingest(early).expect(200);
    // The count of the customer's earlier transactions is a search by blind index.
    const next = aTransaction({ cpfCnpj: CPF.payee, externalCustomerId: early['externalCustomerId'] });
    await later.api.as(client).ingest(next).expect(202);
    expect(await later.api.as(client).settled(next.transactionId)).toMatchObject({ defensible: true });
    const [delivered] = await receiver.about(next.transactionId, 1);
    expect(delivered?.headers['webhook-signature']).toMatch(/^v1,/);
  });

  it('everything sealed names a data key of the table that rotates, in every column of every table', async () => {
    const { rows } = await later!.owner.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea' AND (column_name ~ 'sealed' OR column_name ~ 'totp_seed')`,
    );
    expect(rows.length).toBeGreaterThan(4);
    // Bodies have several sections; the index keys are sealed under INDEX_KEY, which rotates by itself.
    const others = rows.filter((row) => row.column !== 'sealed_body' && row.table !== 'index_keys');
    for (const { table, column } of others) {
      const { rows: lost } = await later!.owner.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} t WHERE ${column} IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM subject_keys k WHERE k.id = encode(substr(t.${column}, 2, 16), 'hex')::uuid)`,
      );
      expect([table, column, lost[0]?.count]).toEqual([table, column, 0]);
    }
  });

  it('names a ring key that is needed and missing', async () => {
    const blind = await startTestApp({
      like: before,
      settings: { keyRing: [{ id: 'k3', bytes: randomBytes(32) }], role: 'api' },
    });
    expect(await blind.app.get(KeyRotation).readUsage()).toMatchObject([
      { ringKeyId: 'k3', dataKeys: 0, state: 'CURRENT' },
      { ringKeyId: 'k2', state: 'MISSING' },
    ]);
    await blind.close();
  });

  it('a wrapped key in the row of another subject does not open', async () => {
    const { rows } = await later!.owner.query<{ id: string; wrapped_key: Buffer }>(
      'SELECT id, wrapped_key FROM subject_keys ORDER BY id DESC LIMIT 2',
    );
    const [one, other] = [rows[0]!, rows[1]!];
    await later!.owner.query('UPDATE subject_keys SET wrapped_key = $2 WHERE id = $1', [
      one.id,
      other.wrapped_key,
    ]);
    const keys = later!.app.get(SubjectKeys);
    await expect(keys.findByKeyId([one.id])).rejects.toThrow(SealBrokenError);
    await later!.owner.query('UPDATE subject_keys SET wrapped_key = $2 WHERE id = $1', [
      one.id,
      one.wrapped_key,
    ]);
    expect((await keys.findByKeyId([one.id])).size).toBe(1);
  });
});
