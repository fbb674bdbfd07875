import { shippedLists } from '../data/country-lists.js';
import { FactSheet, featureSchema, type ComponentName } from '../language/index.js';
import { componentNames, type ComponentState, type Findings } from './component.js';
import type { Evaluation, Evidence } from './compose.js';
import { decodeFactsAt } from './snapshot-codec.js';

/** A transaction as an evaluation saw it, and what came of it. */
export interface Snapshot {
  readonly transactionRef: string;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  /** Public id, `app_…`. */
  readonly clientApp: string;
  readonly evidence: Evidence;
  readonly trailIntact: boolean;
  readonly outcome: string;
  readonly score: number | null;
  /** Rules whose hits counted. */
  readonly hits: readonly string[];
}

/** What a snapshot holds beside facts, outcome and score. JSON without names, few of which differ. */
type Brief = readonly [
  clientApp: string,
  hits: readonly string[],
  findings: string,
  contradictions: readonly string[],
  trailIntact: 0 | 1,
];

/** Writes down what a back-test needs to know of an evaluation beside its facts. Nothing of the person is in it. */
export function briefOf(
  clientApp: string,
  { findings, contradictions }: Pick<Evidence, 'findings' | 'contradictions'>,
  { rules }: Pick<Evaluation, 'rules'>,
  trailIntact: boolean,
): string {
  const hits = rules.filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED');
  const brief: Brief = [
    clientApp,
    hits.map(({ rule }) => rule.definition.key),
    findingsText(findings),
    contradictions,
    trailIntact ? 1 : 0,
  ];
  return JSON.stringify(brief);
}

const STATES: readonly ComponentState[] = [
  'HIT',
  'NO_HIT',
  'PARTIAL',
  'ERROR',
  'MISSING_INPUT',
  'SKIPPED',
  'STALE_SOURCE',
];

/** One digit per component, in order; a dash where nobody looked. Sources and times do not change a verdict. */
const findingsText = (findings: Findings): string =>
  componentNames
    .map((name) => {
      const found = findings[name];
      return found ? String(STATES.indexOf(found.state)) : '-';
    })
    .join('');

const SOURCE = { source: 'snapshot', asOf: '' } as const;

function findingsIn(text: string): Findings {
  const findings: Partial<Record<ComponentName, { state: ComponentState; source: string; asOf: string }>> =
    {};
  componentNames.forEach((name, i) => {
    const state = STATES[Number(text[i])];
    if (state) findings[name] = { ...SOURCE, state };
  });
  return findings;
}

interface ReadBrief extends Pick<Snapshot, 'outcome' | 'clientApp' | 'hits' | 'trailIntact'> {
  readonly findings: Findings;
  readonly contradictions: readonly string[];
}

// Far more combinations than there are; bounded, because the texts come from storage.
const MAX_KEPT = 20_000;
const briefs = new Map<string, ReadBrief>();

/** Reads `OUTCOME|brief`; the same text gives the same object. */
function readBrief(text: string): ReadBrief {
  let read = briefs.get(text);
  if (!read) {
    const bar = text.indexOf('|');
    const [clientApp, hits, findings, contradictions, trail] = JSON.parse(text.slice(bar + 1)) as Brief;
    read = {
      outcome: text.slice(0, bar),
      clientApp,
      hits,
      findings: findingsIn(findings),
      contradictions,
      trailIntact: trail === 1,
    };
    if (briefs.size >= MAX_KEPT) briefs.clear();
    briefs.set(text, read);
  }
  return read;
}

const OCCURRED_AT = featureSchema.get('occurredAt').slot;
const REF_BYTES = 16;
const NO_SCORE = -1;

/**
 * Reads snapshots, each: transaction (16) | score, -1 for none (4) | length (4), `OUTCOME|brief` | length (4), facts;
 * numbers big-endian. Lists answer what they answer today, as far as they come with the product: what a list of the
 * institution's own answered then is kept for a replay of the same rules only, so a rule that asks one cannot be decided.
 * The sheet is the same one each time: whoever wants the next snapshot is done with the one before.
 */
export function* readSnapshots(bytes: Buffer): Generator<Snapshot> {
  const sheet = new FactSheet(featureSchema, shippedLists());
  for (let at = 0; at < bytes.length;) {
    const start = at;
    const score = bytes.readInt32BE(at + REF_BYTES);
    const briefEnd = at + REF_BYTES + 8 + bytes.readInt32BE(at + REF_BYTES + 4);
    const brief = readBrief(bytes.toString('utf8', at + REF_BYTES + 8, briefEnd));
    const end = briefEnd + 4 + bytes.readInt32BE(briefEnd);
    decodeFactsAt(bytes, [briefEnd + 4, end], featureSchema, sheet);
    at = end;
    yield {
      // Few are ever looked at.
      get transactionRef() {
        return uuidAt(bytes, start);
      },
      occurredAt: sheet.numbers[OCCURRED_AT] ?? NaN,
      clientApp: brief.clientApp,
      evidence: { sheet, findings: brief.findings, contradictions: brief.contradictions },
      trailIntact: brief.trailIntact,
      outcome: brief.outcome,
      score: score === NO_SCORE ? null : score,
      hits: brief.hits,
    };
  }
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + REF_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
