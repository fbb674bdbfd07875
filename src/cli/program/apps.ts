import type { Command } from 'commander';
import type { NewAppOptions } from '../commands/apps.command.js';
import { parseCount, parseSeconds, parseShortName } from './options.js';

export function addApps(program: Command): void {
  const apps = program.command('apps').description('client applications');
  apps
    .command('create')
    .description('create an application and print its credentials, once')
    .argument('<name>', 'what operators call it')
    .option(
      '-o, --organisation <key>',
      'short name of the organisation, made if it is new',
      parseShortName,
      'demo',
    )
    .option('-p, --public-name <name>', 'what end users see; the name when not given')
    .option(
      '-s, --scopes <scopes...>',
      'what it may do; to submit and to read its own results when not given',
    )
    .option('-r, --per-second <number>', 'requests per second', parseCount)
    .option('-b, --burst <number>', 'requests at once', parseCount)
    .action(async (name: string, options: Omit<NewAppOptions, 'name'>) => {
      const { createApp } = await import('../commands/apps.command.js');
      await createApp({ name, ...options });
    });
  apps
    .command('rotate')
    .description('make a new secret and print it, once')
    .argument('<clientId>', 'the x-client-id of the application')
    .option('--overlap <seconds>', 'how long the secret before it stays valid', parseSeconds, 86_400)
    .action(async (clientId: string, options: { overlap: number }) => {
      const { rotateSecret } = await import('../commands/apps.command.js');
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
        const { setAppEnabled } = await import('../commands/apps.command.js');
        await setAppEnabled(clientId, enabled);
      });
  }
  apps
    .command('list')
    .description('list the applications of an organisation in this environment')
    .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
    .action(async (options: { organisation: string }) => {
      const { listApps } = await import('../commands/apps.command.js');
      await listApps(options.organisation);
    });
}
