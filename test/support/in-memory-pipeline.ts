import { createHash } from 'node:crypto';
import type { CustomerRiskProfile } from '../../src/features/customers/index.js';
import { ExchangeRateTable } from '../../src/features/fx/index.js';
import { compileValidator } from '../../src/platform/http/index.js';
import { IngestTransactionBody } from '../../src/features/kyt/contract/ingest-transaction.dto.js';
import type { DecryptedTransaction } from '../../src/features/kyt/domain/claimed.js';
import { assembleEvidence, NO_PARTIES } from '../../src/features/kyt/domain/facts/evidence.js';
import {
  setScreeningFacts,
  type ScreenedTransaction,
} from '../../src/features/kyt/domain/facts/screening-facts.js';
import { toSimulatedTransaction } from '../../src/features/kyt/domain/submission/simulated-event.js';
import { CustomFieldHistoryService } from '../../src/features/kyt/facts/windows/custom-field-history.service.js';
import { FxFactProvider } from '../../src/features/kyt/facts/fx.fact-provider.js';
import { ProfileFactProvider } from '../../src/features/kyt/facts/profile.fact-provider.js';
import { SubmissionFactProvider } from '../../src/features/kyt/facts/submission.fact-provider.js';
import { VelocityFactProvider } from '../../src/features/kyt/facts/windows/velocity.fact-provider.js';
import { SimulatedHistory } from '../../src/features/kyt/replay/simulated-history.js';
import {
  brStarter,
  compileRuleset,
  evaluate,
  FactSheet,
  shippedLists,
  type Evaluation,
  type InputName,
  type ComponentFindings,
  type PublishedRuleset,
} from '../../src/features/rules/index.js';

/** A submission as JSON. */
export type Json = Record<string, unknown>;

const NOBODY = '00000000-0000-0000-0000-000000000000';
export const NOON = Date.parse('2026-11-18T12:00:00-03:00');
export const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const dollar = new ExchangeRateTable(
  [
    {
      currency: 'USD',
      from: NOON - 30 * DAY,
      date: '2026-10-19',
      rate: 5.5,
      source: 'test',
      singleControl: false,
    },
  ],
  90,
);
const RATES = { readTables: () => Promise.resolve(new Map([[NOBODY, dollar]])) };
const KEYS = {
  computeIndex: (_organisation: string, kind: string, value: string): Buffer =>
    createHash('sha256').update(`${kind}\0${value}`).digest().subarray(0, 16),
};
const validate = compileValidator(IngestTransactionBody);
const ruleset = ((): PublishedRuleset => {
  const compilation = compileRuleset(brStarter);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.diagnostics));
  return { id: 'starter', contentHash: 'hash', content: brStarter, compiled: compilation.ruleset };
})();
/** The rules that ship, compiled. */
export const starterRules = ruleset.compiled.rules;

/** Whether the service would refuse the submission. */
export const isRefused = (body: Json): boolean => validate(body, { now: () => NOON + 60 * DAY }).length > 0;

/** Evaluates submissions as the pipeline does, by the rules that ship, without a database: the history is what came before. */
export class InMemoryPipeline {
  private readonly providers;
  private seq = 0;

  /** `standing`: what is known of every customer beside the submissions. */
  constructor(
    standing: CustomerRiskProfile | null = null,
    /** The inputs that the application has said not to send. */
    private readonly without: readonly InputName[] = [],
  ) {
    const known = (): Promise<ReadonlyMap<string, CustomerRiskProfile>> =>
      Promise.resolve(new Map(standing ? [['customer', standing]] : []));
    this.providers = [
      new SubmissionFactProvider(),
      new FxFactProvider(RATES),
      new VelocityFactProvider(new SimulatedHistory(), RATES, new CustomFieldHistoryService(KEYS, null)),
      new ProfileFactProvider({ readRiskProfiles: known, decryptRiskProfiles: known }),
    ];
  }

  /** One evaluation per submission, in order. The customer's record knows the document, also when a submission does not. */
  async evaluate(bodies: readonly Json[], document: string | null = null): Promise<Evaluation[]> {
    const batch = bodies.map((body) =>
      toSimulatedTransaction(KEYS, {
        organisationId: NOBODY,
        clientAppId: NOBODY,
        body: body as unknown as IngestTransactionBody,
        receivedAt: new Date(String(body['occurredAt'])),
        seq: String((this.seq += 1)),
      }),
    );
    const sheets = batch.map(() => new FactSheet(ruleset.compiled.schema, shippedLists()));
    const subjectIndex = document === null ? null : KEYS.computeIndex(NOBODY, 'document', document);
    const parties = batch.map(() => ({ ...NO_PARTIES, customerId: 'customer', subjectIndex }));
    const found: (readonly ComponentFindings[])[] = [];
    for (const provider of this.providers) found.push(await provider.find(batch, sheets, parties));
    return batch.map((transaction, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      sheet.set('application.without', this.without);
      const findings = found.map((ofProvider) => ofProvider[i] ?? {});
      const LISTS = setScreeningFacts(sheet, screened(transaction), transaction.receivedAt);
      const evidence = assembleEvidence(transaction, sheet, [...findings, { LISTS }], NO_PARTIES);
      return evaluate(evidence, ruleset, { trailIntact: true, asOf: new Date(NOON).toISOString() });
    });
  }
}

/** Fresh lists of every kind, on which stand those whose name says so. */
function screened({ submission }: DecryptedTransaction): ScreenedTransaction {
  const ownIsDestination = submission.direction.value === 'IN';
  const own = ownIsDestination ? submission.destination : submission.origin;
  const other = ownIsDestination ? submission.origin : submission.destination;
  const listed = [own, other].filter(({ name }) => name?.includes('Listado') === true);
  return {
    screening: {
      state: 'READY',
      source: 'test',
      asOf: new Date(NOON),
      kinds: new Set(['SANCTIONS', 'PEP', 'BLOCKLIST', 'DEBARMENT']),
      stale: [],
      staleKinds: new Set(),
      terms: { thresholds: {}, off: [], singleControl: false },
    },
    matches: [],
    standing: listed.map(() => ({
      hitId: 'hit',
      listKey: 'un',
      listKind: 'SANCTIONS',
      nameScore: 1,
      strength: 'NAME',
      qualifiers: [],
      status: 'PENDING',
      subjectIndex: Buffer.alloc(16),
    })) as unknown as ScreenedTransaction['standing'],
    customerNamed: own.name !== null,
    uncompared: false,
    frozen: false,
    freezeEndedAlone: false,
    cutKinds: new Set(),
    anybody: true,
  };
}
