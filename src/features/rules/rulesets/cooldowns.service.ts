import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { Evaluation } from '../domain/scoring/compose.js';
import type { LiveRuleset, LiveRulesets } from './ruleset-registry.service.js';
import { cooldownsOf, cooldownKey, type CountedHit } from '../store/cooldown.statements.js';

/** A transaction as cooldowns see it; without a known customer a rule always counts. */
export interface CooldownSubject {
  readonly id: string;
  readonly organisationId: string;
  readonly customerKey: Buffer | null;
  readonly occurredAt: Date;
}

/**
 * The times at which rules with a cooldown last counted for the customers of one batch. The batch adds its own hits, so
 * that its transactions are treated like those of different batches.
 */
export class CooldownIndex {
  private readonly last: Map<string, number>;

  constructor(known: Iterable<readonly [string, number]> = []) {
    this.last = new Map(known);
  }

  /** The rules of this ruleset that counted for the customer within their cooldown before this transaction. */
  findActive(ruleset: LiveRuleset, subject: CooldownSubject): string[] {
    const { customerKey, organisationId } = subject;
    if (!customerKey || ruleset.cooldowns.size === 0) return [];
    const at = subject.occurredAt.getTime();
    return [...ruleset.cooldowns].flatMap(([ruleKey, span]) => {
      const last = this.last.get(cooldownKey(organisationId, ruleset.key, ruleKey, customerKey));
      // A transaction that occurred before the one that counted is not a repetition of it.
      return last !== undefined && last <= at && at < last + span ? [ruleKey] : [];
    });
  }

  /** Notes which rules with a cooldown counted, and returns them. */
  record(ruleset: LiveRuleset, subject: CooldownSubject, { rules }: Evaluation): readonly CountedHit[] {
    const { customerKey, organisationId } = subject;
    if (!customerKey || ruleset.cooldowns.size === 0) return [];
    const counted: CountedHit[] = [];
    for (const { rule, result, effect } of rules) {
      const ruleKey = rule.definition.key;
      if (result !== 'HIT' || effect !== 'COUNTED' || !ruleset.cooldowns.has(ruleKey)) continue;
      const name = cooldownKey(organisationId, ruleset.key, ruleKey, customerKey);
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

/**
 * Reads when rules last counted. A repetition that another worker evaluates at the same moment is not seen and counts
 * too: a hit more is looked at, never one less.
 */
@Injectable()
export class CooldownsService {
  constructor(private readonly uow: UnitOfWork) {}

  /** Opens the book of a batch; runs no statement when no rule has a cooldown. */
  async open(
    live: ReadonlyMap<string, LiveRulesets>,
    batch: readonly CooldownSubject[],
  ): Promise<CooldownIndex> {
    const asked = batch.filter(
      ({ organisationId, customerKey }) =>
        customerKey !== null && live.get(organisationId)?.hasCooldowns === true,
    );
    if (asked.length === 0) return new CooldownIndex();
    const organisations = [...new Set(asked.map(({ organisationId }) => organisationId))];
    const rows = await this.uow.read(organisations, (db) => cooldownsOf(db, asked));
    return new CooldownIndex(
      rows.map((row) => [
        cooldownKey(row.organisation_id, row.ruleset_key, row.rule_key, row.customer_key),
        row.counted_at.getTime(),
      ]),
    );
  }
}
