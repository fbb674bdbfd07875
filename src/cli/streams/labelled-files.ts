import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CustomerRiskProfile } from '../../features/customers/index.js';
import type { EvaluatedEvent } from '../../features/kyt/index.js';
import type { StreamProfile } from './labelled-stream.js';
import type { StreamLabel } from './moves.js';
import { RecallTally, type RecallReport } from './recall.js';

export interface LabelLine extends StreamLabel {
  readonly transactionId: string;
  readonly customer: string;
  /** In reais. */
  readonly amount: number;
}

/** Converts a profile to the customer facts that rules read, all without adverse information. */
export const riskProfileOf = (profile: StreamProfile, asOf: string): CustomerRiskProfile => ({
  declared: {
    monthlyIncome: profile.monthlyIncome,
    monthlyRevenue: profile.monthlyRevenue,
    ...{ nightLimit: null, nightStartHour: null, pep: false, asOf },
  },
  birthDate: profile.birthDate,
  ...{ nationalities: [], riskLevel: 'LOW', riskSingleControl: false, confirmed: null },
});

/** Compares the outcomes of events with their labels. */
export class LabelledEvaluation {
  private readonly tally = new RecallTally();

  constructor(private readonly labels: ReadonlyMap<string, LabelLine>) {}

  readonly addEvent = ({ transactionId, outcome, hits }: EvaluatedEvent): void => {
    const label = this.labels.get(transactionId);
    if (!label) throw new Error(`There is no label of ${transactionId}.`);
    this.tally.add({ label, customer: label.customer, amount: label.amount, outcome, hits });
  };

  report(): RecallReport {
    return this.tally.report();
  }
}

export async function labelsIn(file: string): Promise<Map<string, LabelLine>> {
  const found = new Map<string, LabelLine>();
  for await (const line of linesOf<LabelLine>(file)) found.set(line.transactionId, line);
  return found;
}

/** Reads the profile file; returns the facts about customers, by document. */
export async function riskProfilesIn(file: string): Promise<Map<string, CustomerRiskProfile>> {
  const found = new Map<string, CustomerRiskProfile>();
  for await (const profile of linesOf<StreamProfile>(file)) {
    found.set(profile.cpfCnpj, riskProfileOf(profile, new Date(0).toISOString()));
  }
  return found;
}

async function* linesOf<T>(file: string): AsyncGenerator<T> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line.trim() !== '') yield JSON.parse(line) as T;
  }
}
