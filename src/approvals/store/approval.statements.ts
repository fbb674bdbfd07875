import { execute, statement, type Reader } from '../../database/index.js';

const INDEPENDENT = statement(
  'approvals.independent',
  `SELECT one.id FROM unnest($3::uuid[]) AS one (id) WHERE vigia_independent($1, $2, one.id)`,
  { id: 'uuid' },
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
