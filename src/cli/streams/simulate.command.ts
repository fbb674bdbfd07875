import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { countOf } from '../../platform/kernel/index.js';
import type { CalendarDay } from '../../platform/kernel/values/local-day.js';
import type { LabelLine } from './labelled-files.js';
import { LabelledStream } from './labelled-stream.js';

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
