import { createHash } from 'node:crypto';
import type { CustomerRiskProfile } from '../../customers/index.js';
import { ExchangeRateTable, type ExchangeRatesService } from '../../fx/index.js';
import { compileValidator } from '../../../platform/http/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import {
  BacktestTally,
  compileRuleset,
  FactSheet,
  featureSchema,
  receiptOutlineOf,
  shippedLists,
  type BacktestReport,
  type CompiledRuleset,
  type ComponentFindings,
  type InputName,
  type RulesetContent,
} from '../../rules/index.js';
import { IngestTransactionBody } from '../contract/ingest-transaction.dto.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import {
  assembleEvidence,
  NO_PARTIES,
  type FactProvider,
  type IdentifiedParties,
} from '../domain/facts/evidence.js';
import { toSimulatedTransaction } from '../domain/submission/simulated-event.js';
import { CustomFieldHistoryService } from '../facts/windows/custom-field-history.service.js';
import { FxFactProvider } from '../facts/fx.fact-provider.js';
import { ProfileFactProvider } from '../facts/profile.fact-provider.js';
import { withoutInputs } from './left-out.js';
import { SimulatedHistory } from './simulated-history.js';
import { SubmissionFactProvider } from '../facts/submission.fact-provider.js';
import { VelocityFactProvider } from '../facts/windows/velocity.fact-provider.js';

/** A line that is not a valid submission. */
export interface RefusedLine {
  readonly line: number;
  /** The first problem of the line, without the value. */
  readonly problem: string;
}

/** Data of the institution that is not in the file. */
export interface SimulationContext {
  /** Customers by document, in digits. */
  readonly standings?: ReadonlyMap<string, CustomerRiskProfile>;
  /** Inputs that are taken out of the events, and profiles that are not read. */
  readonly without?: readonly InputName[];
  /** True if the application has not said so: a rule that lacks them then sends its transaction to a person. */
  readonly unsaid?: boolean;
  /** Reais for a dollar, the same on every day; without it foreign amounts cannot be converted. */
  readonly dollar?: number;
}

export interface EvaluatedEvent {
  readonly transactionId: string;
  readonly outcome: string;
  readonly hits: readonly string[];
}

export interface SimulationReport extends BacktestReport {
  readonly outcomeCounts: Readonly<Record<string, number>>;
  readonly refused: number;
  /** At most twenty. */
  readonly refusedLines: readonly RefusedLine[];
}

type Json = Readonly<Record<string, unknown>>;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const BATCH = 250;
const REFUSED_SHOWN = 20;
const validate = compileValidator(IngestTransactionBody);
/** The assumed rate has no date, so it is dated before any event of a file. */
const LONG_AGO = Date.UTC(2000, 0, 1);
const MAX_AGE_DAYS = 1e6;
/** Keys distinguish the people of the file and are not stored, so they need no secret. */
const KEYS = {
  computeIndex: (_organisation: string, kind: string, value: string): Buffer =>
    createHash('sha256').update(`${kind}\0${value}`).digest().subarray(0, 16),
};

/**
 * Evaluates the events of a file by a ruleset, in the order of the file, without a database: the history is the file.
 * Nobody is screened (LISTS is NO_HIT). Customers have no declarations and there are no exchange rates, unless the
 * context has them.
 */
export class Simulation {
  private readonly tally: BacktestTally;
  private readonly compiled: CompiledRuleset;
  private readonly history = new SimulatedHistory();
  private readonly providers: readonly FactProvider[];
  private readonly outcomes = new Map<string, number>();
  private readonly refusedLines: RefusedLine[] = [];
  private waiting: DecryptedTransaction[] = [];
  private refused = 0;
  private line = 0;

  /** `onEvaluated` is called with each event, in the order of the file. */
  constructor(
    ruleset: RulesetContent,
    private readonly context: SimulationContext = {},
    private readonly onEvaluated: (event: EvaluatedEvent) => void = () => undefined,
  ) {
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
    const rates = ratesOf(context.dollar);
    const standings = this.standings;
    this.providers = [
      new SubmissionFactProvider(),
      new FxFactProvider(rates),
      new VelocityFactProvider(this.history, rates, new CustomFieldHistoryService(KEYS, null)),
      new ProfileFactProvider({
        readRiskProfiles: () => Promise.resolve(new Map()),
        decryptRiskProfiles: () => Promise.resolve(standings),
      }),
    ];
  }

  /** Adds one line of the file; empty lines are skipped. */
  async add(text: string): Promise<void> {
    this.line += 1;
    if (text.trim() === '') return;
    const event = this.read(text);
    if (event) this.waiting.push(event);
    if (this.waiting.length >= BATCH) await this.evaluateWaiting();
  }

  async report(): Promise<SimulationReport> {
    await this.evaluateWaiting();
    return {
      ...this.tally.report(),
      outcomeCounts: Object.fromEntries(this.outcomes),
      refused: this.refused,
      refusedLines: this.refusedLines,
    };
  }

  private read(text: string): DecryptedTransaction | null {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return this.refuse('not JSON');
    }
    const [violation] = validate(body, { now: Date.now });
    if (violation) return this.refuse(`${violation.path}: ${violation.code}`);
    const valid = body as IngestTransactionBody;
    return toSimulatedTransaction(KEYS, {
      organisationId: NIL_UUID,
      clientAppId: NIL_UUID,
      body: withoutInputs(body as Json, this.without) as unknown as IngestTransactionBody,
      // The event counts as received when it occurred.
      receivedAt: new Date(valid.occurredAt),
      seq: String(this.line),
    });
  }

  private get without(): readonly InputName[] {
    return this.context.without ?? [];
  }

  private get standings(): ReadonlyMap<string, CustomerRiskProfile> {
    const isRead = !this.without.includes('PROFILE');
    return (isRead ? this.context.standings : undefined) ?? new Map<string, CustomerRiskProfile>();
  }

  private partiesOf({ submission: { taxId } }: DecryptedTransaction): IdentifiedParties {
    const customerId = taxId && !taxId.isMasked ? taxId.canonical() : null;
    return this.standings.has(customerId ?? '') ? { ...NO_PARTIES, customerId } : NO_PARTIES;
  }

  private refuse(problem: string): null {
    this.refused += 1;
    if (this.refusedLines.length < REFUSED_SHOWN) this.refusedLines.push({ line: this.line, problem });
    return null;
  }

  private async evaluateWaiting(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    const lists = shippedLists();
    const sheets = batch.map(() => new FactSheet(this.compiled.schema, lists));
    const parties = batch.map((transaction) => this.partiesOf(transaction));
    const found: (readonly ComponentFindings[])[] = [];
    for (const provider of this.providers) found.push(await provider.find(batch, sheets, parties));
    batch.forEach((transaction, i) => {
      const sheet = sheets[i];
      if (!sheet) return;
      setUnlisted(sheet);
      sheet.set('application.without', this.context.unsaid === true ? [] : this.without);
      const findings = found.map((ofProvider) => ofProvider[i] ?? {});
      const evidence = assembleEvidence(
        transaction,
        sheet,
        [...findings, noHitFinding(transaction)],
        NO_PARTIES,
      );
      const tested = receiptOutlineOf(evidence, this.compiled, true);
      this.outcomes.set(tested.outcome, (this.outcomes.get(tested.outcome) ?? 0) + 1);
      const { transactionId: transactionRef, occurredAt } = transaction;
      this.onEvaluated({ transactionId: transactionRef, outcome: tested.outcome, hits: tested.hits });
      const approvedEvent = { outcome: 'APPROVED', score: null, hits: [] };
      this.tally.add({ ...approvedEvent, transactionRef, occurredAt: occurredAt.getTime() }, tested);
    });
  }
}

function ratesOf(dollar: number | undefined): Pick<ExchangeRatesService, 'readTables'> {
  if (dollar === undefined) return { readTables: () => Promise.resolve(new Map()) };
  const rate = { currency: 'USD', from: LONG_AGO, date: '2000-01-01', rate: dollar, source: 'assumed' };
  const book = new ExchangeRateTable([{ ...rate, singleControl: false }], MAX_AGE_DAYS);
  return { readTables: () => Promise.resolve(new Map([[NIL_UUID, book]])) };
}

const noHitFinding = ({ receivedAt }: DecryptedTransaction): ComponentFindings => ({
  LISTS: { state: 'NO_HIT', source: 'assumed', asOf: receivedAt.toISOString() },
});

/** Sets the list facts of a person who is on no list. */
function setUnlisted(sheet: FactSheet): void {
  for (const feature of featureSchema.features) {
    if (feature.source !== 'LISTS') continue;
    if (feature.type === 'bool') sheet.setAt(feature, false);
    else if (feature.type === 'number') sheet.setAt(feature, 0);
    else if (feature.type === 'strings') sheet.setAt(feature, []);
  }
}
