import { table } from '../../../platform/kernel/table.js';
import type { ListKind } from '../../screening/index.js';
import type { Submission } from './submission/submission.js';
import type { Evaluation, FactSheet } from '../../rules/index.js';
import {
  LISTED,
  leadReasonOfMissingData,
  themeOf,
  type AlertFacts,
  type LeadReason,
  type Priority,
  type ReviewKind,
  type Theme,
} from '../../reviews/index.js';

/** A hit about a party of a transaction, with the properties that decide about a review. */
export interface PartyHit {
  readonly hitId: string;
  readonly listKind: ListKind;
  readonly mandatory: boolean;
  /** True if nobody has decided about the hit yet. */
  readonly pending: boolean;
  readonly dismissed: boolean;
}

/** The reason why a person has to look at a transaction. */
export interface ReviewNeed {
  readonly kind: ReviewKind;
  readonly theme: Theme;
  readonly priority: Priority;
  readonly sanctions: boolean;
  readonly hitIds: readonly string[];
}

const BY_LEVEL: Readonly<Record<string, Priority>> = table({ CRITICAL: 'CRITICAL', HIGH: 'HIGH' });

/**
 * Returns the review that an evaluation needs, or null. An undecided hit always needs a review. The case is a DATA_GAP
 * if the evaluation is not defensible, and neither its score nor a rule asks for a person.
 */
export function reviewNeedOf(evaluation: Evaluation, hits: readonly PartyHit[]): ReviewNeed | null {
  const review = evaluation.outcome === 'REVIEW';
  const unresolved = hits.filter(({ mandatory, dismissed }) => mandatory && !dismissed);
  if (unresolved.some(({ pending }) => pending) || (review && unresolved.length > 0)) {
    const sanctions = unresolved.some(({ listKind }) => listKind === 'SANCTIONS');
    return {
      kind: 'HIT',
      theme: 'SCREENING',
      priority: sanctions ? 'CRITICAL' : 'HIGH',
      sanctions,
      hitIds: [...new Set(unresolved.map(({ hitId }) => hitId))],
    };
  }
  if (!review) return null;
  const kind = evaluation.judgedByRules ? 'SCORE' : 'DATA_GAP';
  const priority = kind === 'DATA_GAP' ? 'LOW' : (BY_LEVEL[evaluation.level ?? ''] ?? 'MEDIUM');
  const theme = kind === 'DATA_GAP' ? 'DATA_GAP' : gravestTheme(evaluation);
  return { kind, theme, priority, sanctions: false, hitIds: [] };
}

/** Returns the theme of the counted rule with the most points; in a tie, of the first. */
function gravestTheme({ rules }: Evaluation): Theme {
  const hits = rules.filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED');
  const gravest = hits.reduce<(typeof hits)[number] | null>(
    (most, one) => (most && most.points >= one.points ? most : one),
    null,
  );
  return gravest ? themeOf(gravest.rule.definition.category) : 'OTHER';
}

/** Returns the most severe reason, the amount, and the rules and countries that cases are filtered by. */
export function alertFactsOf(
  { kind }: ReviewNeed,
  evaluation: Evaluation,
  submission: Pick<Submission, 'origin' | 'destination'>,
  sheet: FactSheet,
): AlertFacts {
  const { reasons, nonDefensibleReasons } = evaluation;
  const gravest = [...reasons].sort((a, b) => b.points - a.points)[0];
  const isGap = kind === 'DATA_GAP' || gravest === undefined;
  const lead: LeadReason = isGap
    ? kind === 'HIT'
      ? LISTED
      : leadReasonOfMissingData(nonDefensibleReasons)
    : {
        code: gravest.ruleId,
        points: gravest.points,
        title: gravest.name,
        text: gravest.message,
      };
  return {
    lead,
    amountCents: amountInCents(sheet),
    rules: [...new Set(reasons.map(({ ruleId }) => ruleId))].sort(),
    countries: countriesOf(submission),
  };
}

/** Returns the amount in cents of a real; null if it is unknown. */
export function amountInCents(sheet: FactSheet): number | null {
  const amount = sheet.fact('amountBrl');
  return amount.state === 'KNOWN' ? Math.round(Number(amount.value) * 100) : null;
}

/** Returns the countries that were sent for either side. */
export const countriesOf = ({
  origin,
  destination,
}: Pick<Submission, 'origin' | 'destination'>): readonly string[] =>
  [...new Set([origin.country, destination.country].filter((one) => one !== null))].sort();
