import type { StreamOptions } from '#vigia/streams';
import type { Command } from 'commander';
import type { SimulateOptions } from '../commands/rules.command.js';
import { parseCount, parseDay, parseInputs, parseRate, parseWholeNumber } from './options.js';

export function addRules(program: Command): void {
  addStreams(program);
  program
    .command('rules')
    .description('the rules that judge transactions')
    .command('simulate')
    .description(
      'judge the events of an NDJSON file by a ruleset; stores nothing and needs no running service',
    )
    .argument('<file>', 'one event per line, as it would be ingested')
    .option(
      '-r, --ruleset <name>',
      'key@version, or a file as "rulesets show" prints it; br-starter when not given',
    )
    .option('-o, --organisation <key>', 'whose ruleset key@version is', 'demo')
    .option('-l, --labels <file>', 'the truth about each event, as "simulate --labels" writes it')
    .option('-p, --profiles <file>', 'what customers have declared, as "simulate --profiles" writes it')
    .option(
      '-d, --dollar <rate>',
      'reais for a dollar on every day; without it nothing foreign is judged',
      parseRate,
    )
    .option('--off <keys>', 'rules to leave out, separated by commas: what do the others find?')
    .option(
      '-w, --without <inputs>',
      'what the application has said not to send, taken out of the events: dict, device, profile, counterparty-document',
      parseInputs,
    )
    .option('--unsaid', 'with --without: as if the application had not said so', false)
    .option('--json', 'print the whole report', false)
    .action(async (file: string, options: SimulateOptions) => {
      const { simulate } = await import('../commands/rules.command.js');
      await simulate(file, options);
    });

  const rulesets = program.command('rulesets').description('rulesets of an organisation');
  rulesets
    .command('list')
    .description('list the versions, the newest first')
    .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
    .action(async (options: { organisation: string }) => {
      const { listRulesets } = await import('../commands/rules.command.js');
      await listRulesets(options.organisation);
    });
  rulesets
    .command('show')
    .description('print a version as JSON')
    .argument('<name>', 'key@version')
    .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
    .action(async (name: string, options: { organisation: string }) => {
      const { showRuleset } = await import('../commands/rules.command.js');
      await showRuleset(name, options.organisation);
    });
  rulesets
    .command('publish-starter')
    .description(
      'publish br-starter in an organisation without a live ruleset; all others are approved by two operators',
    )
    .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
    .action(async (options: { organisation: string }) => {
      const { publishStarter } = await import('../commands/rules.command.js');
      process.exitCode = await publishStarter(options.organisation);
    });

  const receipt = program.command('receipt').description('decision receipts');
  receipt
    .command('export')
    .description('print the receipt of a transaction with its facts, rulesets and submission (personal data)')
    .argument('<transactionId>', "the integrator's transactionId")
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .option('-v, --version <number>', 'evaluation version; the newest when not given', parseCount)
    .action(async (transactionId: string, options: { client: string; version?: number }) => {
      const { exportReceipt } = await import('../commands/audit/receipt.command.js');
      await exportReceipt(transactionId, options.client, options.version ?? null);
    });
  receipt
    .command('verify')
    .description(
      'decide again from a file, without database or network; exit status 0 when it comes out the same',
    )
    .argument('<file>', 'what "receipt export" printed')
    .action(async (file: string) => {
      const { verifyReceiptFile } = await import('../commands/audit/receipt.command.js');
      process.exitCode = verifyReceiptFile(file);
    });
}

function addStreams(program: Command): void {
  program
    .command('simulate')
    .description(
      'write a made-up stream of events with patterns of laundering and fraud in it, the same for a seed; ' +
        '"rules simulate" judges it',
    )
    .option('-s, --seed <number>', 'the number that all is drawn from', parseWholeNumber, 1)
    .option('-b, --begins <day>', 'the first day, YYYY-MM-DD', parseDay, { year: 2026, month: 1, day: 5 })
    .option('-n, --days <number>', 'how many days', parseCount, 60)
    .option('--people <number>', 'natural persons', parseWholeNumber, 300)
    .option('--sellers <number>', 'people who sell by PIX', parseWholeNumber, 30)
    .option('--companies <number>', 'companies', parseWholeNumber, 15)
    .option('--patterns <number>', 'patterns in all, dealt to the classes in turn', parseWholeNumber, 36)
    .option('-o, --output <file>', 'where the events go; - is the standard output', '-')
    .option('-l, --labels <file>', 'where the truth about each event goes')
    .option('-p, --profiles <file>', 'where the declared income and revenue of the customers goes')
    .action(async (options: StreamOptions) => {
      const { writeStream } = await import('#vigia/streams');
      await writeStream(options);
    });
}
