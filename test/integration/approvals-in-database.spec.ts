import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { acts, actNames, policyOf, type ApprovalAction } from '../../src/features/approvals/index.js';
import { permissionsOfRole, roles } from '../../src/platform/http/index.js';
import { newUuid, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { FlowsService } from '../../src/features/sessions/index.js';
import type { TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { askedIn } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';

type Call = readonly [sql: string, ...values: unknown[]];

const WHY = 'Agreed in the meeting of the committee.';

let t: TestApp;
let organisationId: string;
let ana: TestOperator;
let bea: TestOperator;
let list: string;
/** Ids of the rows that the attacks are about. */
const row = {
  review: newUuid(),
  waiting: newUuid(),
  reading: newUuid(),
  machine: newUuid(),
  snooze: newUuid(),
  invitation: newUuid(),
  discard: newUuid(),
  weak: '',
  /** An application that two people let write, and that is disabled. */
  app: newUuid(),
};
let transaction: string;

beforeAll(async () => {
  t = await startTestApp();
  const client = await t.client({ rules: false });
  ({ organisationId } = client);
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  ana = await officer();
  row.weak = (await t.operator({ roles: ['ANALYST'], organisationId, strong: false })).sessionId;
  bea = await officer();
  const body = {
    key: `l-${randomBytes(3).toString('hex')}`,
    name: 'UN',
    kind: 'SANCTIONS',
    format: 'HOUSE_CSV',
  };
  const made = await t.api.asOperator(ana).post('/operator/lists').send(body).expect(201);
  list = uuidOf('lst', askedIn(made).id) ?? '';
  const paid = aTransaction({ transactionId: 'decided-by-nobody' });
  await t.api.as(client).ingest(paid).expect(202);
  await t.api.as(client).settled(paid.transactionId);
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE organisation_id = $1',
    [organisationId],
  );
  transaction = rows[0]!.id;
  await rowsForEffects();
  // The only second factor of somebody.
  const { rowCount } = await t.owner.query(
    `INSERT INTO operator_passkeys (id, organisation_id, operator_id, credential_id, public_key, counter, name, backed_up)
     SELECT id, organisation_id, id, '\\x01', '\\x01', 0, 'key', false FROM operators
     WHERE organisation_id = $1 AND sealed_totp_seed IS NULL LIMIT 1`,
    [organisationId],
  );
  expect(rowCount).toBe(1);
});
afterAll(async () => {
  await t.close();
});

function officer(): Promise<TestOperator> {
  return t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
}

/** Runs it as the role of the service, in one transaction up to these checks of it, and answers its refusal. */
async function asService(checks: string, ...statements: readonly Call[]): Promise<string> {
  const client = new pg.Client({ connectionString: t.settings.databaseUrl ?? '' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('vigia.organisations', $1, true)`, [`{${organisationId}}`]);
    let changed = 0;
    for (const [text, ...values] of statements) changed = (await client.query(text, values)).rowCount ?? 0;
    await client.query(`SET CONSTRAINTS ${checks} IMMEDIATE`);
    return changed === 0 ? 'nothing changed' : 'no refusal';
  } catch (error) {
    return (error as { message: string }).message;
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

interface Guard {
  readonly name: string;
  readonly acts: ApprovalAction[];
}

/** The triggers that look for an approved request, with the acts that each of them names: in its arguments, or in its code. */
async function guards(): Promise<Guard[]> {
  const { rows } = await t.owner.query<{ name: string; text: string }>(
    `SELECT t.tgname AS name, encode(t.tgargs, 'escape') || ' ' || p.prosrc AS text
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT t.tgisinternal AND c.relname <> 'approvals'`,
  );
  const named = (text: string): ApprovalAction[] =>
    actNames.filter((act) => new RegExp(`(^|[!,'])${act.replace('.', '\\.')}([,'\\\\]|$)`).test(text));
  return rows
    .map(({ name, text }) => ({ name, acts: named(text) }))
    .filter(({ acts: found }) => found.length > 0);
}

/** A run of 30 days under a request that nobody has approved. */
const lookBack = (kind: string, of: string): Call => [
  `WITH asked AS (
     INSERT INTO approvals (id, organisation_id, act, subject_id, change, digest, sealed_reason, requested_by, expires_at)
     VALUES ($2, $1, 'list.look_back', 'x', '{"before": {}, "after": {}}', decode(repeat('00', 32), 'hex'), '\\x00', $3,
       now() + interval '1 day') RETURNING *)
   INSERT INTO look_backs (id, organisation_id, kind, ruleset_key, ruleset_version, content_hash, list_id, days, from_at,
     to_at, counts, requested_by, approved_by, approval_id)
   SELECT gen_random_uuid(), organisation_id, '${kind}', ${of}, 30, now() - interval '30 days', now(), '{}', requested_by,
     $4, id FROM asked`,
  organisationId,
  newUuid(),
  ana.id,
  bea.id,
];

const WITHOUT = 'without an approved request';

/** An attack on each guard of each act, with the words of the refusal where they are others. */
const attacks: Readonly<
  Record<ApprovalAction, () => Readonly<Record<string, readonly [Call, refusal?: string]>>>
> = {
  'case.close': () => ({
    reviews_approved: [
      [
        `UPDATE reviews SET status = 'CLOSED', closed_at = now(), closed_by = $2 WHERE id = $1`,
        row.review,
        bea.id,
      ],
    ],
    kyt_decisions_approved: [
      [
        `INSERT INTO kyt_decisions (id, organisation_id, transaction_ref, evaluation_version, review_id, outcome,
           event_sequence, decided_at, trail_hash) VALUES ($1, $2, $3, 1, $4, 'APPROVED', 99, now(), '\\x00')`,
        newUuid(),
        organisationId,
        transaction,
        row.review,
      ],
    ],
  }),
  'communication.file': () => ({
    coaf_communications_approved: [
      [
        `UPDATE coaf_communications SET status = 'FILED', confirmed_by = $2, confirmed_at = now()
         WHERE organisation_id = $1`,
        organisationId,
        bea.id,
      ],
    ],
  }),
  'communication.dismiss': () => ({
    coaf_communications_dismissed: [
      [
        `UPDATE coaf_communications SET status = 'DISMISSED', recorded_by = NULL, filing_number = NULL,
           sealed_content = NULL, confirmed_by = NULL, confirmed_at = NULL WHERE organisation_id = $1`,
        organisationId,
      ],
    ],
  }),
  'hit.decide': () => ({
    screening_hits_approved: [
      [
        `UPDATE screening_hits SET status = 'DISMISSED_FALSE_POSITIVE', decided_by = 'x', decided_at = now(),
           expires_at = now(), justification = '\\x00' WHERE organisation_id = $1 AND status = 'PENDING'`,
        organisationId,
      ],
    ],
    screening_hits_memory: [
      [`UPDATE screening_hits SET mandatory = false WHERE organisation_id = $1`, organisationId],
      'does so until its entry changes',
    ],
  }),
  'ruleset.publish': () => ({
    rulesets_approved: [
      [
        `UPDATE rulesets SET status = 'PUBLISHED', requested_by = 'operator:x', approved_by = 'operator:y',
           backtest_id = id WHERE organisation_id = $1 AND status = 'DRAFT'`,
        organisationId,
      ],
    ],
  }),
  'hit.reopen': () => ({
    screening_hits_memory: [
      [
        `UPDATE screening_hits SET status = 'PENDING', expires_at = NULL
         WHERE organisation_id = $1 AND status = 'DISMISSED_FALSE_POSITIVE'`,
        organisationId,
      ],
    ],
  }),
  'freeze.lift': () => ({
    freezes_lift_approved: [
      [`UPDATE freezes SET lifted_at = now() WHERE organisation_id = $1`, organisationId],
    ],
  }),
  'ruleset.look_back': () => ({
    look_backs_rules_approved: [lookBack('RULESET', "'br-starter', 2, '\\x00', NULL")],
  }),
  'list.look_back': () => ({
    look_backs_list_approved: [lookBack('LIST', `NULL, NULL, NULL, '${list}'`)],
  }),
  'rule.snooze': () => ({
    rule_snoozes_approved: [
      [
        `INSERT INTO rule_snoozes (id, organisation_id, ruleset_key, rule_key, reason, begins_at, ends_at, created_by)
         VALUES ($1, $2, 'br-starter', 'BR-PIX-16', 'attack', now(), now() + interval '25 days', 'x')`,
        newUuid(),
        organisationId,
      ],
    ],
    rule_snoozes_not_extended: [
      [`UPDATE rule_snoozes SET ends_at = ends_at + interval '25 days' WHERE id = $1`, row.snooze],
    ],
  }),
  'list.change': () => ({
    screening_lists_approved: [['UPDATE screening_lists SET mandatory_threshold = 1 WHERE id = $1', list]],
  }),
  'list.import': () => ({
    screening_snapshots_approved: [
      [`UPDATE screening_snapshots SET status = 'PUBLISHED' WHERE id = $1`, row.waiting],
    ],
  }),
  'customer.lower_risk': () => ({
    customers_risk_approved: [
      [
        `UPDATE customers SET risk_level = 'LOW' WHERE organisation_id = $1 AND risk_level IS NOT NULL`,
        organisationId,
      ],
    ],
  }),
  'customer.lift_legal_hold': () => ({
    customers_hold_approved: [
      [
        'UPDATE customers SET legal_hold_at = NULL, legal_hold_by = NULL WHERE organisation_id = $1',
        organisationId,
      ],
    ],
  }),
  'customer.erase': () => ({
    customers_erasure_approved: [
      ['UPDATE customers SET erased_at = now() WHERE organisation_id = $1', organisationId],
    ],
    subject_keys_erasure_approved: [
      ['UPDATE subject_keys SET erase_requested_at = now() WHERE organisation_id = $1', organisationId],
    ],
  }),
  'fx.import': () => ({
    fx_imports_approved: [
      [
        `INSERT INTO fx_imports (id, organisation_id, source, rate_count, content_hash, imported_by, imported_at, trail_hash)
         VALUES ($2, $1, 'x', 1, '\\x00', 'x', now(), '\\x00')`,
        organisationId,
        newUuid(),
      ],
    ],
    // Beside those that two people agreed about.
    fx_rates_approved: [
      [
        `INSERT INTO fx_rates (organisation_id, currency, rate_date, rate, import_id)
         SELECT organisation_id, 'USD', '2026-11-20', 0.01, id FROM fx_imports WHERE organisation_id = $1`,
        organisationId,
      ],
      'a rate without an approved request',
    ],
  }),
  'flow.publish': () => ({
    flows_approved: [
      [
        `INSERT INTO flows (id, organisation_id, key, version, definition, content_hash, created_by)
         SELECT gen_random_uuid(), organisation_id, key, version + 1, '{}', content_hash, 'x' FROM flows
         WHERE organisation_id = $1 ORDER BY version DESC LIMIT 1`,
        organisationId,
      ],
    ],
  }),
  'custom_fields.change': () => ({
    custom_field_schemas_approved: [
      [
        `INSERT INTO custom_field_schemas (id, organisation_id, version, fields, content_hash, created_by)
         VALUES (gen_random_uuid(), $1, 1, '[]', '', 'x')`,
        organisationId,
      ],
    ],
  }),
  'provider.publish': () => ({
    check_providers_approved: [
      [
        `INSERT INTO check_providers (id, organisation_id, name, version, checks, url, timeout_ms, cost_micros, rank, enabled,
           secret_generation, content_hash, created_by)
         VALUES (gen_random_uuid(), $1, 'says-yes', 1, '{DOCUMENT}', 'https://yes.example', 1000, 0, 1, true, 0, '\\x00', 'x')`,
        organisationId,
      ],
    ],
  }),
  'trail.repair': () => ({
    audit_repairs_approved: [
      [
        `UPDATE audit_repairs SET status = 'APPLIED', decided_by = $2 WHERE organisation_id = $1`,
        organisationId,
        bea.id,
      ],
    ],
  }),
  'log.restart': () => ({
    audit_reincarnations_approved: [
      [
        `UPDATE audit_reincarnations SET status = 'APPROVED', approved_by = $2 WHERE organisation_id = $1`,
        organisationId,
        bea.id,
      ],
    ],
  }),
  'operator.invite': () => ({
    operator_invitations_approved: [
      [
        `INSERT INTO operator_invitations (id, organisation_id, email, name, roles, hash, invited_by, expires_at)
         VALUES ($2, $1, 'x@example.com', 'X', '{COMPLIANCE_OFFICER}', '\\x00', $3, now() + interval '1 hour')`,
        organisationId,
        newUuid(),
        ana.id,
      ],
    ],
    operator_invitations_kept: [
      [`UPDATE operator_invitations SET roles = '{ADMIN,COMPLIANCE_OFFICER}' WHERE id = $1`, row.invitation],
    ],
    operators_invited: [
      [
        `INSERT INTO operators (id, organisation_id, kind, email, name, roles)
         VALUES ($2, $1, 'PERSON', 'y@example.com', 'Y', '{COMPLIANCE_OFFICER}')`,
        organisationId,
        newUuid(),
      ],
      'an operator without an approved request',
    ],
  }),
  'operator.empower': () => ({
    operators_empowered: [[`UPDATE operators SET roles = roles || '{ADMIN}'::text[] WHERE id = $1`, bea.id]],
    operators_enabled: [
      [
        `UPDATE operators SET status = 'ENABLED' WHERE organisation_id = $1 AND status = 'DISABLED'`,
        organisationId,
      ],
    ],
    operator_passkeys_last: [['DELETE FROM operator_passkeys WHERE organisation_id = $1', organisationId]],
    operators_factor_reset: [
      [`UPDATE operators SET sealed_totp_seed = NULL, totp_enrolled_at = NULL WHERE id = $1`, ana.id],
    ],
  }),
  'fact.confirm': () => ({}),
  'client_app.grant': () => ({
    client_apps_created_without: [
      [
        `INSERT INTO client_apps (id, organisation_id, client_id, environment, name, public_name, scopes,
           rate_limit_per_second, rate_limit_burst)
         VALUES ($2, $1, 'app-attack', 'sandbox', 'x', 'x', '{customers:write}', 1, 1)`,
        organisationId,
        newUuid(),
      ],
    ],
    client_apps_granted: [
      [
        `UPDATE client_apps SET scopes = scopes || '{customers:write}'::text[]
         WHERE organisation_id = $1 AND status = 'ENABLED'`,
        organisationId,
      ],
    ],
    client_apps_addresses_let_in: [
      [
        `UPDATE client_apps SET ip_allow_list = '{198.51.100.0/24}' WHERE organisation_id = $1 AND id = $2`,
        organisationId,
        row.app,
      ],
    ],
    client_apps_enabled_again: [
      [
        `UPDATE client_apps SET status = 'ENABLED' WHERE organisation_id = $1 AND id = $2`,
        organisationId,
        row.app,
      ],
    ],
    client_secrets_given: [
      [
        `INSERT INTO client_secrets (id, organisation_id, client_app_id, hash)
         VALUES (gen_random_uuid(), $1, $2, decode(repeat('00', 32), 'hex'))`,
        organisationId,
        row.app,
      ],
    ],
    client_secrets_revived: [
      [
        `UPDATE client_secrets SET hash = decode(repeat('11', 32), 'hex') WHERE organisation_id = $1 AND client_app_id = $2`,
        organisationId,
        row.app,
      ],
    ],
  }),
  'client_app.inputs': () => ({
    client_apps_created_with_inputs: [
      [
        `INSERT INTO client_apps (id, organisation_id, client_id, environment, name, public_name, scopes,
           rate_limit_per_second, rate_limit_burst, without_inputs)
         VALUES ($2, $1, 'app-without', 'sandbox', 'x', 'x', '{kyt:ingest}', 1, 1, '{DICT}')`,
        organisationId,
        newUuid(),
      ],
    ],
    client_apps_inputs_left_out: [
      [
        `UPDATE client_apps SET without_inputs = '{DICT}' WHERE organisation_id = $1 AND id = $2`,
        organisationId,
        row.app,
      ],
    ],
  }),
  'dead_letter.discard': () => ({
    dead_letter_discards_approved: [
      [
        `UPDATE dead_letter_discards SET status = 'APPROVED', decided_by = 'operator:y', decided_at = now() WHERE id = $1`,
        row.discard,
      ],
    ],
    kyt_work_discard_approved: [
      ['UPDATE kyt_work SET discarded_at = now() WHERE organisation_id = $1', organisationId],
    ],
  }),
};

/** The database cannot see this effect: a profile is encrypted. The service refuses it (one-person.spec.ts). */
const UNSEEN: readonly ApprovalAction[] = ['fact.confirm'];

describe('The database', () => {
  it('knows the waiting times, and the roles that ask and approve, as the service does', async () => {
    for (const act of actNames) {
      const { rows } = await t.owner.query<{ approving: string[]; asking: string[]; hours: number }>(
        `SELECT vigia_approving_roles($1) AS approving, vigia_asking_roles($1) AS asking,
           extract(epoch FROM vigia_waits_for($1))::int / 3600 AS hours`,
        [act],
      );
      const { ask, approve, waitsHours } = policyOf(act);
      const [asking, approving] = [ask, approve].map((permission) =>
        roles.filter((role) => permissionsOfRole[role].includes(permission)).toSorted(),
      );
      const found = rows.map((one) => [one.asking.toSorted(), one.approving.toSorted(), one.hours]);
      expect([act, ...found]).toEqual([act, [asking, approving, waitsHours]]);
    }
    expect(Object.keys(acts)).toHaveLength(actNames.length);
  });

  it('guards each act, and each of its guards is attacked below', async () => {
    const found = await guards();
    for (const act of actNames) {
      const expected = found.filter((guard) => guard.acts.includes(act)).map(({ name }) => name);
      expect([act, expected.length]).toEqual([act, expect.any(Number)]);
      expect([act, expected.length > 0]).toEqual([act, !UNSEEN.includes(act)]);
      expect([act, Object.keys(attacks[act]()).toSorted()]).toEqual([act, expected.toSorted()]);
    }
  });

  it.each(actNames)('refuses the effect of %s to the role of the service, without a request', async (act) => {
    for (const [guard, [call, refusal = WITHOUT]] of Object.entries(attacks[act]())) {
      expect([guard, await asService(guard, call)]).toEqual([guard, expect.stringContaining(refusal)]);
    }
  });

  it('lets no row of what it guards go', async () => {
    const { rows } = await t.owner.query<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE t.tgname = ANY ($1) AND (has_table_privilege('vigia_app', c.oid, 'DELETE')
         OR has_table_privilege('vigia_app', c.oid, 'TRUNCATE'))`,
      [(await guards()).map(({ name }) => name)],
    );
    // Work that is done goes; a dead letter does not (below). A passkey goes, but not the last second factor.
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['kyt_work', 'operator_passkeys']);
  });

  const DENIED = 'permission denied';
  const ROW_SECURITY = 'row-level security';
  const otherWays: Readonly<
    Record<string, readonly [call: () => readonly Call[], refusal: string, checks?: string]>
  > = {
    'a case that begins closed': [
      () => [
        [
          `INSERT INTO reviews (id, organisation_id, kind, theme, status, priority, queue, opened_by, opened_at,
             selection_deadline, analysis_deadline, due_at, updated_at, trail_hash, proposed_by, resolution, report,
             justification, closed_by, closed_at)
           SELECT gen_random_uuid(), organisation_id, kind, theme, 'CLOSED', priority, queue, opened_by, opened_at,
             selection_deadline, analysis_deadline, due_at, updated_at, trail_hash, proposed_by, resolution, report,
             justification, $2, now() FROM reviews WHERE id = $1`,
          row.review,
          bea.id,
        ],
      ],
      'begins as a request',
    ],
    'a communication that begins filed': [
      () => [
        [
          `INSERT INTO coaf_communications (id, organisation_id, kind, review_id, decided_at, due_at, created_at,
             trail_hash, status, confirmed_at)
           VALUES (gen_random_uuid(), $1, 'SUSPICION', $2, now(), now(), now(), '\\x00', 'FILED', now())`,
          organisationId,
          newUuid(),
        ],
      ],
      'begins as a request',
    ],
    'a repair that begins applied': [
      () => [
        [
          `INSERT INTO audit_repairs (id, organisation_id, subject_type, subject_id, kind, gaps, justification, evidence,
             requested_by, decided_by, status)
           SELECT gen_random_uuid(), organisation_id, subject_type, subject_id, kind, gaps, justification, evidence,
             requested_by, $2, 'APPLIED' FROM audit_repairs WHERE organisation_id = $1`,
          organisationId,
          bea.id,
        ],
      ],
      'begins as a request',
    ],
    'a repair of other gaps than those asked for': [
      () => [[`UPDATE audit_repairs SET gaps = '[1]' WHERE organisation_id = $1`, organisationId]],
      DENIED,
    ],
    'a log that begins again without a question': [
      () => [
        [
          `INSERT INTO audit_reincarnations (id, organisation_id, incarnation, restored_size, anchor_incarnation,
             anchor_size, anchor_root, reason, requested_by, approved_by, status)
           SELECT gen_random_uuid(), organisation_id, 3, 1, 1, 2, '\\x00', reason, requested_by, $2, 'APPROVED'
           FROM audit_reincarnations WHERE organisation_id = $1`,
          organisationId,
          bea.id,
        ],
      ],
      'begins as a request',
    ],
    'a log that begins elsewhere than asked for': [
      () => [
        [`UPDATE audit_reincarnations SET restored_size = 99 WHERE organisation_id = $1`, organisationId],
      ],
      DENIED,
    ],
    'a discard of more than was asked for': [
      () => [
        [
          `UPDATE dead_letter_discards SET transaction_refs = transaction_refs || $2::uuid WHERE id = $1`,
          row.discard,
          transaction,
        ],
      ],
      DENIED,
    ],
    'a dead letter that goes': [
      () => [['DELETE FROM kyt_work WHERE organisation_id = $1', organisationId]],
      'a dead letter does not go',
    ],
    'a dead letter that is said to be at work': [
      () => [[`UPDATE kyt_work SET status = 'PROCESSING' WHERE organisation_id = $1`, organisationId]],
      'a dead letter does not go',
    ],
    'a ruleset that begins live': [
      () => [
        [
          `INSERT INTO rulesets (id, organisation_id, key, version, status, content, content_hash, origin, published_at)
           VALUES (gen_random_uuid(), $1, 'mine', 1, 'PUBLISHED', '{}', '\\x00', 'SEED', now())`,
          organisationId,
        ],
      ],
      'begins as a draft',
      'rulesets_seeded',
    ],
    'an import that begins published': [
      () => [
        [
          `INSERT INTO screening_snapshots (id, organisation_id, list_id, status, requested_by)
           VALUES (gen_random_uuid(), $1, $2, 'PUBLISHED', 'x')`,
          organisationId,
          list,
        ],
      ],
      'begins as a request',
    ],
    'an import that is published without its list': [
      () => [
        [`UPDATE screening_snapshots SET status = 'PUBLISHED', sequence = 7 WHERE id = $1`, row.reading],
      ],
      'is that of its list',
    ],
    'an import that takes most of its list away': [
      () => [
        [`UPDATE screening_snapshots SET status = 'PUBLISHED' WHERE id = $1`, row.reading],
        [`UPDATE screening_lists SET sequence = 2, snapshot_id = $2 WHERE id = $1`, list, row.reading],
        [`UPDATE screening_entries SET to_sequence = 2 WHERE list_id = $1 AND entry_key <> 'e0'`, list],
        [`UPDATE screening_snapshots SET sequence = 2 WHERE id = $1`, row.reading],
      ],
      'weakens its list',
    ],
    'an import that takes one name away': [
      () => [
        [`UPDATE screening_snapshots SET status = 'PUBLISHED' WHERE id = $1`, row.reading],
        [`UPDATE screening_lists SET sequence = 2, snapshot_id = $2 WHERE id = $1`, list, row.reading],
        [`UPDATE screening_entries SET to_sequence = 2 WHERE list_id = $1 AND entry_key = 'e0'`, list],
        [`UPDATE screening_snapshots SET sequence = 2 WHERE id = $1`, row.reading],
      ],
      'weakens its list',
    ],
    'an import that is read once more after it was asked for': [
      () => [[`UPDATE screening_snapshots SET status = 'READING' WHERE id = $1`, row.waiting]],
      'stays as it was read',
    ],
    'entries that leave while nothing is published': [
      () => [['UPDATE screening_entries SET to_sequence = 1 WHERE list_id = $1', list]],
      ROW_SECURITY,
    ],
    'entries that say something else': [
      () => [[`UPDATE screening_entries SET content = '{}' WHERE list_id = $1`, list]],
      DENIED,
    ],
    'entries that come while nothing is published': [
      () => [
        [
          `INSERT INTO screening_entries (id, organisation_id, list_id, entry_key, content_hash, content, from_sequence)
           VALUES (gen_random_uuid(), $1, $2, 'new', '\\x00', '{}', 1)`,
          organisationId,
          list,
        ],
      ],
      ROW_SECURITY,
    ],
    'entries that come to an import that waits': [
      () => [
        [
          `INSERT INTO screening_staged (id, organisation_id, snapshot_id, entry_key, content_hash, content)
           VALUES (gen_random_uuid(), $1, $2, 'new', '\\x00', '{}')`,
          organisationId,
          row.waiting,
        ],
      ],
      ROW_SECURITY,
    ],
    'entries that leave an import that waits': [
      () => [['DELETE FROM screening_staged WHERE snapshot_id = $1', row.waiting]],
      'nothing changed',
    ],
    'a list that shows an earlier snapshot': [
      () => [['UPDATE screening_lists SET sequence = 0 WHERE id = $1', list]],
      'what was published last',
    ],
    'an account that is somebody else’s': [
      () => [[`UPDATE operators SET email = 'mallory@example.com' WHERE id = $1`, bea.id]],
      'not given to somebody else',
    ],
    'a session of one’s own that becomes somebody else’s': [
      () => [[`UPDATE operator_sessions SET operator_id = $2 WHERE id = $1`, ana.sessionId, bea.id]],
      'stays with the operator',
    ],
    'a session that nobody has logged in for': [
      () => [
        [
          `INSERT INTO operator_sessions (id, organisation_id, operator_id, method, strong, idle_expires_at, expires_at)
           VALUES (gen_random_uuid(), $1, $2, 'PASSWORD', true, now() + interval '1 hour', now() + interval '1 hour')`,
          organisationId,
          bea.id,
        ],
      ],
      'without the entry of its login',
    ],
    'a session that lasts longer, or again': [
      () => [
        [`UPDATE operator_sessions SET expires_at = now() + interval '9 days' WHERE id = $1`, ana.sessionId],
      ],
      'stays with the operator',
    ],
    'a session that becomes strong by itself': [
      () => [[`UPDATE operator_sessions SET strong = true WHERE id = $1`, row.weak]],
      'without a second factor',
    ],
    'a refresh token for the session of somebody else': [
      () => [
        [
          `INSERT INTO operator_refresh_tokens (hash, organisation_id, session_id) VALUES ('\\x01', $1, $2)`,
          organisationId,
          bea.sessionId,
        ],
      ],
      'beside the one of its session',
    ],
    'a refresh token that is put to another session': [
      () => [
        [
          `UPDATE operator_refresh_tokens SET session_id = $2 WHERE session_id = $1`,
          ana.sessionId,
          bea.sessionId,
        ],
      ],
      'stays with the operator',
    ],
    'a machine that becomes a person': [
      () => [[`UPDATE operators SET kind = 'PERSON', email = 'm@example.com' WHERE id = $1`, row.machine]],
      'not given to somebody else',
    ],
    'a key that is thrown away': [
      () => [
        [
          `UPDATE subject_keys SET wrapped_key = NULL, destroyed_at = now() WHERE organisation_id = $1`,
          organisationId,
        ],
      ],
      WITHOUT,
    ],
    'a request by a machine': [() => [requestBy(row.machine)], 'made by a person'],
  };

  it.each(Object.keys(otherWays))('refuses %s', async (name) => {
    const [calls, refusal, checks = 'ALL'] = otherWays[name]!;
    expect(await asService(checks, ...calls())).toContain(refusal);
  });

  it('lets the role approve by no name but those of two independent people who may', async () => {
    const change = { mandatoryThreshold: 1, reason: WHY };
    const path = `/operator/lists/lst_${list.replaceAll('-', '')}/changes`;
    const asked = askedIn(await t.api.asOperator(ana).post(path).send(change).expect(202)).id;
    const decided = (by: string, alone = false): Call => [
      `UPDATE approvals SET status = 'APPROVED', decided_by = $2, decided_at = now(), effective_at = now(),
         single_control = $3 WHERE id = $1`,
      uuidOf('apr', asked),
      by,
      alone,
    ];
    expect(await asService('ALL', decided(ana.id))).toContain('not independent');
    const analyst = await t.operator({ roles: ['ANALYST'], organisationId });
    expect(await asService('ALL', decided(analyst.id))).toContain('by a person who may');
    expect(await asService('ALL', decided(row.machine))).toContain('by a person who may');
    expect(await asService('ALL', decided(ana.id, true))).toContain('somebody independent may approve');
    await lineage(bea.id, ana.id, 'INVITED');
    expect(await asService('ALL', decided(bea.id))).toContain('not independent');
    const carla = await officer();
    expect(await asService('ALL', decided(carla.id))).toContain('without an audit entry');
    // For another effect than it says an approval has no effect.
    const applied: Call = [
      `UPDATE approvals SET status = 'APPLIED', applied_at = clock_timestamp() WHERE id = $1`,
      uuidOf('apr', asked),
    ];
    const effect = (threshold: number): Promise<string> =>
      asService('screening_lists_approved', decided(carla.id), applied, [
        'UPDATE screening_lists SET mandatory_threshold = $2 WHERE id = $1',
        list,
        threshold,
      ]);
    expect(await effect(0.99)).toContain(WITHOUT);
    expect(await effect(1)).toBe('no refusal');
    // Nor alone after having sent the others away.
    await t.owner.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [carla.id]);
    expect(await asService('approvals_bound_update', decided(ana.id, true))).toContain(
      'without an audit entry',
    );
    await lineage(carla.id, ana.id, 'REMOVED');
    expect(await asService('ALL', decided(ana.id, true))).toContain('after somebody was taken away');
  });

  function lineage(who: string, by: string, kind: string): Promise<unknown> {
    return t.owner.query(
      `INSERT INTO operator_lineage (id, organisation_id, operator_id, by_id, kind, single_control)
       VALUES ($1, $2, $3, $4, $5, true)`,
      [newUuid(), organisationId, who, by, kind],
    );
  }

  function requestBy(who: string): Call {
    return [
      `INSERT INTO approvals (id, organisation_id, act, subject_id, change, digest, sealed_reason, requested_by, expires_at)
       VALUES ($1, $2, 'dead_letter.discard', 'x', '{"before": {}, "after": {}}', decode(repeat('00', 32), 'hex'), '\\x00',
         $3, now() + interval '1 day')`,
      newUuid(),
      organisationId,
      who,
    ];
  }
});

/** A row of each table that the effects change. */
async function rowsForEffects(): Promise<void> {
  const run = (sql: string, ...values: unknown[]): Promise<unknown> => t.owner.query(sql, values);
  await run(
    `UPDATE operators SET sealed_totp_seed = '\\x00', totp_enrolled_at = now() WHERE id = $1`,
    ana.id,
  );
  await t.app.get(FlowsService, { strict: false }).ensureDefaults(organisationId);
  await run(
    `INSERT INTO fx_imports (id, organisation_id, source, rate_count, content_hash, imported_by, imported_at, trail_hash)
     VALUES ($1, $2, 'agreed', 1, '\\x00', 'x', now(), '\\x00')`,
    newUuid(),
    organisationId,
  );
  const gone = await officer();
  await run(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, gone.id);
  await run(
    `INSERT INTO operators (id, organisation_id, kind, name, permissions) VALUES ($1, $2, 'MACHINE', 'M', '{kyt:replay}')`,
    row.machine,
    organisationId,
  );
  await run(
    `WITH app AS (
       INSERT INTO client_apps (id, organisation_id, client_id, environment, name, public_name, scopes, status,
         ip_allow_list, rate_limit_per_second, rate_limit_burst)
       VALUES ($1, $2, 'app-granted', 'sandbox', 'x', 'x', '{customers:write}', 'DISABLED',
         '{203.0.113.0/24}', 1, 1) RETURNING *)
     INSERT INTO client_secrets (id, organisation_id, client_app_id, hash)
     SELECT gen_random_uuid(), organisation_id, id, decode(repeat('22', 32), 'hex') FROM app`,
    row.app,
    organisationId,
  );
  await run(
    `INSERT INTO operator_invitations (id, organisation_id, email, name, roles, hash, expires_at)
     VALUES ($1, $2, 'z@example.com', 'Z', '{AUDITOR}', '\\x01', now() + interval '1 hour')`,
    row.invitation,
    organisationId,
  );
  await run(
    `INSERT INTO rule_snoozes (id, organisation_id, ruleset_key, rule_key, reason, begins_at, ends_at, created_by)
     VALUES ($1, $2, 'br-starter', 'BR-PIX-16', 'agreed', now(), now() + interval '1 day', 'x')`,
    row.snooze,
    organisationId,
  );
  await run(
    `INSERT INTO audit_repairs (id, organisation_id, subject_type, subject_id, kind, gaps, justification, evidence, requested_by)
     VALUES ($1, $2, 'review', 'x', 'ATTEST', '[]', $3, '{}', $4)`,
    newUuid(),
    organisationId,
    WHY,
    ana.id,
  );
  await run(
    `INSERT INTO audit_reincarnations (id, organisation_id, incarnation, restored_size, anchor_incarnation, anchor_size,
       anchor_root, reason, requested_by) VALUES ($1, $2, 2, 1, 1, 2, '\\x00', $3, $4)`,
    newUuid(),
    organisationId,
    WHY,
    ana.id,
  );
  await run(
    `INSERT INTO rulesets (id, organisation_id, key, version, status, content, content_hash, origin)
     VALUES ($1, $2, 'drafted', 1, 'DRAFT', '{}', '\\x00', 'DRAFT')`,
    newUuid(),
    organisationId,
  );
  await run(
    `INSERT INTO reviews (id, organisation_id, kind, theme, status, priority, queue, opened_by, opened_at,
       selection_deadline, analysis_deadline, due_at, updated_at, trail_hash, proposed_by, resolution, report,
       justification)
     VALUES ($1, $2, 'MANUAL', 'OTHER', 'PENDING_APPROVAL', 1, 'q', 'x', now(), now(), now(), now(), now(), '\\x00', $3,
       'APPROVED', 'ARCHIVE', '\\x00')`,
    row.review,
    organisationId,
    ana.id,
  );
  await run(
    `INSERT INTO coaf_communications (id, organisation_id, kind, review_id, decided_at, due_at, created_at, trail_hash,
       status, filing_number, received_at, recorded_by, recorded_at, sealed_content, content_hash)
     VALUES ($1, $2, 'SUSPICION', $4, now(), now(), now(), '\\x00', 'RECORDED', '1', now(), $3, now(), '\\x00', '\\x00')`,
    newUuid(),
    organisationId,
    ana.id,
    row.review,
  );
  // A list of ten entries, an import that waits for two people, and one that is being read.
  const before = newUuid();
  for (const [id, status, sequence] of [
    [before, 'PUBLISHED', 1],
    [row.waiting, 'AWAITING_CONFIRMATION', null],
  ] as const) {
    await run(
      `INSERT INTO screening_snapshots (id, organisation_id, list_id, status, sequence, requested_by)
       VALUES ($1, $2, $3, $4, $5, 'test')`,
      id,
      organisationId,
      list,
      status,
      sequence,
    );
  }
  await run('DROP INDEX screening_snapshots_open');
  await run(
    `INSERT INTO screening_snapshots (id, organisation_id, list_id, status, requested_by) VALUES ($1, $2, $3, 'READING', 'test')`,
    row.reading,
    organisationId,
    list,
  );
  await run(
    `INSERT INTO screening_staged (id, organisation_id, snapshot_id, entry_key, content_hash, content)
     VALUES (gen_random_uuid(), $1, $2, 'e0', '\\x00', '{}')`,
    organisationId,
    row.waiting,
  );
  await run(
    `UPDATE screening_lists SET sequence = 1, snapshot_id = $2, entries = 10 WHERE id = $1`,
    list,
    before,
  );
  await run(
    `INSERT INTO screening_entries (id, organisation_id, list_id, entry_key, content_hash, content, from_sequence)
     SELECT gen_random_uuid(), $1, $2, 'e' || n, '\\x00', '{"names":[]}', 1 FROM generate_series(0, 9) AS n`,
    organisationId,
    list,
  );
  const hit = (id: string, key: string, status: string, ends: string): Promise<unknown> =>
    run(
      `INSERT INTO screening_hits (id, organisation_id, subject_index, role, list_id, entry_key, entry_id, entry_hash,
         snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed_explanation, status, expires_at)
       VALUES ($1, $2, '\\x00', 'CUSTOMER', $3, $4, $1, '\\x00', $1, '1', 1, 1, 'NAME', true, '{}', '\\x00', $5, ${ends})`,
      id,
      organisationId,
      list,
      key,
      status,
    );
  const dismissed = newUuid();
  await hit(newUuid(), 'e', 'PENDING', 'NULL');
  await hit(dismissed, 'd', 'DISMISSED_FALSE_POSITIVE', `now() + interval '1 day'`);
  await run(
    `INSERT INTO freezes (id, organisation_id, hit_id, subject_index, frozen_by) VALUES ($1, $2, $3, '\\x00', 'x')`,
    newUuid(),
    organisationId,
    dismissed,
  );
  await run(
    `INSERT INTO customers (id, organisation_id, assurance, identified_by, subject_index, sealed, named, trail_hash,
       risk_level, risk_level_by, legal_hold_at, legal_hold_by, legal_hold_reason)
     VALUES ($1, $2, 'DECLARED', 'OPERATOR', '\\x00', '\\x00', false, '\\x00', 'HIGH', 'OPERATOR', now(), $3, '\\x00')`,
    newUuid(),
    organisationId,
    ana.id,
  );
  const letter = newUuid();
  await run(
    `INSERT INTO kyt_work (transaction_ref, organisation_id, status, due_at, failure_code, failure_stage)
     VALUES ($1, $2, 'DEAD_LETTERED', 'infinity', 'TEST', 'OPEN')`,
    letter,
    organisationId,
  );
  await run(
    `INSERT INTO dead_letter_discards (id, organisation_id, reason, transaction_refs, generations, requested_by, requested_at)
     VALUES ($1, $2, $3, $4, '{1}', 'operator:x', now())`,
    row.discard,
    organisationId,
    WHY,
    [letter],
  );
}
