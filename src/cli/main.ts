import { addIntegratorCommands } from '#vigia/cli';
import { Command, Help } from 'commander';
import { describeError } from './error-words.js';
import type { ImportCommandOptions } from './commands/lists.command.js';
import { addApps } from './program/apps.js';
import { addAudit } from './program/audit.js';
import { addInputs } from './program/inputs.js';
import { parseCount, print } from './program/options.js';
import { addPeople } from './program/people.js';
import { addRules } from './program/rules.js';
import { addWebhooks } from './program/webhooks.js';
import { adoptRuntime } from './runtime-env.js';

// Must run before settings are read: a command without settings uses the settings of a running `npm start`.
adoptRuntime();

const program = new Command('vigia')
  .description('Vigia from the command line')
  .showHelpAfterError()
  .configureHelp({
    optionDescription(option) {
      const description = new Help().optionDescription(option);
      return option.mandatory ? `${description} (required)` : description;
    },
  })
  .addHelpText(
    'after',
    `
Beside a running "npm start" a command works on that service; DATA_DIR names its folder when it is not .data.
Where there is none, a command needs the settings of the service (docs/generated/settings.md).

Examples:
  npm run vigia -- demo
  npm run vigia -- demo clear
  npm run vigia -- audit trail pix-1001
  npm run vigia -- client trigger hold
  npm run vigia -- webhooks add http://127.0.0.1:4011/webhooks
  npm run vigia -- audit export --help
  npm run --silent vigia -- receipt export pix-1001 > receipt.json    (--silent: only what the command prints)`,
  );

program
  .command('migrate')
  .description('run pending migrations as DATABASE_OWNER_URL and make the role of DATABASE_URL')
  .action(async () => {
    const { runMigrations } = await import('./commands/migrate.command.js');
    await runMigrations();
  });

program
  .command('seed-demo')
  .description('make the demo organisation and write its credentials file (not in production)')
  .action(async () => {
    const { seedDemo } = await import('#vigia/demo');
    const { credentialsFile } = await seedDemo();
    print(`credentials in ${credentialsFile}`);
  });

const demo = program
  .command('demo')
  .description('send a realistic stream of transactions, receive the webhooks, verify them, print a summary')
  .option('-n, --transactions <number>', 'how many', parseCount, 2_000)
  .option('-r, --rate <number>', 'transactions per second', parseCount, 200)
  .action(async (options: { transactions: number; rate: number }) => {
    const { runDemo } = await import('#vigia/demo');
    process.exitCode = await runDemo(options);
  });
demo
  .command('clear')
  .description('close the cases of the demo organisation: its analyst proposes it, its officer approves it')
  .action(async () => {
    const { clearDemo } = await import('#vigia/demo');
    process.exitCode = await clearDemo(process.env['DATA_DIR'] ?? '.data');
  });

addApps(program);

program
  .command('lists')
  .description('lists to screen against')
  .command('import')
  .description('import a file as the next snapshot of a list; makes the list when there is none')
  .argument('<file>', 'the file of the list')
  .requiredOption('-l, --list <key>', 'how the list is called, such as ofac-sdn')
  .requiredOption(
    '-f, --format <format>',
    'OFAC_SDN_CSV, UN_XML, CGU_PEP_CSV, CEIS_CNEP_CSV, OPENSANCTIONS_CSV, HOUSE_CSV or HOUSE_JSON',
  )
  .requiredOption('-k, --kind <kind>', 'SANCTIONS, PEP, DEBARMENT, BLOCKLIST, ALLOWLIST or WATCH')
  .option('-n, --name <text>', 'what people call it')
  .option('-a, --aliases <file>', 'OFAC: the file of aliases')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .option('--preview', 'show what would change and change nothing')
  .option('--yes', 'publish also a list that loses more than a fifth of its entries')
  .action(async (file: string, options: ImportCommandOptions) => {
    const { importList } = await import('./commands/lists.command.js');
    process.exitCode = await importList(file, options);
  });

program
  .command('sandbox')
  .description('the sandbox, where integrators steer what happens to a transaction')
  .command('prepare')
  .description('give an organisation the ruleset, the lists and the flows that the scenarios need')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .action(async (options: { organisation: string }) => {
    const { prepareSandbox } = await import('#vigia/demo');
    await prepareSandbox(options.organisation);
  });

addIntegratorCommands(
  program.command('client').description('what an integrator does, as an application over HTTP (sdk/cli)'),
);
addWebhooks(program);
addInputs(program);
addRules(program);

program
  .command('fx-import')
  .description('import exchange rates: closing quotations of the Banco Central, or YYYY-MM-DD;CUR;5.1234')
  .argument('<file>', 'the file of rates')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .option('-s, --source <name>', 'who published them; the name of the file when not given')
  .action(async (file: string, options: { organisation: string; source?: string }) => {
    const { importRates } = await import('./commands/fx.command.js');
    await importRates(file, options);
  });

const deadLetters = program.command('dead-letters').description('transactions that could not be processed');
deadLetters
  .command('list')
  .description('list dead transactions, the oldest first')
  .option('-l, --limit <number>', 'at most this many', parseCount, 50)
  .action(async (options: { limit: number }) => {
    const { listDeadLetters } = await import('./commands/dead-letters.command.js');
    await listDeadLetters(options.limit);
  });
deadLetters
  .command('replay')
  .description('queue dead transactions again')
  .argument('<txn...>', 'their ids, txn_…')
  .action(async (ids: string[]) => {
    const { replayDeadLetters } = await import('./commands/dead-letters.command.js');
    process.exitCode = await replayDeadLetters(ids);
  });

program
  .command('doctor')
  .description(
    'look at settings, database, queue, clock, lags, anchors, disk, lists and whatever requests go out to; exit status 1 when something is bad',
  )
  .option(
    '-o, --organisation <key>',
    'short name of an organisation whose lists, providers and webhook endpoints are looked at',
  )
  .action(async (options: { organisation?: string }) => {
    const { runDoctor } = await import('./commands/doctor/doctor.command.js');
    process.exitCode = await runDoctor(options.organisation);
  });

program
  .command('restore')
  .description('what a restore of the database means')
  .command('report')
  .description('list events and deliveries of the lost time that others still hold')
  .option('-f, --files <files...>', 'logs, or what receivers kept: texts in which ids stand (evt_…, whd_…)')
  .action(async (options: { files?: string[] }) => {
    const { reportRestore } = await import('./commands/restore.command.js');
    await reportRestore(options.files ?? []);
  });

addAudit(program);
addPeople(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  // A start that failed halfway leaves connections to Redis that never end.
  process.exit(1);
}
