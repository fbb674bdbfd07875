import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { Evaluation } from '../domain/scoring/compose.js';
import type { LiveRuleset, LiveRulesets } from './ruleset-registry.service.js';
import { readCooldowns, cooldownKey, type CountedHit } from '../store/cooldown.statements.js';

/** The fields of a transaction that cooldowns read. Without a known customer a rule always counts. */
export interface CooldownTransaction {
  readonly id: string;
  readonly organisationId: string;
  readonly customerKey: Buffer | null;
  readonly occurredAt: Date;
}

/**
 * The times at which rules with a cooldown last counted for the customers of a batch. `record` adds the hits of the
 * batch itself, so that its transactions are treated as if they were in separate batches.
 */
export class CooldownIndex {
  private readonly lastCounted: Map<string, number>;

  constructor(known: Iterable<readonly [string, number]> = []) {
    this.lastCounted = new Map(known);
  }

  /** Returns the rules that are in their cooldown for the customer of this transaction. */
  findActive(ruleset: LiveRuleset, subject: CooldownTransaction): string[] {
    const { customerKey, organisationId } = subject;
    if (!customerKey || ruleset.cooldowns.size === 0) return [];
    const at = subject.occurredAt.getTime();
    return [...ruleset.cooldowns].flatMap(([ruleKey, span]) => {
      const last = this.lastCounted.get(cooldownKey(organisationId, ruleset.key, ruleKey, customerKey));
      // A transaction that occurred before the counted transaction is not a repetition of it.
      return last !== undefined && last <= at && at < last + span ? [ruleKey] : [];
    });
  }

  /** Adds the counted hits of rules with a cooldown to the index, and returns them. */
  record(ruleset: LiveRuleset, subject: CooldownTransaction, { rules }: Evaluation): readonly CountedHit[] {
    const { customerKey, organisationId } = subject;
    if (!customerKey || ruleset.cooldowns.size === 0) return [];
    const countedHits: CountedHit[] = [];
    for (const { rule, result, effect } of rules) {
      const ruleKey = rule.definition.key;
      if (result !== 'HIT' || effect !== 'COUNTED' || !ruleset.cooldowns.has(ruleKey)) continue;
      const name = cooldownKey(organisationId, ruleset.key, ruleKey, customerKey);
      const at = subject.occurredAt.getTime();
      if (at < (this.lastCounted.get(name) ?? -Infinity)) continue;
      this.lastCounted.set(name, at);
      countedHits.push({
        organisationId,
        rulesetKey: ruleset.key,
        ruleKey,
        customerKey,
        transactionRef: subject.id,
        at,
      });
    }
    return countedHits;
  }
}

/**
 * Reads when rules last counted. Two transactions that different workers evaluate at the same moment do not see each
 * other, so both may count: a hit may be shown twice, but none is lost.
 */
@Injectable()
export class CooldownsService {
  constructor(private readonly uow: UnitOfWork) {}

  /** Loads the index of a batch; runs no statement when no rule has a cooldown. */
  async loadIndex(
    live: ReadonlyMap<string, LiveRulesets>,
    batch: readonly CooldownTransaction[],
  ): Promise<CooldownIndex> {
    const withCustomer = batch.filter(
      ({ organisationId, customerKey }) =>
        customerKey !== null && live.get(organisationId)?.hasCooldowns === true,
    );
    if (withCustomer.length === 0) return new CooldownIndex();
    const organisations = [...new Set(withCustomer.map(({ organisationId }) => organisationId))];
    const rows = await this.uow.read(organisations, (db) => readCooldowns(db, withCustomer));
    return new CooldownIndex(
      rows.map((row) => [
        cooldownKey(row.organisation_id, row.ruleset_key, row.rule_key, row.customer_key),
        row.counted_at.getTime(),
      ]),
    );
  }
}
