/** An external provider's answer about one transaction. */
export interface ProviderResult {
  /** 0 to 100; null if the provider gives none. */
  readonly score: number | null;
  readonly flags: readonly string[];
}

export type ProviderProblem =
  | 'EVIDENCE_STATUS'
  | 'EVIDENCE_TOO_LARGE'
  | 'EVIDENCE_NOT_JSON'
  | 'EVIDENCE_MALFORMED'
  | 'EVIDENCE_TIMEOUT'
  | 'EVIDENCE_UNREACHABLE'
  | 'EVIDENCE_CIRCUIT_OPEN'
  | 'EVIDENCE_FORGOTTEN';

const MAX_FLAGS = 50;
const FLAG = /^[A-Z][A-Z0-9_]{1,63}$/;

/**
 * Reads `{ "results": [{ "id": "txn_…", "score": 12, "flags": ["CODE"] }] }`. Returns null for an item with a value of
 * the wrong type, and a problem instead of the map for any other form. Nothing is guessed, converted or truncated.
 */
export function readProviderAnswer(
  text: string,
): ReadonlyMap<string, ProviderResult | null> | ProviderProblem {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return 'EVIDENCE_NOT_JSON';
  }
  const results = isObject(answer) ? answer['results'] : null;
  if (!Array.isArray(results)) return 'EVIDENCE_MALFORMED';
  const resultByName = new Map<string, ProviderResult | null>();
  for (const item of results as readonly unknown[]) {
    if (!isObject(item) || typeof item['id'] !== 'string') return 'EVIDENCE_MALFORMED';
    // Two items about one transaction may contradict each other, so neither is used.
    resultByName.set(item['id'], resultByName.has(item['id']) ? null : resultOf(item));
  }
  return resultByName;
}

function resultOf(item: Readonly<Record<string, unknown>>): ProviderResult | null {
  const score = item['score'] ?? null;
  const flags = item['flags'] ?? [];
  if (score !== null && !(typeof score === 'number' && score >= 0 && score <= 100)) return null;
  if (!Array.isArray(flags) || flags.length > MAX_FLAGS || !flags.every(isFlag)) return null;
  return { score, flags };
}

const isFlag = (flag: unknown): flag is string => typeof flag === 'string' && FLAG.test(flag);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
