import { execute, statement, type Reader } from '../../../platform/database/index.js';
import type { DependentPair } from '../domain/control.js';

const INDEPENDENT = statement(
  'approvals.independent',
  `SELECT one.id FROM unnest($4::uuid[]) AS one (id) WHERE vigia_independent($1, $2, $3, one.id)`,
  { id: 'uuid' },
);

const PERSON = statement(
  'approvals.person',
  `SELECT kind = 'PERSON' AS person FROM operators WHERE organisation_id = $1 AND id = $2 AND status = 'ENABLED'`,
  { person: 'boolean' },
);

/** True if the operator is an enabled person of the organisation. */
export async function isEnabledOperator(
  db: Reader,
  organisationId: string,
  operatorId: string,
): Promise<boolean> {
  const [found] = await execute(db, PERSON, [organisationId, operatorId]);
  return found?.person ?? false;
}

const IS_SINGLE_CONTROL_ALLOWED = statement(
  'approvals.single_handed',
  `SELECT single_handed_at IS NOT NULL AS "singleHanded" FROM organisations WHERE id = $1`,
  { singleHanded: 'boolean' },
);

/** True if the installation has declared that one person may decide everything in the organisation. */
export async function allowsSingleControl(db: Reader, organisationId: string): Promise<boolean> {
  const [found] = await execute(db, IS_SINGLE_CONTROL_ALLOWED, [organisationId]);
  return found?.singleHanded ?? false;
}

const TAKEN_AWAY = statement('approvals.taken_away', `SELECT vigia_was_taken_away($1, $2, $3, $4) AS taken`, {
  taken: 'boolean',
});

/** True if, within 30 days, requester or approver removed an operator or roles, or a possible approver was removed. */
export async function wasApproverRemoved(
  db: Reader,
  organisationId: string,
  act: string,
  requestedBy: string,
  decidedBy: string,
): Promise<boolean> {
  const [found] = await execute(db, TAKEN_AWAY, [organisationId, act, requestedBy, decidedBy]);
  return found?.taken ?? false;
}

export const COUNTS = statement(
  'approvals.counts',
  `SELECT
     (SELECT count(*)::int FROM (SELECT FROM approvals WHERE organisation_id = $1 AND status = 'REQUESTED'
        AND act = ANY ($3::text[]) AND requested_by <> $2 LIMIT $5) a) AS "toApprove",
     (SELECT count(*)::int FROM (SELECT FROM approvals WHERE organisation_id = $1
        AND status IN ('REQUESTED', 'APPROVED') AND act = ANY ($4::text[]) AND requested_by = $2 LIMIT $5) a) AS asked`,
  { toApprove: 'integer', asked: 'integer' },
);

/** Returns the candidates who are independent of an operator for an act. */
export async function independentApprovers(
  db: Reader,
  organisationId: string,
  act: string,
  operatorId: string,
  candidates: readonly string[],
): Promise<ReadonlySet<string>> {
  const approvers = await execute(db, INDEPENDENT, [organisationId, act, operatorId, candidates]);
  return new Set(approvers.map(({ id }) => id));
}

const DEPENDENT = statement(
  'approvals.dependent',
  `WITH recent AS (
     SELECT operator_id, by_id, single_control, at FROM operator_lineage
     WHERE organisation_id = $1 AND at > clock_timestamp() - interval '30 days'
   ), linked AS (
     SELECT operator_id AS one, by_id AS other, at FROM recent
     UNION ALL SELECT by_id, operator_id, at FROM recent
     UNION ALL SELECT a.operator_id, b.operator_id, greatest(a.at, b.at) FROM recent a JOIN recent b USING (by_id)
       WHERE a.single_control AND b.single_control
   ), pairs AS (SELECT one, other, max(at) AS at FROM linked WHERE one <> other GROUP BY one, other)
   SELECT one AS "makerId", other AS "checkerId", act, at + interval '30 days' AS until
   FROM pairs CROSS JOIN unnest($2::text[]) AS acts (act)
   WHERE NOT vigia_independent($1, act, one, other)`,
  { makerId: 'uuid', checkerId: 'uuid', act: 'text', until: 'timestamptz' },
);

/** Returns each pair of an act once. */
export const dependentPairs = (
  db: Reader,
  organisationId: string,
  acts: readonly string[],
): Promise<DependentPair[]> => execute(db, DEPENDENT, [organisationId, acts]);
