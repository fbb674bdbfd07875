import { createHash } from 'node:crypto';
import { compileValidator } from '../../http/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../kernel/values/local-day.js';
import {
  BacktestTally,
  compileRuleset,
  FactSheet,
  featureSchema,
  outlineOf,
  shippedLists,
  type BacktestReport,
  type CompiledRuleset,
  type Findings,
  type RulesetContent,
} from '../../rules/index.js';
import { IngestTransactionBody } from '../api/ingest/ingest-transaction.dto.js';
import type { OpenTransaction } from '../domain/claimed.js';
import { assembleEvidence, NO_PARTIES, type FactProvider } from '../domain/facts/evidence.js';
import { unsent } from '../domain/submission/unsent.js';
import { FxFactProvider } from '../facts/fx.fact-provider.js';
import { ProfileFactProvider } from '../facts/profile.fact-provider.js';
import { SimulatedHistory } from './simulated-history.js';
import { SubmissionFactProvider } from '../facts/submission.fact-provider.js';
import { VelocityFactProvider } from '../facts/velocity.fact-provider.js';

/** A line that is no valid submission. */
export interface RefusedLine {
  readonly line: number;
  /** The first thing that is wrong with it; never a value. */
  readonly problem: string;
}

export interface SimulationReport extends BacktestReport {
  readonly outcomeCounts: Readonly<Record<string, number>>;
  readonly refused: number;
  /** The first twenty. */
  readonly refusedLines: readonly RefusedLine[];
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const BATCH = 250;
const REFUSED_SHOWN = 20;
const validate = compileValidator(IngestTransactionBody);
const NO_RATES = { books: () => Promise.resolve(new Map()) };
const NO_PROFILES = { knownOf: () => Promise.resolve(new Map()) };
/** Keys only have to tell apart whom the file tells apart; nothing of them is stored. */
const KEYS = {
  of: (_organisation: string, kind: string, value: string): Buffer =>
    createHash('sha256').update(`${kind}\0${value}`).digest().subarray(0, 16),
};

/**
 * Judges events of a file by a ruleset, in the order of the file, without a database: the history is the file itself.
 * Nobody is screened (lists are taken as NO_HIT), no customer has declared anything, and there are no exchange rates.
 */
export class Simulation {
  private readonly tally: BacktestTally;
  private readonly compiled: CompiledRuleset;
  private readonly history = new SimulatedHistory();
  private readonly providers: readonly FactProvider[];
  private readonly outcomes = new Map<string, number>();
  private readonly refusedLines: RefusedLine[] = [];
  private waiting: OpenTransaction[] = [];
  private refused = 0;
  private line = 0;

  constructor(ruleset: RulesetContent) {
    const compilation = compileRuleset(ruleset);
    if (!compilation.ok) {
      const [first] = compilation.diagnostics;
      throw new Error(`The ruleset has a fault at ${first?.path ?? '-'}: ${first?.message ?? 'unknown'}`);
    }
    this.compiled = compilation.ruleset;
    this.tally = new BacktestTally(
      ruleset.rules.filter(({ mode }) => mode !== 'DISABLED').map(({ key }) => key),
      localDayIn(BRAZIL_TIME_ZONE),
    );
    this.providers = [
      new SubmissionFactProvider(),
      new FxFactProvider(NO_RATES),
      new VelocityFactProvider(this.history, NO_RATES),
      new ProfileFactProvider(NO_PROFILES),
    ];
  }

  /** Takes one line of the file; an empty one is none. */
  async add(text: string): Promise<void> {
    this.line += 1;
    if (text.trim() === '') return;
    const event = this.read(text);
    if (event) this.waiting.push(event);
    if (this.waiting.length >= BATCH) await this.judge();
  }

  async report(): Promise<SimulationReport> {
    await this.judge();
    return {
      ...this.tally.report(),
      outcomeCounts: Object.fromEntries(this.outcomes),
      refused: this.refused,
      refusedLines: this.refusedLines,
    };
  }

  private read(text: string): OpenTransaction | null {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return this.refuse('not JSON');
    }
    const [violation] = validate(body, { now: Date.now });
    if (violation) return this.refuse(`${violation.path}: ${violation.code}`);
    const valid = body as IngestTransactionBody;
    return unsent(KEYS, {
      organisationId: NOBODY,
      clientAppId: NOBODY,
      body: valid,
      // As if it had been sent at once.
      receivedAt: new Date(valid.occurredAt),
      seq: String(this.line),
    });
  }

  private refuse(problem: string): null {
    this.refused += 1;
    if (this.refusedLines.length < REFUSED_SHOWN) this.refusedLines.push({ line: this.line, problem });
    return null;
  }

  private async judge(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    const lists = shippedLists();
    const sheets = batch.map(() => new FactSheet(featureSchema, lists));
    const parties = batch.map(() => NO_PARTIES);
    const found: (readonly Findings[])[] = [];
    for (const provider of this.providers) found.push(await provider.find(batch, sheets, parties));
    batch.forEach((transaction, i) => {
      const sheet = sheets[i];
      if (!sheet) return;
      setUnlisted(sheet);
      const findings = found.map((ofProvider) => ofProvider[i] ?? {});
      const evidence = assembleEvidence(transaction, sheet, [...findings, unlisted(transaction)], NO_PARTIES);
      const tested = outlineOf(evidence, this.compiled, true);
      this.outcomes.set(tested.outcome, (this.outcomes.get(tested.outcome) ?? 0) + 1);
      const { transactionId: transactionRef, occurredAt } = transaction;
      const live = { outcome: 'APPROVED', score: null, hits: [] };
      this.tally.add({ ...live, transactionRef, occurredAt: occurredAt.getTime() }, tested);
    });
  }
}

const unlisted = ({ receivedAt }: OpenTransaction): Findings => ({
  LISTS: { state: 'NO_HIT', source: 'assumed', asOf: receivedAt.toISOString() },
});

/** Nobody on a list: what screening finds about nearly everybody. */
function setUnlisted(sheet: FactSheet): void {
  for (const { name, source, type } of featureSchema.features) {
    if (source !== 'LISTS') continue;
    if (type === 'bool') sheet.set(name, false);
    else if (type === 'number') sheet.set(name, 0);
    else if (type === 'strings') sheet.set(name, []);
  }
}
