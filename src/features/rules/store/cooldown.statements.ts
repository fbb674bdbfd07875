import {
  columns,
  execute,
  isIn,
  prepared,
  sqlArray,
  unnested,
  type Clause,
  type Reader,
  type Rows,
} from '../../../platform/database/index.js';
import { RuleCooldownEntity } from './entities.js';

export interface CountedHit {
  readonly organisationId: string;
  readonly rulesetKey: string;
  readonly ruleKey: string;
  readonly customerKey: Buffer;
  readonly transactionRef: string;
  readonly at: number;
}

export const cooldownKey = (
  organisationId: string,
  rulesetKey: string,
  ruleKey: string,
  customerKey: Buffer,
): string => `${organisationId}|${rulesetKey}|${ruleKey}|${customerKey.toString('hex')}`;

const HITS = unnested<CountedHit>(
  { uuid: ['organisationId'], text: ['rulesetKey', 'ruleKey'], bytea: ['customerKey'] },
  { timestamptz: { countedAt: ({ at }) => new Date(at) }, uuid: ['transactionRef'] },
);

/** Stores when rules counted, for transactions whose id the clause `onlyFor` returned. */
export function cooldownClause(counted: readonly CountedHit[], onlyFor: string): Clause {
  // One statement can update a row only once, so only the last hit per rule and customer is stored.
  const newest = new Map(
    counted.map((hit) => [
      cooldownKey(hit.organisationId, hit.rulesetKey, hit.ruleKey, hit.customerKey),
      hit,
    ]),
  );
  return {
    name: 'cooled',
    // Rows are written in one order, so that batches with the same customers do not deadlock.
    text: `INSERT INTO rule_cooldowns AS c (${HITS.columns}) SELECT s.* FROM ${HITS.from()}
             WHERE ${isIn('s.transaction_ref', onlyFor)}
             ORDER BY s.organisation_id, s.customer_key, s.ruleset_key, s.rule_key
             ON CONFLICT (organisation_id, customer_key, ruleset_key, rule_key) DO UPDATE
               SET counted_at = excluded.counted_at, transaction_ref = excluded.transaction_ref
               WHERE c.counted_at < excluded.counted_at`,
    values: HITS.arrays([...newest.values()]),
  };
}

const COOLDOWNS = prepared(
  'rule-cooldowns',
  `SELECT c.organisation_id, c.ruleset_key, c.rule_key, c.customer_key, c.counted_at
   FROM rule_cooldowns c
   JOIN (SELECT DISTINCT * FROM unnest($1::uuid[], $2::bytea[]) AS s (organisation_id, customer_key)) s
     USING (organisation_id, customer_key)`,
  columns(RuleCooldownEntity, 'organisationId', 'rulesetKey', 'ruleKey', 'customerKey', 'countedAt'),
);

export type CooldownRow = Rows<typeof COOLDOWNS>;

/** Reads when rules last counted for these customers. */
export const readCooldowns = (
  db: Reader,
  customers: readonly { readonly organisationId: string; readonly customerKey: Buffer | null }[],
): Promise<CooldownRow[]> =>
  execute(db, COOLDOWNS, [
    sqlArray.uuids(customers.map(({ organisationId }) => organisationId)),
    sqlArray.bytes(customers.map(({ customerKey }) => customerKey)),
  ]);
