import { execute, statement, type Reader } from '../../database/index.js';

const INDEPENDENT = statement(
  'approvals.independent',
  `SELECT one.id FROM unnest($3::uuid[]) AS one (id) WHERE vigia_independent($1, $2, one.id)`,
  { id: 'uuid' },
);

const PERSON = statement(
  'approvals.person',
  `SELECT kind = 'PERSON' AS person FROM operators WHERE organisation_id = $1 AND id = $2 AND status = 'ENABLED'`,
  { person: 'boolean' },
);

/** Whether somebody is a person of the organisation who is let in. */
export async function isPerson(db: Reader, organisationId: string, operatorId: string): Promise<boolean> {
  const [found] = await execute(db, PERSON, [organisationId, operatorId]);
  return found?.person ?? false;
}

const REMOVED = statement(
  'approvals.removed',
  `SELECT EXISTS (SELECT FROM operator_lineage WHERE organisation_id = $1 AND kind = 'REMOVED' AND by_id = ANY ($2::uuid[])
     AND at > clock_timestamp() - interval '30 days') AS removed`,
  { removed: 'boolean' },
);

/** Whether one of these people disabled somebody, or took roles away, lately. */
export async function hasRemoved(
  db: Reader,
  organisationId: string,
  operatorIds: readonly string[],
): Promise<boolean> {
  const [found] = await execute(db, REMOVED, [organisationId, operatorIds]);
  return found?.removed ?? false;
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

/** Those of the candidates who are a second person for somebody: others, who did not empower each other lately. */
export async function independentOf(
  db: Reader,
  organisationId: string,
  operatorId: string,
  candidates: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await execute(db, INDEPENDENT, [organisationId, operatorId, candidates]);
  return new Set(found.map(({ id }) => id));
}
