import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '../../src/platform/http/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import {
  systemActorContext,
  COMMAND_LINE,
  OperatorsService,
  Passwords,
  SecondFactors,
} from '../../src/features/operators/index.js';
import { OperatorEntity } from '../../src/features/operators/store/entities.js';
import { OperatorAudit } from '../../src/features/operators/operator-audit.js';
import { ApiProcess } from '../support/api-process.js';
import type { TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPicture } from '../support/files.js';

const SCAN = path.resolve(import.meta.dirname, '../scan');
const PASSWORD = 'jardim-cobre-7-planalto';
const UPLOADS_IN_FLIGHT = 32;
const REQUESTS_PER_SECOND = 50;

let t: TestApp;
let service: ApiProcess;
let dir: string;
let targets: string;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  dir = mkdtempSync(path.join(os.tmpdir(), 'vigia-attacks-'));
  const photo = path.join(dir, 'photo.jpg');
  await aPicture(640, 480, 3).jpeg().toFile(photo);
  const busy = { perSecond: 100_000, burst: 100_000, scopes };
  const [theirs, mine] = [await t.client(busy), await t.client()];
  const attacker = await t.operator({ organisationId: theirs.organisationId });
  await giveSecondFactor(attacker);
  await t.owner.query(
    `INSERT INTO organisation_quotas (name, organisation_id, value) VALUES ('requestsPerSecond', $1, $2)`,
    [theirs.organisationId, REQUESTS_PER_SECOND],
  );
  // The service itself stands before the attacks, not the bound per address that would hide it.
  service = await ApiProcess.start(t, {
    ROLE: 'all',
    TRUST_PROXY: '127.0.0.0/8',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
    RATE_LIMIT_OPERATOR_PER_MINUTE: '100000',
    RATE_LIMIT_UPLOAD_PER_MINUTE: '100000',
    RATE_LIMIT_SESSION_PER_MINUTE: '100000',
  });
  targets = path.join(dir, 'targets.json');
  writeFileSync(
    targets,
    JSON.stringify({
      url: service.url,
      hostile: {
        app: theirs,
        otherApp: await t.client({ ...busy, organisationId: theirs.organisationId }),
        accessToken: attacker.token,
        organisation: await keyOf(theirs),
        links: await Promise.all(Array.from({ length: 7 }, () => linkOf(theirs))),
        uploadsInFlight: UPLOADS_IN_FLIGHT,
        requestsPerSecond: REQUESTS_PER_SECOND,
      },
      victim: {
        app: mine,
        email: await withPassword(mine),
        password: PASSWORD,
        organisation: await keyOf(mine),
        link: await linkOf(mine),
        photo,
      },
    }),
    { mode: 0o600 },
  );
}, 180_000);

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await service.stop();
  await t.close();
});

async function giveSecondFactor({ id, organisationId }: TestOperator): Promise<void> {
  const [uow, factors] = [t.app.get(UnitOfWork), t.app.get(SecondFactors)];
  const { store } = await factors.beginTotpEnrolment({ id, organisationId });
  await uow.run(organisationId, store);
  await uow.run(organisationId, async (tx) => {
    await factors.activateTotp(tx, await tx.findOneByOrFail(OperatorEntity, { id }), 0);
    const cause = systemActorContext('test');
    await t.app.get(OperatorAudit).record(tx, { id, organisationId }, 'operator.credentials_reset', cause);
  });
}

/** Somebody without a second factor; returns the address. */
async function withPassword({ organisationId }: TestClient): Promise<string> {
  const email = `attacked-${Date.now()}@example.com`;
  const passwordHash = await t.app.get(Passwords).hash(PASSWORD, COMMAND_LINE);
  const person = { organisationId, email, name: 'Ana', roles: ['ANALYST'] as const, passwordHash };
  await t.app
    .get(UnitOfWork)
    .run(organisationId, (tx) =>
      t.app.get(OperatorsService).addPerson(tx, person, systemActorContext('test')),
    );
  return email;
}

async function keyOf({ organisationId }: TestClient): Promise<string> {
  const { rows } = await t.owner.query(`SELECT key FROM organisations WHERE id = $1`, [organisationId]);
  return (rows[0] as { key: string }).key;
}

async function linkOf({ organisationId }: TestClient): Promise<string> {
  const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  const asked = { flowKey: 'onboarding-pf' };
  const { body } = await t.api.asOperator(officer).post('/operator/kyc-sessions').send(asked).expect(201);
  return (body as { data: { sessionId: string } }).data.sessionId;
}

describe('each script of test/scan/attacks', () => {
  const scripts = readdirSync(path.join(SCAN, 'attacks')).filter((file) => file !== 'calls.mjs');
  it.each(scripts)(
    '%s finds nothing that gives way',
    async (script) => {
      const args = [path.join(SCAN, 'attacks.mjs'), '--targets', targets, '--only', script];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const [code] = (await once(child, 'close')) as [number | null];
      const stdout = Buffer.concat(chunks).toString();
      process.stdout.write(stdout);
      expect(stdout).toContain(`${script}: to `);
      expect(stdout).not.toContain('FOUND');
      expect(code).toBe(0);
    },
    600_000,
  );
});
