import type { DampenerVerdict, RuleVerdict } from './evaluate-rules.js';
import type { RulesetContent } from '../ruleset.js';

export type RiskLevel = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

/** The points that one group of rules adds to a score. */
export interface GroupScore {
  readonly group: string;
  /** Sum of its counted hits. */
  readonly points: number;
  readonly cap: number;
  /** min(points, cap). */
  readonly counted: number;
}

/** A score with its summands, so that anybody can recompute it. */
export interface ScoreSheet {
  readonly score: number;
  readonly groups: readonly GroupScore[];
  /** Zero or less. */
  readonly dampening: number;
}

export const SCORE_MIN = 0;
export const SCORE_MAX = 100;
const DEFAULT_CAP = 60;

/** Sums min(cap, points) over groups, less the points of dampeners, from 0 to 100. */
export function scoreOf(
  rules: readonly RuleVerdict[],
  dampeners: readonly DampenerVerdict[],
  scoring: RulesetContent['scoring'],
): ScoreSheet {
  const countedPoints: CountedPoints[] = [];
  for (const { rule, result, effect, points } of rules) {
    if (result !== 'HIT' || effect !== 'COUNTED') continue;
    const { group, groupMax } = rule.definition.score;
    countedPoints.push({ group, groupMax, points });
  }
  const scores = groupsOf(countedPoints, scoring);
  const dampening = dampeners.reduce(
    (sum, { result, effect, points }) => (result === 'HIT' && effect === 'COUNTED' ? sum + points : sum),
    0,
  );
  return { score: totalPointsOf(scores, dampening), groups: scores, dampening };
}

/** The fields of a counted hit that affect the score. */
export interface CountedPoints {
  readonly group: string;
  readonly groupMax: number | null;
  readonly points: number;
}

/** Returns the score of hits and dampening, without its summands. */
export const scoreOfHits = (
  hits: readonly CountedPoints[],
  dampening: number,
  scoring: RulesetContent['scoring'],
): number => totalPointsOf(hits.length === 0 ? [] : groupsOf(hits, scoring), dampening);

function groupsOf(hits: readonly CountedPoints[], scoring: RulesetContent['scoring']): GroupScore[] {
  const groups = new Map<string, { points: number; cap: number }>();
  for (const { group, groupMax, points } of hits) {
    const sum = groups.get(group) ?? { points: 0, cap: capOf(group, scoring) };
    sum.points += points;
    if (groupMax !== null) sum.cap = Math.min(sum.cap, groupMax);
    groups.set(group, sum);
  }
  return [...groups].map(([group, { points, cap }]) => ({
    group,
    points,
    cap,
    counted: Math.min(points, cap),
  }));
}

/** Adds up the parts of a score. */
export function totalPointsOf(groups: readonly GroupScore[], dampening: number): number {
  const sum = groups.reduce((total, { points, cap }) => total + Math.min(points, cap), dampening);
  return Math.min(SCORE_MAX, Math.max(SCORE_MIN, Math.round(sum)));
}

export function riskLevelOfScore(score: number, { bands }: RulesetContent['scoring']): RiskLevel {
  if (score >= bands.CRITICAL) return 'CRITICAL';
  if (score >= bands.HIGH) return 'HIGH';
  return score >= bands.MEDIUM ? 'MEDIUM' : 'LOW';
}

const capOf = (group: string, { caps }: RulesetContent['scoring']): number =>
  (Object.hasOwn(caps, group) ? caps[group] : undefined) ?? caps['default'] ?? DEFAULT_CAP;
