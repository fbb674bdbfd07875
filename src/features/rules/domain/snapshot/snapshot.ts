import { shippedLists } from '../../data/country-lists.js';
import {
  FactSheet,
  featureSchema,
  type ComponentName,
  type FeatureSchema,
  type ListLookup,
} from '../../language/index.js';
import { componentNames, type ComponentState, type ComponentFindings } from '../scoring/component.js';
import type { Evaluation, Evidence } from '../scoring/compose.js';
import type { ChallengeFlows } from '../scoring/outcome.js';
import { unpackFacts } from './facts-packing.js';
import { decodeFactsAt, encodeFacts } from './snapshot-codec.js';

/** A transaction as an evaluation saw it, and the result. */
export interface Snapshot {
  readonly transactionRef: string;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  /** Public id, `app_…`. */
  readonly clientApp: string;
  readonly evidence: Evidence;
  readonly trailIntact: boolean;
  /** States of the step-up sessions that the transaction requested; undefined when it requested none. */
  readonly challengeFlows: ChallengeFlows | undefined;
  readonly outcome: string;
  readonly score: number | null;
  /** Rules whose hits counted. */
  readonly hits: readonly string[];
}

/** The column `brief` of a snapshot. JSON without names and ids: few different texts occur, so reading is cached. */
type Brief = readonly [
  clientApp: string,
  hits: readonly string[],
  findings: string,
  contradictions: readonly string[],
  trailIntact: 0 | 1,
  challengeFlows?: ChallengeFlows,
];

/** Writes the part of an evaluation that a back-test needs in addition to the facts. It holds no personal data. */
export function snapshotSummary(
  clientApp: string,
  { findings, contradictions }: Pick<Evidence, 'findings' | 'contradictions'>,
  { rules }: Pick<Evaluation, 'rules'>,
  trailIntact: boolean,
  challengeFlows?: ChallengeFlows,
): string {
  const hits = rules.filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED');
  const brief: Brief = [
    clientApp,
    hits.map(({ rule }) => rule.definition.key),
    findingsText(findings),
    contradictions,
    trailIntact ? 1 : 0,
  ];
  return JSON.stringify(challengeFlows ? [...brief, withoutSessions(challengeFlows)] : brief);
}

/** Removes the ids of sessions, so that few different texts occur. */
const withoutSessions = (flows: ChallengeFlows): ChallengeFlows =>
  Object.fromEntries(Object.entries(flows).map(([key, { state }]) => [key, { state, session: null }]));

// States are stored by index, so a new state must be appended.
const STATES: readonly ComponentState[] = [
  'HIT',
  'NO_HIT',
  'PARTIAL',
  'ERROR',
  'MISSING_INPUT',
  'SKIPPED',
  'STALE_SOURCE',
  'HIT_DISMISSED',
];

/**
 * Writes the states of the components: one digit each, in order; a dash for none. Sources and times do not change a
 * verdict.
 */
const findingsText = (findings: ComponentFindings): string =>
  componentNames
    .map((name) => {
      const finding = findings[name];
      return finding ? String(STATES.indexOf(finding.state)) : '-';
    })
    .join('');

function findingsIn(text: string): ComponentFindings {
  const findings: Partial<Record<ComponentName, { state: ComponentState; source: string; asOf: string }>> =
    {};
  componentNames.forEach((name, i) => {
    const state = STATES[Number(text[i])];
    if (state) findings[name] = { state, source: 'snapshot', asOf: '' };
  });
  return findings;
}

interface ReadBrief extends Pick<
  Snapshot,
  'outcome' | 'clientApp' | 'hits' | 'trailIntact' | 'challengeFlows'
> {
  readonly findings: ComponentFindings;
  readonly contradictions: readonly string[];
}

// More than the distinct texts that occur. The limit protects memory, because the texts are read from storage.
const MAX_BRIEFS = 20_000;
const briefs = new Map<string, ReadBrief>();

/** Reads `OUTCOME|brief`; the same text gives the same object. */
function readBrief(text: string): ReadBrief {
  let read = briefs.get(text);
  if (!read) {
    const bar = text.indexOf('|');
    const [clientApp, hits, findings, contradictions, trail, challengeFlows] = JSON.parse(
      text.slice(bar + 1),
    ) as Brief;
    read = {
      outcome: text.slice(0, bar),
      clientApp,
      hits,
      findings: findingsIn(findings),
      contradictions,
      trailIntact: trail === 1,
      challengeFlows,
    };
    if (briefs.size >= MAX_BRIEFS) briefs.clear();
    briefs.set(text, read);
  }
  return read;
}

const OCCURRED_AT = featureSchema.get('occurredAt').slot;
const NO_SCORE = -1;
const COLUMNS = 4;
const REF_BYTES = 16;
const SCORE_BYTES = 4;
// Offsets of the columns in a row. The first two have fixed lengths.
const REF = 2 + 4;
const SCORE = REF + REF_BYTES + 4;
const BRIEF = SCORE + SCORE_BYTES + 4;

/** Concatenates sheets, each as its length (4 bytes) and the bytes of `encodeFacts`. */
export function packDeclared(sheets: readonly FactSheet[]): Uint8Array<ArrayBuffer> {
  const facts = sheets.map(encodeFacts);
  const packed = Buffer.from(new ArrayBuffer(facts.reduce((sum, { length }) => sum + 4 + length, 0)));
  let at = 0;
  for (const one of facts) {
    at = packed.writeUInt32BE(one.length, at);
    at += one.copy(packed, at);
  }
  return packed;
}

/** Reads the sheets of `packDeclared` one after the other. */
class DeclaredReader {
  private readonly sheet: FactSheet;
  private position = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly schema: FeatureSchema,
  ) {
    this.sheet = new FactSheet(schema);
  }

  /** Adds the next declared values to a sheet that has none of them. */
  addTo(sheet: FactSheet): void {
    const start = this.position + 4;
    this.position = start + this.bytes.readUInt32BE(this.position);
    decodeFactsAt(this.bytes, [start, this.position], this.schema, this.sheet);
    addDeclaredFeatures(sheet, this.sheet);
  }
}

/** Copies declared features of another sheet of the same schema, where this sheet has neither value nor reason. */
export function addDeclaredFeatures(sheet: FactSheet, other: FactSheet): void {
  for (const feature of sheet.schema.features) {
    const { slot } = feature;
    if (!feature.declared || sheet.valueAt(feature) !== null || sheet.unknowns[slot] !== undefined) continue;
    const value = other.valueAt(feature);
    if (value === null) sheet.setUnknownAt(feature, other.reasonAt(slot));
    else if (other.saturated?.has(slot) === true) sheet.setCappedAt(feature, value);
    else sheet.setAt(feature, value);
  }
}

/** A cursor over packed snapshots: its fields hold the snapshot that was read last. */
class SnapshotInPlace implements Snapshot {
  readonly evidence: { sheet: FactSheet; findings: ComponentFindings; contradictions: readonly string[] };
  occurredAt = NaN;
  score: number | null = null;
  clientApp = '';
  trailIntact = false;
  challengeFlows: ChallengeFlows | undefined;
  outcome = '';
  hits: readonly string[] = [];
  private currentStart = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly schema: FeatureSchema,
    private readonly declared: DeclaredReader | null,
    lists: ListLookup,
  ) {
    const sheet = new FactSheet(schema, lists);
    this.evidence = { sheet, findings: {}, contradictions: [] };
  }

  /** Computed on demand, because it is rarely read. */
  get transactionRef(): string {
    return snapshotRefAt(this.bytes, this.currentStart);
  }

  /** Reads the snapshot at `currentStart`; returns the start of the next snapshot. */
  readAt(start: number): number {
    const { bytes, evidence } = this;
    if (bytes.readInt16BE(start) !== COLUMNS) throw new RangeError('this is no snapshot');
    const briefStart = start + BRIEF;
    const briefEnd = briefStart + bytes.readInt32BE(briefStart - 4);
    const end = briefEnd + 4 + bytes.readInt32BE(briefEnd);
    const score = bytes.readInt32BE(start + SCORE);
    const brief = readBrief(bytes.toString('utf8', briefStart, briefEnd));
    const facts = unpackFacts(bytes.subarray(briefEnd + 4, end));
    decodeFactsAt(facts, [0, facts.length], this.schema, evidence.sheet);
    this.declared?.addTo(evidence.sheet);
    evidence.findings = brief.findings;
    evidence.contradictions = brief.contradictions;
    this.currentStart = start;
    this.occurredAt = evidence.sheet.numbers[OCCURRED_AT] ?? NaN;
    this.score = score === NO_SCORE ? null : score;
    this.clientApp = brief.clientApp;
    this.trailIntact = brief.trailIntact;
    this.challengeFlows = brief.challengeFlows;
    this.outcome = brief.outcome;
    this.hits = brief.hits;
    return end;
  }
}

export interface SnapshotReading {
  /** The schema of the evaluating rules; features that other rules declared are skipped. */
  readonly schema?: FeatureSchema;
  /** Values that this schema declares, one fact sheet per snapshot (`packDeclared`); stored values take precedence. */
  readonly declared?: Buffer | null;
  readonly lists?: ListLookup;
}

/**
 * Reads snapshots: rows of a binary COPY (CopiedRows in the database folder) with four columns: transaction, score (-1
 * for none), `OUTCOME|brief`, facts. List lookups give today's answers, by default of the lists that ship; rules that
 * read an institution's own list need `lists`. Recorded answers are only valid for the same rules.
 * Each visit gets the same object: objects for a million snapshots would cost as much as reading them.
 */
export function readSnapshots(
  bytes: Buffer,
  visit: (snapshot: Snapshot) => void,
  { schema = featureSchema, declared = null, lists = shippedLists() }: SnapshotReading = {},
): void {
  const snapshot = new SnapshotInPlace(
    bytes,
    schema,
    declared && new DeclaredReader(declared, schema),
    lists,
  );
  for (let at = 0; at < bytes.length;) {
    at = snapshot.readAt(at);
    visit(snapshot);
  }
}

/** Returns the id of the transaction of the snapshot at `currentStart`. */
export function snapshotRefAt({ buffer, byteOffset, length }: Uint8Array, start: number): string {
  const hex = Buffer.from(buffer, byteOffset, length).toString('hex', start + REF, start + REF + REF_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
