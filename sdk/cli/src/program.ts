import type { Command } from 'commander';
import { VigiaApiError, VigiaClient, type WebhookEventType } from '../../node/src/index.js';
import { baseOf } from '../../node/src/transport.js';
import { completionScript } from './completion.js';
import { runDoctor } from './doctor.js';
import { listen, type ListenOptions } from './listen.js';
import { tailEvents, tailLogs, tailTransactions, type TailOptions } from './tails.js';
import {
  credentialsIn,
  currentClient,
  currentCredentials,
  forgetCredentials,
  keepCredentials,
  note,
  readSecret,
  say,
  timeIn,
  untilStopped,
  type Output,
} from './terminal.js';
import { getTransaction, sendTransactions } from './transactions.js';
import { listScenarios, triggerEvent, triggerScenario, type TriggerOptions } from './trigger.js';

interface LoginOptions extends Output {
  readonly url: string;
  readonly clientId?: string;
  readonly file?: string;
}

/** Adds what an integrator does; each command speaks HTTP as an application, and nothing else. */
export function addIntegratorCommands(root: Command): void {
  const add = (parent: Command, name: string, description: string): Command =>
    parent
      .command(name)
      .description(description)
      .option('--json', 'one JSON value in each line, for programs');

  add(root, 'login', 'keep the credentials of an application for the other commands')
    .option('-u, --url <url>', 'base URL of the service', 'http://127.0.0.1:3000')
    .option('-i, --client-id <id>', 'the x-client-id; the secret is read from the standard input')
    .option('-f, --file <file>', 'a file that has all three, such as .data/demo-credentials.json')
    .action(login);
  add(root, 'logout', 'forget the credentials').action(forgetCredentials);

  add(root, 'listen', 'make a webhook endpoint that ends here, verify what comes, hand it on')
    .option('-t, --forward-to <url>', 'your receiver; its answer is the answer')
    .option('-e, --events <types...>', 'event types; all when not given')
    .option('-p, --port <number>', 'where to listen; any free port when not given', Number, 0)
    .option('--public-url <url>', 'where a tunnel leads here, for a service on another machine')
    .action(async (options: ListenOptions) => {
      await listen(await currentClient(), options, untilStopped());
    });

  add(root, 'trigger', 'provoke a scenario of the sandbox, or a test event; lists them without a name')
    .argument('[name]', 'a scenario such as hold, or an event type such as session.completed')
    .option('--customer <text>', 'the same text makes several transactions about one customer')
    .option('--cpf <cpf>', 'a magic document: 900… passes, 901… fails, 902… gets no answer')
    .option('--endpoint <whe>', 'for an event: the endpoint; all in use when not given')
    .option('--no-wait', 'do not wait for what the scenario promises')
    .action(async (name: string | undefined, options: TriggerOptions & { readonly endpoint?: string }) => {
      const client = await currentClient();
      if (name === undefined) await listScenarios(client, options);
      else if (name.includes('.')) await triggerEvent(client, name as WebhookEventType, options);
      else process.exitCode = await triggerScenario(client, name, options, untilStopped());
    });

  const transactions = root.command('transactions').description('send and read transactions');
  add(transactions, 'send', 'send one transaction, an array of them, or one in each line')
    .argument('<file>', 'a JSON file; - for the standard input')
    .option('-w, --wait', 'show the decision of a single one')
    .action(async (file: string, options: Output & { readonly wait?: boolean }) => {
      process.exitCode = await sendTransactions(await currentClient(), file, options);
    });
  add(transactions, 'get', 'show a transaction with its newest result')
    .argument('<transactionId>', 'your id of it')
    .action(async (id: string, options: Output) => {
      process.exitCode = await getTransaction(await currentClient(), id, options);
    });
  tail(add(transactions, 'tail', 'show what comes of transactions as it is known'), tailTransactions);

  tail(
    add(root.command('events').description('the feed of events'), 'tail', 'show events as they come').option(
      '-e, --types <types...>',
      'event types; all when not given',
    ),
    tailEvents,
  );
  tail(
    add(
      root.command('logs').description('the requests of this application'),
      'tail',
      'show requests as they come',
    ),
    tailLogs,
  );

  add(
    root,
    'doctor',
    'look at clock, credentials, scopes, endpoints and signatures; exit status 1 when something is bad',
  ).action(async (options: Output) => {
    process.exitCode = await runDoctor(await currentCredentials(), options);
  });
  root
    .command('mcp')
    .description('serve read-only tools over the Model Context Protocol: explain a decision, find a request')
    .action(async () => {
      const { serveMcp } = await protocol();
      serveMcp(await currentClient(), (await currentCredentials()).baseUrl);
    });
  root
    .command('completion')
    .description('print a script that completes these commands: source <(vigia completion bash)')
    .argument('<shell>', 'bash or zsh')
    .action((shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh') throw new Error('There is completion for bash and zsh.');
      process.stdout.write(completionScript(root, shell));
    });
}

const tail = (
  command: Command,
  run: (client: VigiaClient, options: TailOptions, stop: AbortSignal) => Promise<void>,
): Command =>
  command
    .option(
      '-s, --since <time>',
      'begin at this time (RFC 3339), or so long ago (10m, 2h); now when not given',
      timeIn,
    )
    .action(async (options: TailOptions) => {
      await run(await currentClient(), options, untilStopped());
    });

async function login({ url, clientId, file, ...output }: LoginOptions): Promise<void> {
  if (file === undefined && clientId === undefined) {
    throw new Error('Name the application: --client-id or --file.');
  }
  const given =
    file === undefined
      ? { baseUrl: baseOf(url), clientId: clientId ?? '', clientSecret: await readSecret('secret: ') }
      : await credentialsIn(file);
  try {
    await new VigiaClient(given).send({ method: 'GET', path: '/requests', query: { limit: 1 } });
  } catch (error) {
    // An application that may not read its requests is known all the same.
    if (!(error instanceof VigiaApiError) || error.code !== 'SCOPE_INSUFFICIENT') throw error;
  }
  const kept = await keepCredentials(given);
  note(`kept in ${kept}`);
  say(output, `${given.clientId} at ${given.baseUrl}`, { clientId: given.clientId, baseUrl: given.baseUrl });
}

/** The protocol is for few: its packages come only where somebody installs them. */
async function protocol(): Promise<typeof import('./mcp.js')> {
  try {
    return await import('./mcp.js');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('Install what it needs beside this: npm install @modelcontextprotocol/server zod', {
      cause,
    });
  }
}
