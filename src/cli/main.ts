import { Command, Help, InvalidArgumentError, Option } from 'commander';
import { errorWords } from './error-words.js';
import type { ImportOptions } from './lists.command.js';
import type { PackageOptions, PruneOptions, ReincarnateOptions } from './audit.command.js';
import type { WitnessOptions } from './witness.command.js';
import type { SimulateOptions } from './rules.command.js';
import type { NewAppOptions } from './apps.command.js';
import type { Ordering } from './webhooks.command.js';
import { adoptRuntime } from './runtime-env.js';

// Before anything reads a setting: a command typed beside a running `npm start` means that service.
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
Where there is none, a command needs the settings of the service (docs/settings.md).

Examples:
  npm run vigia -- demo
  npm run vigia -- audit trail pix-1001
  npm run vigia -- webhooks add http://127.0.0.1:4011/webhooks
  npm run vigia -- audit export --help
  npm run --silent vigia -- receipt export pix-1001 > receipt.json    (--silent: only what the command prints)`,
  );

program
  .command('migrate')
  .description('run pending migrations as DATABASE_OWNER_URL and make the role of DATABASE_URL')
  .action(async () => {
    const { runMigrations } = await import('./migrate.command.js');
    await runMigrations();
  });

program
  .command('seed-demo')
  .description('make the demo organisation and write its credentials file (not in production)')
  .action(async () => {
    const { seedDemo } = await import('./seed-demo.js');
    const { credentialsFile } = await seedDemo();
    print(`credentials in ${credentialsFile}`);
  });

program
  .command('demo')
  .description('send a realistic stream of transactions, receive the webhooks, verify them, print a summary')
  .option('-n, --transactions <number>', 'how many', count, 2_000)
  .option('-r, --rate <number>', 'transactions per second', count, 200)
  .action(async (options: { transactions: number; rate: number }) => {
    const { runDemo } = await import('./demo.command.js');
    process.exitCode = await runDemo(options);
  });

const apps = program.command('apps').description('client applications');
apps
  .command('create')
  .description('create an application and print its credentials, once')
  .argument('<name>', 'what operators call it')
  .option('-o, --organisation <key>', 'short name of the organisation, made if it is new', shortName, 'demo')
  .option('-p, --public-name <name>', 'what end users see; the name when not given')
  .option('-s, --scopes <scopes...>', 'what it may do; kyt:ingest and transactions:write when not given')
  .option('-r, --per-second <number>', 'requests per second', count)
  .option('-b, --burst <number>', 'requests at once', count)
  .action(async (name: string, options: Omit<NewAppOptions, 'name'>) => {
    const { createApp } = await import('./apps.command.js');
    await createApp({ name, ...options });
  });
apps
  .command('rotate')
  .description('make a new secret and print it, once')
  .argument('<clientId>', 'the x-client-id of the application')
  .option('--overlap <seconds>', 'how long the secret before it stays valid', seconds, 86_400)
  .action(async (clientId: string, options: { overlap: number }) => {
    const { rotateSecret } = await import('./apps.command.js');
    await rotateSecret(clientId, options.overlap);
  });
for (const [name, enabled, description] of [
  ['disable', false, 'refuse an application with 403 until it is enabled again'],
  ['enable', true, 'let a disabled application in again'],
] as const) {
  apps
    .command(name)
    .description(description)
    .argument('<clientId>', 'the x-client-id of the application')
    .action(async (clientId: string) => {
      const { setEnabled } = await import('./apps.command.js');
      await setEnabled(clientId, enabled);
    });
}
apps
  .command('list')
  .description('list the applications of an organisation in this environment')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .action(async (options: { organisation: string }) => {
    const { listApps } = await import('./apps.command.js');
    await listApps(options.organisation);
  });

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
  .action(async (file: string, options: ImportOptions) => {
    const { importList } = await import('./lists.command.js');
    process.exitCode = await importList(file, options);
  });

const ordering = (): Option =>
  new Option('--ordering <how>', 'whether the events of one resource wait for each other').choices([
    'none',
    'per_resource',
  ]);
const webhooks = program.command('webhooks').description('webhook endpoints');
webhooks
  .command('add')
  .description('create an endpoint and print its signing secret, once')
  .argument('<url>', 'where events are sent')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .option('-e, --events <types...>', 'event types; all six when not given')
  .addOption(ordering())
  .action(async (url: string, options: { client: string; events?: string[]; ordering?: Ordering }) => {
    const { addWebhook } = await import('./webhooks.command.js');
    await addWebhook(url, options.client, options);
  });
webhooks
  .command('change')
  .description('change what is given of an endpoint')
  .argument('<whe>', 'its id, whe_…')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .option('-u, --url <url>', 'where events are sent from now on')
  .option('-e, --events <types...>', 'event types from now on')
  .addOption(ordering())
  .option('-d, --description <text>', 'words for people')
  .action(
    async (
      id: string,
      options: { client: string; url?: string; events?: string[]; ordering?: Ordering; description?: string },
    ) => {
      const { editWebhook } = await import('./webhooks.command.js');
      const { client, events: eventTypes, ...words } = options;
      await editWebhook(id, client, { ...words, ...(eventTypes ? { eventTypes } : {}) });
    },
  );
webhooks
  .command('test')
  .description('send an endpoint a made-up event, with "test": true')
  .argument('<whe>', 'its id, whe_…')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .option('-t, --type <type>', 'event type', 'session.completed')
  .action(async (id: string, options: { client: string; type: string }) => {
    const { testWebhook } = await import('./webhooks.command.js');
    await testWebhook(id, options.client, options.type);
  });
webhooks
  .command('statistics')
  .description('how an endpoint has been doing, hour by hour')
  .argument('<whe>', 'its id, whe_…')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .option('--hours <number>', 'how far back', wholeNumber, 24)
  .action(async (id: string, options: { client: string; hours: number }) => {
    const { webhookStatistics } = await import('./webhooks.command.js');
    await webhookStatistics(id, options.client, options.hours);
  });
webhooks
  .command('recover')
  .description('send an endpoint what it never got in a span of time')
  .argument('<whe>', 'its id, whe_…')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .requiredOption('--since <time>', 'from this time on, 2026-11-20T00:00:00Z')
  .option('--until <time>', 'before this time; now when not given')
  .option('--dry-run', 'only count', false)
  .action(async (id: string, options: { client: string; since: string; until?: string; dryRun: boolean }) => {
    const { recoverWebhook } = await import('./webhooks.command.js');
    await recoverWebhook(id, options.client, options);
  });
webhooks
  .command('recoveries')
  .description('list the recoveries of an endpoint and how far they are')
  .argument('<whe>', 'its id, whe_…')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .action(async (id: string, options: { client: string }) => {
    const { listRecoveries } = await import('./webhooks.command.js');
    await listRecoveries(id, options.client);
  });
webhooks
  .command('list')
  .description('list the endpoints of an application')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .action(async (options: { client: string }) => {
    const { listWebhooks } = await import('./webhooks.command.js');
    await listWebhooks(options.client);
  });
for (const [action, description] of [
  ['disable', 'end an endpoint: nothing is collected for it any more'],
  ['pause', 'let its deliveries collect and wait'],
  ['resume', 'take a paused or disabled endpoint into use again'],
  ['remove', 'remove an endpoint for good'],
] as const) {
  webhooks
    .command(action)
    .description(description)
    .argument('<whe>', 'its id, whe_…')
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .option('-r, --reason <text>', 'why')
    .action(async (id: string, options: { client: string; reason?: string }) => {
      const { changeWebhook } = await import('./webhooks.command.js');
      await changeWebhook(action, id, options.client, options.reason);
    });
}
webhooks
  .command('rotate')
  .description('give an endpoint a new signing secret and print it, once')
  .argument('<whe>', 'its id, whe_…')
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .option('-o, --overlap <seconds>', 'how long the old secret signs as well', wholeNumber, 86_400)
  .action(async (id: string, options: { client: string; overlap: number }) => {
    const { rotateWebhook } = await import('./webhooks.command.js');
    await rotateWebhook(id, options.client, options.overlap);
  });
webhooks
  .command('listen')
  .description('receive webhooks on this machine, verify their signatures and print them')
  .requiredOption('-s, --secret <secrets...>', 'signing secret; during a rotation the new and the old one')
  .option('-p, --port <number>', 'port of this machine', wholeNumber, 4011)
  .option('--status <code>', 'what to answer', wholeNumber, 204)
  .option('--json', 'print whole events', false)
  .action(async (options: { secret: string[]; port: number; status: number; json: boolean }) => {
    const { listenToWebhooks } = await import('./webhook-listen.command.js');
    const stop = new AbortController();
    process.once('SIGINT', () => {
      stop.abort();
    });
    await listenToWebhooks({ ...options, secrets: options.secret }, stop.signal);
  });

program
  .command('rules')
  .description('the rules that judge transactions')
  .command('simulate')
  .description('judge the events of an NDJSON file by a ruleset; stores nothing and needs no running service')
  .argument('<file>', 'one event per line, as it would be ingested')
  .option(
    '-r, --ruleset <name>',
    'key@version, or a file as "rulesets show" prints it; br-starter when not given',
  )
  .option('-o, --organisation <key>', 'whose ruleset key@version is', 'demo')
  .option('--json', 'print the whole report', false)
  .action(async (file: string, options: SimulateOptions) => {
    const { simulate } = await import('./rules.command.js');
    await simulate(file, options);
  });

const rulesets = program.command('rulesets').description('rulesets of an organisation');
rulesets
  .command('list')
  .description('list the versions, the newest first')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .action(async (options: { organisation: string }) => {
    const { listRulesets } = await import('./rules.command.js');
    await listRulesets(options.organisation);
  });
rulesets
  .command('show')
  .description('print a version as JSON')
  .argument('<name>', 'key@version')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .action(async (name: string, options: { organisation: string }) => {
    const { showRuleset } = await import('./rules.command.js');
    await showRuleset(name, options.organisation);
  });
rulesets
  .command('publish-starter')
  .description(
    'publish br-starter in an organisation without a live ruleset; all others are approved by two operators',
  )
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .action(async (options: { organisation: string }) => {
    const { publishStarter } = await import('./rules.command.js');
    process.exitCode = await publishStarter(options.organisation);
  });

const receipt = program.command('receipt').description('decision receipts');
receipt
  .command('export')
  .description('print the receipt of a transaction with its facts, rulesets and submission (personal data)')
  .argument('<transactionId>', "the integrator's transactionId")
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .option('-v, --version <number>', 'evaluation version; the newest when not given', count)
  .action(async (transactionId: string, options: { client: string; version?: number }) => {
    const { exportReceipt } = await import('./receipt.command.js');
    await exportReceipt(transactionId, options.client, options.version ?? null);
  });
receipt
  .command('verify')
  .description(
    'decide again from a file, without database or network; exit status 0 when it comes out the same',
  )
  .argument('<file>', 'what "receipt export" printed')
  .action(async (file: string) => {
    const { verifyReceiptFile } = await import('./receipt.command.js');
    process.exitCode = verifyReceiptFile(file);
  });

program
  .command('fx-import')
  .description('import exchange rates: closing quotations of the Banco Central, or YYYY-MM-DD;CUR;5.1234')
  .argument('<file>', 'the file of rates')
  .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
  .option('-s, --source <name>', 'who published them; the name of the file when not given')
  .action(async (file: string, options: { organisation: string; source?: string }) => {
    const { importRates } = await import('./fx.command.js');
    await importRates(file, options);
  });

const deadLetters = program.command('dead-letters').description('transactions that could not be processed');
deadLetters
  .command('list')
  .description('list dead transactions, the oldest first')
  .option('-l, --limit <number>', 'at most this many', count, 50)
  .action(async (options: { limit: number }) => {
    const { listDeadLetters } = await import('./dead-letters.command.js');
    await listDeadLetters(options.limit);
  });
deadLetters
  .command('replay')
  .description('queue dead transactions again')
  .argument('<txn...>', 'their ids, txn_…')
  .action(async (ids: string[]) => {
    const { replayDeadLetters } = await import('./dead-letters.command.js');
    process.exitCode = await replayDeadLetters(ids);
  });

const audit = program.command('audit').description('the audit trail and its signed log');
audit
  .command('trail')
  .description('judge the trail of a transaction: integrity and completeness')
  .argument('<transactionId>', "the integrator's transactionId")
  .option('-c, --client <id>', 'client id of the application', 'demo-app')
  .action(async (transactionId: string, options: { client: string }) => {
    const { showTrail } = await import('./audit.command.js');
    process.exitCode = await showTrail(transactionId, options.client);
  });
audit
  .command('status')
  .description('the newest signed checkpoint of the log, and the keys that auditors pin')
  .option('-c, --client <id>', 'client id of an application of the organisation', 'demo-app')
  .action(async (options: { client: string }) => {
    const { showLog } = await import('./audit.command.js');
    await showLog(options.client);
  });
audit
  .command('export')
  .description('write a package that anybody can verify offline')
  .requiredOption('-o, --output <file>', 'the ZIP file to write; must not exist')
  .requiredOption('-r, --reason <text>', 'why it is made; stands in its manifest')
  .option('-c, --client <id>', 'client id of an application of the organisation', 'demo-app')
  .option('--subject-type <type>', 'only entries about this kind of subject')
  .option('--subject-id <id>', 'only entries about this subject')
  .option('--action <action>', 'only entries of this action')
  .option('--from <time>', 'recorded at or after (RFC 3339)')
  .option('--to <time>', 'recorded before (RFC 3339)')
  .action(async (options: PackageOptions) => {
    const { writePackage } = await import('./audit.command.js');
    await writePackage(options);
  });
audit
  .command('verify')
  .description(
    'verify a package; needs no running service. Exit status 0 verified, 1 tampered, 2 incomplete, 3 unverifiable',
  )
  .argument('<package>', 'the ZIP file, or the folder that it was unpacked into')
  .option('--pin <key>', 'the public key that you noted before')
  .option('--anchor <files...>', 'checkpoints that you kept: signed notes, or the JSON of webhooks')
  .action(async (location: string, options: { pin?: string; anchor?: string[] }) => {
    const { verifyPackage } = await import('./audit.command.js');
    const pin = options.pin === undefined ? [] : ['--pin', options.pin];
    process.exitCode = verifyPackage([
      location,
      ...pin,
      ...(options.anchor ?? []).flatMap((file) => ['--anchor', file]),
    ]);
  });

audit
  .command('prune')
  .description(
    'say which entries have been kept as long as they had to be (AUDIT_RETENTION_YEARS); with --apply end their keeping',
  )
  .option('-c, --client <id>', 'client id of an application of the organisation', 'demo-app')
  .option('--apply', 'delete them; their leaf hashes stay', false)
  .action(async (options: PruneOptions) => {
    const { pruneLog } = await import('./audit.command.js');
    await pruneLog(options);
  });
audit
  .command('witness')
  .description(
    'see the newest checkpoint of a running service from outside, and sign that it goes on from the one seen before. Exit status 0 it does, 1 it does not',
  )
  .requiredOption('-u, --url <url>', 'base URL of the service')
  .requiredOption(
    '-t, --token-file <file>',
    'file with the access token of an auditor; - for the standard input',
  )
  .requiredOption('-p, --pin <key>', 'the public key that you noted before')
  .requiredOption(
    '-s, --state <file>',
    'what this witness has seen, and its own key; made when it is not there',
  )
  .option('-n, --name <name>', 'the name under which it signs', 'vigia-witness')
  .action(async (options: WitnessOptions) => {
    const { witnessLog } = await import('./witness.command.js');
    process.exitCode = await witnessLog(options);
  });
audit
  .command('reincarnate')
  .description(
    'let a log go on that was put back: one person asks with --reason, another one approves with --approve',
  )
  .requiredOption('-u, --url <url>', 'base URL of the service')
  .requiredOption(
    '-t, --token-file <file>',
    'file with the access token of the person; - for the standard input',
  )
  .option('-r, --reason <text>', 'why the database was put back, at least 20 characters')
  .option('-a, --approve <id>', 'the request of the other person, rin_…')
  .action(async (options: ReincarnateOptions) => {
    const { reincarnate } = await import('./audit.command.js');
    await reincarnate(options);
  });

const keys = program.command('keys').description('the keys of KEY_RING that wrap the data keys');
keys
  .command('rotate')
  .description('wrap every data key under the first key of KEY_RING, while the service runs')
  .action(async () => {
    const { rotateKeys } = await import('./keys.command.js');
    process.exitCode = await rotateKeys();
  });
keys
  .command('check')
  .description('tell which keys of KEY_RING the stored data needs')
  .action(async () => {
    const { checkKeys } = await import('./keys.command.js');
    process.exitCode = await checkKeys();
  });

const operators = program.command('operators').description('people who use the operator API');
operators
  .command('setup-token')
  .description('print the token with which the first administrator of an organisation makes an account')
  .option('-o, --organisation <key>', 'short name; made when it does not exist', shortName, 'main')
  .action(async (options: { organisation: string }) => {
    const { printSetupToken } = await import('./operators.command.js');
    await printSetupToken(options.organisation);
  });
operators
  .command('invite')
  .description('invite a person and print the token of the invitation, once')
  .argument('<email>', 'address of the person')
  .requiredOption('-r, --role <roles...>', 'ADMIN, COMPLIANCE_OFFICER, ANALYST, AUDITOR, DEVELOPER')
  .requiredOption('-n, --name <name>', 'name of the person')
  .option('-o, --organisation <key>', 'short name of the organisation', 'main')
  .action(async (email: string, options: { name: string; role: string[]; organisation: string }) => {
    const { inviteOperator } = await import('./operators.command.js');
    await inviteOperator(email, options);
  });
operators
  .command('disable')
  .description('let an operator in no longer; tokens are dead within a second')
  .argument('<email>', 'address of the operator')
  .action(async (email: string) => {
    const { disableOperator } = await import('./operators.command.js');
    await disableOperator(email);
  });
operators
  .command('reset')
  .description('give a locked-out operator a new password and take the second factor away')
  .argument('<email>', 'address of the operator')
  .action(async (email: string) => {
    const { resetOperator } = await import('./operators.command.js');
    await resetOperator(email);
  });
operators
  .command('login')
  .description('log a demo operator in at the running service and print the access token (ten minutes)')
  .argument('[name]', 'admin, officer, officer2, analyst, auditor or developer', 'admin')
  .action(async (who: string) => {
    const { demoLogin } = await import('./seed-demo.js');
    print(await demoLogin(process.env['DATA_DIR'] ?? '.data', who));
  });

program
  .command('organisations')
  .description('the institutions that everything belongs to')
  .command('add')
  .description('make an organisation')
  .argument('<key>', 'short name, such as acme', shortName)
  .option('-n, --name <name>', 'full name')
  .action(async (key: string, options: { name?: string }) => {
    const { addOrganisation } = await import('./operators.command.js');
    await addOrganisation(key, options.name ?? key);
  });

/** How an organisation that is to be made may be called. */
function shortName(text: string): string {
  if (/^[a-z][a-z0-9-]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('must be small letters, digits and hyphens, beginning with a letter');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError('must be a whole number from 1 on');
  }
  return value;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 2_592_000) {
    throw new InvalidArgumentError('must be a whole number of seconds from 0 to 2592000');
  }
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${errorWords(error)}\n`);
  process.exitCode = 1;
}
