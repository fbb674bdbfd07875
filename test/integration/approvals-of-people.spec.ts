import { stat, readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientAppsService } from '../../src/features/auth/index.js';
import type { Role } from '../../src/platform/http/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { Mailer } from '../../src/platform/mail/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { eventually } from '../support/eventually.js';
import { mailServer } from '../support/mail-server.js';
import { invitedToken, mailFor } from '../support/outbox.js';
import { later } from '../support/needs.js';

const WHY = 'Takes over the analysis desk in December.';
const PASSWORD = 'jardim-cobre-7-planalto';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

const organisation = async (): Promise<string> => {
  const name = `people-${Math.random().toString(36).slice(2, 10)}`;
  return t.app.get(ClientAppsService).ensureOrganisation(name, name);
};
const by = (operator: TestOperator): TestApi => t.api.asOperator(operator);
const of = ({ id }: TestOperator): string => `/operator/operators/${publicId('opr', id)}`;
const invitation = (roles: readonly Role[]): { email: string; [field: string]: unknown } => ({
  email: `p-${Math.random().toString(36).slice(2, 10)}@example.com`,
  ...{ name: 'Somebody', roles, reason: WHY },
});
const rolesOf = async (operator: TestOperator): Promise<string[]> =>
  (await t.owner.query<{ roles: string[] }>('SELECT roles FROM operators WHERE id = $1', [operator.id]))
    .rows[0]!.roles;

describe('One administrator alone', () => {
  it('invites nobody: no token before another one approves, and then for the invited person only', async () => {
    const organisationId = await organisation();
    const [ana, bruno] = [await t.operator({ organisationId }), await t.operator({ organisationId })];
    const person = invitation(['COMPLIANCE_OFFICER']);
    const asked = await by(ana).post('/operator/invitations').send(person).expect(202);
    expect(JSON.stringify(asked.body)).not.toContain('vit_');
    expect(await mailFor(t, person.email)).toEqual([]);
    const { id, digest } = askedIn(asked);
    const alone = { digest, singleControl: true };
    expectError(
      await by(ana).post(`/operator/approvals/${id}/approve`).send(alone),
      403,
      'FOUR_EYES_REQUIRED',
    );

    const approved = await by(bruno).post(`/operator/approvals/${id}/approve`).send({ digest }).expect(200);
    expect(JSON.stringify(approved.body)).not.toContain('vit_');
    const token = await invitedToken(t, person.email);
    const accept = { token, password: PASSWORD };
    const made = await t.api.post('/operator/auth/invitations/accept').send(accept).expect(201);
    expect((made.body as { data: { roles: string[] } }).data.roles).toEqual(['COMPLIANCE_OFFICER']);
    // All administrators are told who came, by whom; without the token.
    for (const { email } of [ana, bruno]) {
      const told = (await mailFor(t, email)).join('\n');
      expect(told).toContain(person.email);
      expect(told).not.toContain(token);
    }
    const outbox = path.join(t.settings.dataDir, 'outbox');
    const modes = await Promise.all(
      [outbox, ...(await readdir(outbox)).map((name) => path.join(outbox, name))].map(
        async (one) => (await stat(one)).mode & 0o077,
      ),
    );
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  it('is told once of what the database made begin again at its commit', async () => {
    const organisationId = await organisation();
    const [ana, bruno] = [await t.operator({ organisationId }), await t.operator({ organisationId })];
    const person = invitation(['ANALYST']);
    const { id, digest } = askedIn(await by(ana).post('/operator/invitations').send(person).expect(202));
    await t.owner.query(`CREATE SEQUENCE refusals;
      CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF nextval('refusals') = 1 THEN RAISE 'once' USING ERRCODE = 'deadlock_detected'; END IF;
        RETURN NEW; END $$;
      CREATE CONSTRAINT TRIGGER once AFTER INSERT ON operator_invitations DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse_once()`);
    await by(bruno).post(`/operator/approvals/${id}/approve`).send({ digest }).expect(200);
    const { rows } = await t.owner.query('SELECT last_value::int AS commits FROM refusals');
    await t.owner.query(`DROP TRIGGER once ON operator_invitations;
      DROP FUNCTION refuse_once; DROP SEQUENCE refusals`);
    expect(rows).toEqual([{ commits: 2 }]);
    expect(await mailFor(t, person.email)).toHaveLength(1);
    const accept = { token: await invitedToken(t, person.email), password: PASSWORD };
    await t.api.post('/operator/auth/invitations/accept').send(accept).expect(201);
  });

  it('gives nobody more roles, lets nobody in again, takes nobody’s second factor away', async () => {
    const organisationId = await organisation();
    const [ana, bruno] = [await t.operator({ organisationId }), await t.operator({ organisationId })];
    const dev = await t.operator({ organisationId, roles: ['DEVELOPER'] });
    const officer = { roles: ['COMPLIANCE_OFFICER', 'DEVELOPER'] };
    expectError(await by(ana).call('patch', of(dev)).send(officer), 403, 'FOUR_EYES_REQUIRED');
    const asked = await by(ana)
      .post(`${of(dev)}/roles`)
      .send({ ...officer, reason: WHY })
      .expect(202);
    expect(await rolesOf(dev)).toEqual(['DEVELOPER']);
    // Nor does the one who would get them.
    const { id, digest } = askedIn(asked);
    expectError(
      await by(dev).post(`/operator/approvals/${id}/approve`).send({ digest }),
      403,
      'PERMISSION_DENIED',
    );
    await approve(by(bruno), asked);
    expect(await rolesOf(dev)).toEqual(['COMPLIANCE_OFFICER', 'DEVELOPER']);

    await by(ana)
      .post(`${of(dev)}/disable`)
      .expect(200);
    const again = await by(ana)
      .post(`${of(dev)}/enable`)
      .send({ reason: WHY })
      .expect(202);
    await eventually('the session is dead', async () => (await by(dev).get('/operator/me')).status >= 401);
    await approve(by(bruno), again);
    expectError(
      await by(ana)
        .post(`${of(dev)}/totp/reset`)
        .send({ reason: WHY }),
      409,
      'STATE_CONFLICT',
    );
    expectError(
      await by(ana)
        .post(`${of(ana)}/roles`)
        .send({ ...officer, reason: WHY }),
      403,
      'FOUR_EYES_REQUIRED',
    );
  });

  it('does not make two officers of their own: both are dependent on who agreed, and on nobody else', async () => {
    const organisationId = await organisation();
    const [ana, bruno] = [await t.operator({ organisationId }), await t.operator({ organisationId })];
    const two = [
      await t.operator({ organisationId, roles: ['AUDITOR'] }),
      await t.operator({ organisationId, roles: ['AUDITOR'] }),
    ];
    for (const one of two) {
      const roles = ['AUDITOR', 'COMPLIANCE_OFFICER'];
      await approve(
        by(bruno),
        await by(ana)
          .post(`${of(one)}/roles`)
          .send({ roles, reason: WHY })
          .expect(202),
      );
    }
    const { rows } = await t.owner.query<{ pair: boolean; own: boolean }>(
      `SELECT vigia_independent($1, 'list.change', $2, $3) AS pair, vigia_independent($1, 'list.change', $2, $4) AS own`,
      [organisationId, two[0]!.id, two[1]!.id, bruno.id],
    );
    expect(rows).toEqual([{ pair: true, own: false }]);
  });
});

describe('The first administrator', () => {
  it('brings the second one in alone, which is said and marked, and then no longer', async () => {
    const organisationId = await organisation();
    const ana = await t.operator({ organisationId });
    const control = async (): Promise<string[]> =>
      (
        (await by(ana).get('/operator/approvals/control').expect(200)).body as {
          data: { singleControl: string[] };
        }
      ).data.singleControl;
    expect(await control()).toEqual(expect.arrayContaining(['operator.invite', 'operator.empower']));
    const person = invitation(['ADMIN']);
    const { id, digest } = askedIn(await by(ana).post('/operator/invitations').send(person).expect(202));
    expectError(
      await by(ana).post(`/operator/approvals/${id}/approve`).send({ digest }),
      403,
      'FOUR_EYES_REQUIRED',
    );
    const alone = { digest, singleControl: true };
    const answer = await by(ana).post(`/operator/approvals/${id}/approve`).send(alone).expect(200);
    expect(answer.body).toMatchObject({ data: { status: 'APPLIED', singleControl: true } });
    const accept = { token: await invitedToken(t, person.email), password: PASSWORD };
    await t.api.post('/operator/auth/invitations/accept').send(accept).expect(201);
    // Who was brought in by one alone is no second person for that one, for 30 days.
    const { rows } = await t.owner.query<{ single: boolean }>(
      'SELECT single_control AS single FROM operator_lineage WHERE organisation_id = $1',
      [organisationId],
    );
    expect(rows).toEqual([{ single: true }]);
  });
});

it('thirty approvals of one invitation at once: one invitation, one mail', async () => {
  const organisationId = await organisation();
  const [ana, bruno] = [await t.operator({ organisationId }), await t.operator({ organisationId })];
  const person = invitation(['ANALYST']);
  const { id, digest } = askedIn(await by(ana).post('/operator/invitations').send(person).expect(202));
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => by(bruno).post(`/operator/approvals/${id}/approve`).send({ digest })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await mailFor(t, person.email)).toHaveLength(1);
});

describe('Mail by a server', () => {
  later('is handed over before anybody is told that it was; without the server nothing happens', async () => {
    const taken: string[] = [];
    const server = await mailServer(taken);
    const mailUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await startTestApp({ like: t, settings: { role: 'api', mailUrl } });
    try {
      const message = { to: ['p@example.com'], subject: 'Vigia', text: 'vit_example' };
      await other.app.get(Mailer).send(message);
      expect(taken).toEqual([expect.stringContaining('vit_example')]);
      // ASVS 1.3.11
      const commands =
        '\r\n.\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\nforged\r\n.\r\n';
      await other.app
        .get(Mailer)
        .send({ ...message, subject: `Vigia\r\nBcc: c@example.com`, text: commands });
      expect(taken).toHaveLength(2);
      expect(taken[1]).toContain('forged');
      expect(taken[1]).not.toMatch(/^Bcc:/m);
      server.close();
      const organisationId = await organisation();
      const [ana, bruno] = [await t.operator({ organisationId }), await t.operator({ organisationId })];
      const asked = await by(ana)
        .post('/operator/invitations')
        .send(invitation(['ANALYST']))
        .expect(202);
      const { id, digest } = askedIn(asked);
      const answer = await other.api
        .asOperator(bruno)
        .post(`/operator/approvals/${id}/approve`)
        .send({ digest });
      expectError(answer, 503, 'MAIL_UNAVAILABLE');
      // Nobody is sent away unseen either.
      expectError(await other.api.asOperator(ana).post(`${of(bruno)}/disable`), 503, 'MAIL_UNAVAILABLE');
      expect((await by(bruno).get('/operator/me')).status).toBe(200);
      const { rows } = await t.owner.query(
        `SELECT 1 FROM operator_invitations WHERE organisation_id = $1
         UNION ALL SELECT 1 FROM approvals WHERE organisation_id = $1 AND status <> 'REQUESTED'`,
        [organisationId],
      );
      expect(rows).toEqual([]);
    } finally {
      server.close();
      await other.close();
    }
  });
});
