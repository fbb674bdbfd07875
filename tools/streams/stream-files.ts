import { once } from 'node:events';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { CustomerRiskProfile } from '../../src/features/customers/index.js';
import type { EvaluatedEvent } from '../../src/features/kyt/index.js';
import { countOf } from '../../src/platform/kernel/index.js';
import type { CalendarDay } from '../../src/platform/kernel/values/local-day.js';
import { LabelledStream, type StreamProfile } from './labelled-stream.js';
import type { StreamLabel } from './moves.js';
import { RecallTally, type RecallReport } from './recall.js';

export interface StreamOptions {
  readonly seed: number;
  readonly begins: CalendarDay;
  readonly days: number;
  readonly people: number;
  readonly sellers: number;
  readonly companies: number;
  readonly patterns: number;
  /** A file, or `-` for standard output. */
  readonly output: string;
  readonly labels?: string;
  readonly profiles?: string;
}

/** Writes a labelled stream: events, labels and customer profiles. */
export async function writeStream(options: StreamOptions): Promise<void> {
  const stream = new LabelledStream(options);
  const events = options.output === '-' ? process.stdout : createWriteStream(options.output);
  const labels = options.labels === undefined ? null : createWriteStream(options.labels);
  let count = 0;
  for (const { body, label } of stream.events()) {
    count += 1;
    const { transactionId, externalCustomerId: customer, amount } = body;
    await write(events, body);
    if (labels) await write(labels, { transactionId, ...label, customer, amount } satisfies LabelLine);
  }
  if (options.profiles !== undefined) {
    writeFileSync(options.profiles, stream.listProfiles().map(asLine).join(''));
  }
  for (const written of [events, labels]) {
    if (!written || written === process.stdout) continue;
    written.end();
    await finished(written);
  }
  if (options.output !== '-') {
    process.stdout.write(`${countOf(count, 'event', 'events')} in ${options.output}\n`);
  }
}

const asLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Waits for a slow reader, so that a long stream is never in memory as a whole. */
async function write(to: Writable, value: unknown): Promise<void> {
  if (!to.write(asLine(value))) await once(to, 'drain');
}

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
