import { Option, type Command } from 'commander';
import type { Ordering } from '../commands/webhooks/webhooks.command.js';
import { parseWholeNumber } from './options.js';

export function addWebhooks(program: Command): void {
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
    .option('-e, --events <types...>', 'event types; every type when not given')
    .addOption(ordering())
    .action(async (url: string, options: { client: string; events?: string[]; ordering?: Ordering }) => {
      const { addWebhook } = await import('../commands/webhooks/webhooks.command.js');
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
        options: {
          client: string;
          url?: string;
          events?: string[];
          ordering?: Ordering;
          description?: string;
        },
      ) => {
        const { editWebhook } = await import('../commands/webhooks/webhooks.command.js');
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
      const { testWebhook } = await import('../commands/webhooks/webhooks.command.js');
      await testWebhook(id, options.client, options.type);
    });
  webhooks
    .command('statistics')
    .description('how an endpoint has been doing, hour by hour')
    .argument('<whe>', 'its id, whe_…')
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .option('--hours <number>', 'how far back', parseWholeNumber, 24)
    .action(async (id: string, options: { client: string; hours: number }) => {
      const { webhookStatistics } = await import('../commands/webhooks/webhooks.command.js');
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
    .action(
      async (id: string, options: { client: string; since: string; until?: string; dryRun: boolean }) => {
        const { recoverWebhook } = await import('../commands/webhooks/webhooks.command.js');
        await recoverWebhook(id, options.client, options);
      },
    );
  webhooks
    .command('recoveries')
    .description('list the recoveries of an endpoint and how far they are')
    .argument('<whe>', 'its id, whe_…')
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .action(async (id: string, options: { client: string }) => {
      const { listRecoveries } = await import('../commands/webhooks/webhooks.command.js');
      await listRecoveries(id, options.client);
    });
  webhooks
    .command('list')
    .description('list the endpoints of an application')
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .action(async (options: { client: string }) => {
      const { listWebhooks } = await import('../commands/webhooks/webhooks.command.js');
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
        const { changeWebhook } = await import('../commands/webhooks/webhooks.command.js');
        await changeWebhook(action, id, options.client, options.reason);
      });
  }
  webhooks
    .command('rotate')
    .description('give an endpoint a new signing secret and print it, once')
    .argument('<whe>', 'its id, whe_…')
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .option('-o, --overlap <seconds>', 'how long the old secret signs as well', parseWholeNumber, 86_400)
    .action(async (id: string, options: { client: string; overlap: number }) => {
      const { rotateWebhookSecret } = await import('../commands/webhooks/webhooks.command.js');
      await rotateWebhookSecret(id, options.client, options.overlap);
    });
  webhooks
    .command('listen')
    .description('receive webhooks on this machine, verify their signatures and print them')
    .requiredOption('-s, --secret <secrets...>', 'signing secret; during a rotation the new and the old one')
    .option('-p, --port <number>', 'port of this machine', parseWholeNumber, 4011)
    .option('--status <code>', 'what to answer', parseWholeNumber, 204)
    .option('--json', 'print whole events', false)
    .action(async (options: { secret: string[]; port: number; status: number; json: boolean }) => {
      const { listenToWebhooks } = await import('../commands/webhooks/webhook-listen.command.js');
      const stop = new AbortController();
      process.once('SIGINT', () => {
        stop.abort();
      });
      await listenToWebhooks({ ...options, secrets: options.secret }, stop.signal);
    });
}
