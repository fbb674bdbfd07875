import { execute, sqlArray, statement, type Tx } from '../../../platform/database/index.js';
import { longestWindowByLog } from '../domain/aggregate-reach.js';
import { compileRuleset } from '../domain/compiled-ruleset.js';
import type { RulesetDefinition } from '../language/index.js';

const MINUTE_MS = 60_000;

const WIDEN = statement(
  'rules.widen-reaches',
  `INSERT INTO aggregate_reaches (organisation_id, log, minutes)
   SELECT $1, r.log, r.minutes FROM unnest($2::text[], $3::int[]) AS r (log, minutes)
   ON CONFLICT (organisation_id, log) DO UPDATE SET minutes = greatest(aggregate_reaches.minutes, excluded.minutes)`,
);

/** Publication: stores how far back the ruleset's windows look. A late transaction within them may change verdicts. */
export async function widenReaches(
  tx: Tx,
  organisationId: string,
  content: RulesetDefinition,
): Promise<void> {
  const compilation = compileRuleset(content);
  if (!compilation.ok) return;
  const reaches = [...longestWindowByLog(compilation.ruleset.schema)];
  if (reaches.length === 0) return;
  await execute(tx, WIDEN, [
    organisationId,
    sqlArray.plain(reaches.map(([log]) => log)),
    sqlArray.plain(reaches.map(([, ms]) => Math.ceil(ms / MINUTE_MS))),
  ]);
}
