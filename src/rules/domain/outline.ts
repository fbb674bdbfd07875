import { featureSchema, type ComponentName, type FactSheet } from '../language/index.js';
import type { CompiledRuleset } from './compiled-ruleset.js';
import { isWhole } from './component.js';
import type { Evidence, Outcome } from './compose.js';
import { scoreOfHits } from './score.js';

/** What an evaluation came to, without what it tells people. */
export interface Outline {
  readonly outcome: Outcome;
  readonly score: number;
  /** Rules whose hits counted, in the order of the ruleset. */
  readonly hits: readonly string[];
  readonly shadow: readonly string[];
  readonly indeterminate: readonly string[];
}

const TYPE = featureSchema.get('type').slot;
const CURRENCY = featureSchema.get('currency').slot;
const AMOUNT_BRL = featureSchema.get('amountBrl').slot;
const NONE: readonly string[] = Object.freeze([]);

/**
 * The outcome, score and hits of `evaluate`, at a fraction of its time: a back-test counts a million evaluations and
 * explains none of them. That both always agree is tested over random snapshots.
 */
export function outlineOf(
  { sheet, findings, contradictions }: Evidence,
  ruleset: CompiledRuleset,
  trailIntact: boolean,
): Outline {
  const { definition } = ruleset;
  let taken = 0;
  let suppressed: Set<string> | null = null;
  for (const dampener of ruleset.dampeners) {
    if (dampener.definition.mode === 'SHADOW') continue;
    const { verdict, points } = dampener.evaluate(sheet);
    if (verdict !== 'HIT') continue;
    taken += points;
    suppressed ??= new Set();
    for (const key of dampener.definition.suppresses) suppressed.add(key);
  }
  const amount = sheet.numbers[AMOUNT_BRL] ?? NaN;
  const required = ruleset.requiredFor(
    sheet.texts[TYPE] ?? '',
    sheet.texts[CURRENCY] ?? '',
    Number.isNaN(amount) ? null : amount,
  );
  const hits: string[] = [];
  const counted: { readonly group: string; readonly groupMax: number | null; readonly points: number }[] = [];
  let shadow: string[] | null = null;
  let indeterminate: string[] | null = null;
  let forced = false;
  let rulesAreWhole = true;
  for (const { rule, result } of ruleset.program.evaluate(sheet, false)) {
    const { key, mode, effect, score, onIndeterminate, component } = rule.definition;
    const isHit = result.verdict === 'HIT';
    if (!isHit) (indeterminate ??= []).push(key);
    if (mode === 'SHADOW') {
      if (isHit) (shadow ??= []).push(key);
      continue;
    }
    if (result.failed) rulesAreWhole = false;
    else if (!isHit || !result.pointsCertain) {
      const matters =
        onIndeterminate === 'PARTIAL' || (component !== 'RULES' && required.includes(component));
      if (matters) rulesAreWhole = false;
    }
    if (!isHit || suppressed?.has(key) === true) continue;
    hits.push(key);
    counted.push({ group: score.group, groupMax: score.groupMax, points: result.points });
    forced ||= effect.minOutcome === 'REVIEW';
  }
  const score = scoreOfHits(counted, taken, definition.scoring);
  const isDefensible =
    trailIntact && contradictions.length === 0 && areWhole(required, findings, sheet, rulesAreWhole);
  return {
    outcome: isDefensible && !forced && score < definition.scoring.reviewAt ? 'APPROVED' : 'REVIEW',
    score,
    hits,
    shadow: shadow ?? NONE,
    indeterminate: indeterminate ?? NONE,
  };
}

function areWhole(
  required: readonly ComponentName[],
  findings: Evidence['findings'],
  sheet: FactSheet,
  rulesAreWhole: boolean,
): boolean {
  for (const name of required) {
    if (name === 'RULES') {
      if (!rulesAreWhole) return false;
      continue;
    }
    const found = findings[name];
    if (!found || !isWhole(found.state)) return false;
  }
  // A provider that says NO_HIT may not have noticed that one of its facts failed.
  for (const [slot, unknown] of sheet.unknowns.entries()) {
    if (unknown?.state !== 'ERROR' && unknown?.state !== 'STALE') continue;
    const feature = featureSchema.features[slot];
    if (feature && required.includes(feature.component)) return false;
  }
  return true;
}
