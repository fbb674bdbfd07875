import { Injectable } from '@nestjs/common';
import { among, execute, sqlArray, UnitOfWork, type Clause } from '../database/index.js';
import type { Evaluation } from './domain/compose.js';
import type { LiveRuleset, LiveRulesets } from './ruleset-registry.js';

/** A transaction as cooldowns see it; without a known customer a rule always counts. */
export interface CooldownSubject {
  readonly id: string;
  readonly organisationId: string;
  readonly customerKey: Buffer | null;
  readonly occurredAt: Date;
}

/** A hit of a rule with a cooldown that counted. */
export interface CountedHit {
  readonly organisationId: string;
  readonly rulesetKey: string;
  readonly ruleKey: string;
  readonly customerKey: Buffer;
  readonly transactionRef: string;
  readonly at: number;
}

const nameOf = (organisationId: string, rulesetKey: string, ruleKey: string, customerKey: Buffer): string =>
  `${organisationId}|${rulesetKey}|${ruleKey}|${customerKey.toString('hex')}`;

/**
 * When rules with a cooldown last counted for the customers of one batch. The batch adds to it as it goes, so that two
 * transactions of one batch are treated as two of two.
 */
export class CooldownBook {
  private readonly last: Map<string, number>;

  constructor(known: Iterable<readonly [string, number]> = []) {
    this.last = new Map(known);
  }

  /** The rules of this ruleset that counted for the customer within their cooldown before this transaction. */
  coolingFor(ruleset: LiveRuleset, subject: CooldownSubject): string[] {
    const { customerKey, organisationId } = subject;
    if (!customerKey || ruleset.cooldowns.size === 0) return [];
    const at = subject.occurredAt.getTime();
    return [...ruleset.cooldowns].flatMap(([ruleKey, span]) => {
      const last = this.last.get(nameOf(organisationId, ruleset.key, ruleKey, customerKey));
      // A transaction that occurred before the one that counted is not a repetition of it.
      return last !== undefined && last <= at && at < last + span ? [ruleKey] : [];
    });
  }

  /** Notes which rules with a cooldown counted, and returns them. */
  note(ruleset: LiveRuleset, subject: CooldownSubject, { rules }: Evaluation): readonly CountedHit[] {
    const { customerKey, organisationId } = subject;
    if (!customerKey || ruleset.cooldowns.size === 0) return [];
    const counted: CountedHit[] = [];
    for (const { rule, result, effect } of rules) {
      const ruleKey = rule.definition.key;
      if (result !== 'HIT' || effect !== 'COUNTED' || !ruleset.cooldowns.has(ruleKey)) continue;
      const name = nameOf(organisationId, ruleset.key, ruleKey, customerKey);
      const at = subject.occurredAt.getTime();
      if (at < (this.last.get(name) ?? -Infinity)) continue;
      this.last.set(name, at);
      counted.push({
        organisationId,
        rulesetKey: ruleset.key,
        ruleKey,
        customerKey,
        transactionRef: subject.id,
        at,
      });
    }
    return counted;
  }
}

/** A clause that keeps when rules counted, for those transactions whose id an earlier clause returned; null for none. */
export function cooldownClause(counted: readonly CountedHit[], onlyFor: string): Clause | null {
  // Of several transactions of one customer the last one counts; a statement changes a row once.
  const newest = new Map(
    counted.map((hit) => [nameOf(hit.organisationId, hit.rulesetKey, hit.ruleKey, hit.customerKey), hit]),
  );
  const rows = [...newest.values()];
  if (rows.length === 0) return null;
  return {
    name: 'cooled',
    // In one order, so that batches with the same customers wait for each other one way only.
    text: `INSERT INTO rule_cooldowns AS c
               (organisation_id, ruleset_key, rule_key, customer_key, counted_at, transaction_ref)
             SELECT s.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[], $6::uuid[])
               AS s (organisation_id, ruleset_key, rule_key, customer_key, counted_at, transaction_ref)
             WHERE ${among('s.transaction_ref', onlyFor)}
             ORDER BY s.organisation_id, s.customer_key, s.ruleset_key, s.rule_key
             ON CONFLICT (organisation_id, customer_key, ruleset_key, rule_key) DO UPDATE
               SET counted_at = excluded.counted_at, transaction_ref = excluded.transaction_ref
               WHERE c.counted_at < excluded.counted_at`,
    values: [
      sqlArray.uuids(rows.map((row) => row.organisationId)),
      sqlArray.text(rows.map((row) => row.rulesetKey)),
      sqlArray.text(rows.map((row) => row.ruleKey)),
      sqlArray.bytes(rows.map((row) => row.customerKey)),
      sqlArray.instants(rows.map((row) => new Date(row.at))),
      sqlArray.uuids(rows.map((row) => row.transactionRef)),
    ],
  };
}

interface CooldownRow {
  readonly organisation_id: string;
  readonly ruleset_key: string;
  readonly rule_key: string;
  readonly customer_key: Buffer;
  readonly counted_at: Date;
}

const COOLDOWNS = {
  name: 'rule-cooldowns',
  text: `SELECT c.organisation_id, c.ruleset_key, c.rule_key, c.customer_key, c.counted_at
         FROM rule_cooldowns c
         JOIN (SELECT DISTINCT * FROM unnest($1::uuid[], $2::bytea[]) AS s (organisation_id, customer_key)) s
           USING (organisation_id, customer_key)`,
};

/**
 * Reads when rules last counted. A repetition that another worker evaluates at the same moment is not seen and counts
 * too: a hit more is looked at, never one less.
 */
@Injectable()
export class Cooldowns {
  constructor(private readonly uow: UnitOfWork) {}

  /** The book for a batch; without a rule that has a cooldown it costs nothing. */
  async open(
    live: ReadonlyMap<string, LiveRulesets>,
    batch: readonly CooldownSubject[],
  ): Promise<CooldownBook> {
    const asked = batch.filter(
      ({ organisationId, customerKey }) =>
        customerKey !== null && live.get(organisationId)?.hasCooldowns === true,
    );
    if (asked.length === 0) return new CooldownBook();
    const organisations = [...new Set(asked.map(({ organisationId }) => organisationId))];
    const rows = await this.uow.read(organisations, (db) =>
      execute<CooldownRow>(db, COOLDOWNS, [
        sqlArray.uuids(asked.map(({ organisationId }) => organisationId)),
        sqlArray.bytes(asked.map(({ customerKey }) => customerKey)),
      ]),
    );
    return new CooldownBook(
      rows.map((row) => [
        nameOf(row.organisation_id, row.ruleset_key, row.rule_key, row.customer_key),
        row.counted_at.getTime(),
      ]),
    );
  }
}
