import type { TernaryValue } from '../compile/closures.js';
import type { FeatureName } from '../feature-schema.js';
import type { AppliesTo } from './rule-definition.js';
import type { FeatureSchema, TextApplies } from '../schema.js';

/** Types are an open set that callers choose from, so the cache is bounded. */
const MAX_CACHED = 512;

/** Returns a test for codes that match one of the patterns: `*`, `PIX_*`, `TED_TRANSFER`. */
export function patternMatcher(patterns: readonly string[]): (code: string) => boolean {
  if (patterns.includes('*')) return () => true;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  const resultByCode = new Map<string, boolean>();
  return (code) => {
    const cachedResult = resultByCode.get(code);
    if (cachedResult !== undefined) return cachedResult;
    const fits = exact.has(code) || prefixes.some((prefix) => code.startsWith(prefix));
    if (resultByCode.size >= MAX_CACHED) resultByCode.clear();
    resultByCode.set(code, fits);
    return fits;
  };
}

const PATTERN = /^(\*|[A-Z][A-Z0-9_]{0,62}\*?)$/;

/** True for `*`, a code, or the beginning of codes followed by `*`. */
export const isPattern = (pattern: string): boolean => PATTERN.test(pattern);

/**
 * Returns a function that decides whether a rule applies to a transaction: unknown if only a value that the transaction
 * lacks could decide.
 */
export function compileApplicability(
  { types, channels, currencies, directions }: AppliesTo,
  schema: FeatureSchema,
): TextApplies {
  const tests: readonly (readonly [FeatureName, readonly string[]])[] = [
    ['type', types],
    ['channel', channels],
    ['currency', currencies],
    ['direction', directions.length >= 2 ? ['*'] : directions],
  ];
  const needed = tests
    .filter(([, patterns]) => !patterns.includes('*'))
    .map(([name, patterns]) => ({ slot: schema.get(name).slot, fits: patternMatcher(patterns) }));
  return (sheet) => {
    let result: TernaryValue = 1;
    for (const { slot, fits } of needed) {
      const code = sheet.texts[slot];
      if (code === undefined) result = 2;
      else if (!fits(code)) return 0;
    }
    return result;
  };
}
