import { writeStream } from '#vigia/streams';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { AT_THE_CONSOLE, ClientAppsService } from '../../features/auth/index.js';
import { InputCoverageService } from '../../features/kyt/index.js';
import type { InputName } from '../../features/rules/index.js';
import { withServices } from '../context.js';
import { findClientApp, findOrganisation } from '../named.js';
import { simulateLabelled } from './rules.command.js';

export interface TryInputsOptions {
  readonly organisation: string;
  readonly ruleset?: string;
  readonly without?: readonly InputName[];
}

const QUESTIONS: Readonly<Record<InputName, string>> = {
  DICT: 'With PIX that goes out: the statistics of DICT about the payee (metadata.dict)?',
  DEVICE: "The customer's device and address, and whether it is registered (metadata.deviceId, ipAddress)?",
  PROFILE: 'What customers have declared: income or revenue (PUT /customers/{id}/profile)?',
  COUNTERPARTY_DOCUMENT: 'The CPF or CNPJ of the other party?',
};

/** A small stream of its own: the same for everybody, and judged within a minute. */
const STREAM = {
  ...{ seed: 66, begins: { year: 2026, month: 1, day: 5 }, days: 40 },
  ...{ people: 150, sellers: 15, companies: 8, patterns: 36 },
} as const;

const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

/** Asks the four questions unless they are answered, and prints what the answers cost on a made-up stream. */
export async function tryInputs(options: TryInputsOptions): Promise<void> {
  await printCosts(options, options.without ?? (await askInputs()));
}

/**
 * Sets what an application does not send; asks the four questions unless they are answered, and shows what that costs
 * before it is set. Whoever runs the installation is no operator: an operator has a second person approve it.
 */
export async function setInputs(clientId: string, options: TryInputsOptions): Promise<number> {
  const isAsked = options.without === undefined;
  const without = options.without ?? (await askInputs());
  if (isAsked) {
    await printCosts(options, without);
    if (!(await confirm(`${clientId} is judged so from now on?`))) return 1;
  }
  await withServices(async (services) => {
    const { id, organisationId } = await findClientApp(services, clientId);
    await services
      .get(ClientAppsService)
      .change(organisationId, id, { withoutInputs: without }, AT_THE_CONSOLE);
  });
  const list = without.length === 0 ? 'sends every input' : `does without ${without.join(', ')}`;
  print(`${clientId} ${list}, in every process within a second. Each result names what it did without.`);
  return 0;
}

/** Prints which inputs came in the last days, by application, and what the missing ones cost. */
export async function listInputs(organisation: string, days: number): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, organisation);
    const { applications } = await services.get(InputCoverageService).report(organisationId, days);
    for (const { application, transactions, inReview, inReviewIfAllSaid, inputs, richer } of applications) {
      print(`${application.clientId}  ${application.name}`);
      print(
        `  of ${transactions} transactions ${inReview} in REVIEW; ${inReviewIfAllSaid} if it said what it does not send`,
      );
      print('  input                  said     came   lacked  costs in REVIEW');
      for (const { input, came, lacked, costsInReview } of inputs) {
        const isSaid = application.withoutInputs.includes(input) ? 'not sent' : '';
        print(
          `  ${input.padEnd(22)} ${isSaid.padEnd(8)} ${pad(came, 5)} ${pad(lacked, 8)} ${pad(costsInReview, 16)}`,
        );
      }
      if (richer.length > 0) {
        print(`  It said that it does not send ${richer.join(', ')}, and does: inputs set says so.`);
      }
    }
  });
}

const pad = (count: number, width: number): string => String(count).padStart(width);

async function askInputs(): Promise<InputName[]> {
  if (!process.stdin.isTTY) {
    throw new Error('Nobody is there to answer: name the inputs with --without, or none.');
  }
  print('What does your system send? Four questions; what it sends later is used at once.');
  const without: InputName[] = [];
  for (const [input, question] of Object.entries(QUESTIONS) as [InputName, string][]) {
    if (!(await confirm(question))) without.push(input);
  }
  return without;
}

async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = (await lines.question(`${question} [y/n] `)).trim().toLowerCase();
      if (/^(y|yes|s|sim)$/.test(answer)) return true;
      if (/^(n|no|nao|não)$/.test(answer)) return false;
    }
  } finally {
    lines.close();
  }
}

async function printCosts(
  { organisation, ruleset }: TryInputsOptions,
  without: readonly InputName[],
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vigia-inputs-'));
  try {
    const [events, labels, profiles] = ['events', 'labels', 'profiles'].map((name) =>
      path.join(folder, `${name}.ndjson`),
    ) as [string, string, string];
    await writeStream({ ...STREAM, output: events, labels, profiles });
    print();
    print('on this stream            innocents in REVIEW            of patterns');
    print('                          people   sellers  companies    found  to a person');
    const rows: readonly (readonly [string, readonly InputName[], boolean])[] = [
      ['everything is sent', [], false],
      ['as answered, and not set', without, true],
      ['as answered, and set', without, false],
    ];
    for (const [title, left, unsaid] of rows) {
      if (left.length === 0 && title !== rows[0]?.[0]) continue;
      const { recall } = await simulateLabelled(events, {
        ...{ organisation, labels, profiles, dollar: 5.4, without: left, unsaid, json: true },
        ...(ruleset === undefined ? {} : { ruleset }),
      });
      const shares = (['PERSON', 'SELLER', 'COMPANY'] as const).map((actor) => {
        const of = recall?.innocents.find((one) => one.actor === actor);
        return `${((100 * (of?.inReview ?? 0)) / Math.max(1, of?.transactions ?? 0)).toFixed(2)} %`.padStart(
          8,
        );
      });
      const sum = (member: 'patterns' | 'found' | 'reviewed'): number =>
        (recall?.classes ?? []).reduce((total, one) => total + one[member], 0);
      const found = `${sum('found')} of ${sum('patterns')}`;
      print(`${title.padEnd(24)} ${shares.join('  ')}   ${found.padStart(10)}   ${pad(sum('reviewed'), 10)}`);
    }
    print();
    print('Made-up customers: a house of its own sees with "inputs list" what its transactions lack.');
  } finally {
    await rm(folder, { recursive: true });
  }
}
