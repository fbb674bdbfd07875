import { LabelledEvaluation, labelsIn, printRecall, riskProfilesIn } from '#vigia/streams';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Simulation, type SimulationReport } from '../../features/kyt/index.js';
import {
  brStarter,
  RulesQueries,
  RulesetsService,
  type InputName,
  type RulesetContent,
} from '../../features/rules/index.js';
import { countOf, pick } from '../../platform/kernel/index.js';
import { withServices } from '../context.js';
import { findOrganisation } from '../named.js';
import { ProgressBar } from '../progress-bar.js';

const printLine = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

export interface SimulateOptions {
  /** `key@version`, or a ruleset file; the starter ruleset by default. */
  readonly ruleset?: string;
  readonly organisation: string;
  /** The label and profile files of a labelled stream. */
  readonly labels?: string;
  readonly profiles?: string;
  readonly dollar?: number;
  /** Keys of rules to leave out, separated by commas. */
  readonly off?: string;
  readonly without?: readonly InputName[];
  readonly unsaid?: boolean;
  readonly json: boolean;
}

/** Evaluates the events of an NDJSON file by a ruleset, and prints the results. */
export async function simulate(file: string, options: SimulateOptions): Promise<void> {
  const { ruleset, report, recall } = await simulateLabelled(file, options);
  if (options.json) printLine(JSON.stringify({ ...report, ...(recall ? { recall } : {}) }));
  else {
    print(ruleset, report);
    if (recall) printRecall(recall);
  }
}

/** Evaluates the events of an NDJSON file by a ruleset; `recall` only with the labels of the events. */
export async function simulateLabelled(
  file: string,
  options: SimulateOptions,
): Promise<{
  readonly ruleset: RulesetContent;
  readonly report: SimulationReport;
  readonly recall: ReturnType<LabelledEvaluation['report']> | undefined;
}> {
  const ruleset = withoutRules(
    await rulesetNamed(options.ruleset ?? null, options.organisation),
    options.off?.split(',') ?? [],
  );
  const labelled =
    options.labels === undefined ? null : new LabelledEvaluation(await labelsIn(options.labels));
  const simulation = new Simulation(
    ruleset,
    {
      ...(options.profiles === undefined ? {} : { standings: await riskProfilesIn(options.profiles) }),
      ...pick(options, 'dollar', 'without', 'unsaid'),
    },
    labelled?.addEvent,
  );
  const bar = options.json ? null : new ProgressBar(statSync(file).size);
  const source = createReadStream(file);
  let lines = 0;
  for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
    await simulation.add(line);
    lines += 1;
    if (lines % 1_000 === 0) bar?.show(source.bytesRead, `${lines} lines`);
  }
  bar?.show(statSync(file).size, `${lines} lines`);
  bar?.end();
  const report = await simulation.report();
  return { ruleset, report, recall: labelled?.report() };
}

function print({ key, version, rules }: RulesetContent, report: SimulationReport): void {
  const names = new Map(rules.map((rule) => [rule.key, rule.name.en]));
  const share = (count: number): string => `${((100 * count) / Math.max(1, report.snapshots)).toFixed(2)} %`;
  printLine(
    `${countOf(report.snapshots, 'event', 'events')} judged by ${key}@${version}, ${countOf(report.refused, 'line', 'lines')} refused`,
  );
  for (const { line, problem } of report.refusedLines) printLine(`  line ${line}: ${problem}`);
  printLine('Lists were not asked and count as NO_HIT; the history is that of the file.');
  printLine();
  for (const [outcome, count] of Object.entries(report.outcomeCounts)) {
    printLine(`${outcome.padEnd(10)} ${String(count).padStart(9)}  ${share(count)}`);
  }
  printLine();
  printLine('rule           hits     share  alone  undecided');
  for (const rule of [...report.rules].sort((a, b) => b.hits - a.hits)) {
    if (rule.hits + rule.indeterminate + rule.shadowHits === 0) continue;
    const { hits, hitsAlone, indeterminate, shadowHits } = rule;
    const watched = shadowHits > 0 ? `  (${shadowHits} only watched)` : '';
    printLine(
      `${rule.key.padEnd(12)} ${String(hits).padStart(6)}  ${share(hits).padStart(8)} ${String(hitsAlone).padStart(6)}  ` +
        `${String(indeterminate).padStart(9)}  ${names.get(rule.key) ?? ''}${watched}`,
    );
  }
  printLine();
  printLine('day         events  alerts');
  for (const { day, transactions, tested } of report.alertsPerDay) {
    printLine(`${day}  ${String(transactions).padStart(6)}  ${String(tested).padStart(6)}`);
  }
}

function withoutRules(ruleset: RulesetContent, off: readonly string[]): RulesetContent {
  const unknown = off.find((key) => !ruleset.rules.some((rule) => rule.key === key));
  if (unknown !== undefined) throw new Error(`${ruleset.key} has no rule ${unknown}.`);
  return { ...ruleset, rules: ruleset.rules.filter(({ key }) => !off.includes(key)) };
}

async function rulesetNamed(name: string | null, organisation: string): Promise<RulesetContent> {
  if (name === null) return brStarter;
  if (existsSync(name)) return rulesetIn(name);
  const { key, version } = refOf(name);
  return withServices(async (services) => {
    const organisationId = await findOrganisation(services, organisation);
    const row = await services.get(RulesQueries).findRuleset(organisationId, key, version);
    if (!row) throw new Error(`There is no ruleset ${name}, and no such file.`);
    return row.content;
  });
}

function rulesetIn(file: string): RulesetContent {
  let content: Partial<RulesetContent> | null = null;
  try {
    content = JSON.parse(readFileSync(file, 'utf8')) as Partial<RulesetContent> | null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (Array.isArray(content?.rules) && content.scoring !== undefined) return content as RulesetContent;
  throw new Error(`${file} holds no ruleset as "rulesets show" prints it.`);
}

function refOf(name: string): { key: string; version: number } {
  const [, key, version] = /^([a-z][a-z0-9-]*)@(\d{1,9})$/.exec(name) ?? [];
  if (key === undefined) throw new Error(`There is no file ${name}, and a ruleset is named key@version.`);
  return { key, version: Number(version) };
}

/** Prints the ruleset versions of an organisation, the newest first. */
export async function listRulesets(organisation: string): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, organisation);
    for (let before: string | null = null; ;) {
      const rows = await services.get(RulesQueries).listRulesets(organisationId, {}, { limit: 200, before });
      for (const { key, version, status, content, contentHash, publishedAt } of rows) {
        const since = publishedAt === null ? '' : `  published ${publishedAt.toISOString()}`;
        const challenged = content.experiment ? `  challenges ${content.experiment.challengerOf}` : '';
        printLine(
          `${key}@${version}  ${status}  ${countOf(content.rules.length, 'rule', 'rules')}  ${contentHash.toString('hex')}${since}${challenged}`,
        );
      }
      if (rows.length < 200) break;
      before = rows.at(-1)?.id ?? null;
    }
  });
}

/** Prints a ruleset version as JSON, in the form that is hashed and that `rules simulate` reads. */
export async function showRuleset(name: string, organisation: string): Promise<void> {
  printLine(JSON.stringify(await rulesetNamed(name, organisation), null, 2));
}

/**
 * Publishes the starter ruleset if the organisation has no ruleset. The command line publishes no other ruleset: that
 * needs an operator who requests it and another who approves it, and the command line counts as neither.
 */
export async function publishStarter(organisation: string): Promise<number> {
  return withServices(async (services) => {
    const organisationId = await findOrganisation(services, organisation);
    const rulesets = services.get(RulesetsService);
    if ((await rulesets.findLive(organisationId)) !== null) {
      printLine(
        'The organisation has a live ruleset already; what replaces it is approved by two operators.',
      );
      return 1;
    }
    await rulesets.publish(organisationId, brStarter, 'cli');
    printLine(`${brStarter.key}@${brStarter.version} is live`);
    return 0;
  });
}
