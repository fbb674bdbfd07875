import type { Command } from 'commander';
import type { TryInputsOptions } from '../commands/inputs.command.js';
import { parseCount, parseInputs } from './options.js';

const WITHOUT = [
  '-w, --without <inputs>',
  'what is not sent: dict, device, profile, counterparty-document, separated by commas, or none; asked when not given',
] as const;

export function addInputs(program: Command): void {
  const inputs = program.command('inputs').description('what applications send, and what that costs');
  inputs
    .command('try')
    .description('four questions, and what the answers cost on a made-up stream; needs no running service')
    .option(...WITHOUT, parseInputs)
    .option('-r, --ruleset <name>', 'as for "rules simulate"; br-starter when not given')
    .option('-o, --organisation <key>', 'whose ruleset key@version is', 'demo')
    .action(async (options: TryInputsOptions) => {
      const { tryInputs } = await import('../commands/inputs.command.js');
      await tryInputs(options);
    });
  inputs
    .command('set')
    .description('say what an application does not send: its transactions are judged without')
    .argument('<clientId>', 'the x-client-id of the application')
    .option(...WITHOUT, parseInputs)
    .option('-r, --ruleset <name>', 'as for "rules simulate"; br-starter when not given')
    .option('-o, --organisation <key>', 'whose ruleset key@version is', 'demo')
    .action(async (clientId: string, options: TryInputsOptions) => {
      const { setInputs } = await import('../commands/inputs.command.js');
      process.exitCode = await setInputs(clientId, options);
    });
  inputs
    .command('list')
    .description(
      'which inputs came in the last days, by application, and what the missing ones cost in REVIEW',
    )
    .option('-o, --organisation <key>', 'short name of the organisation', 'demo')
    .option('-n, --days <number>', 'how many days', parseCount, 7)
    .action(async ({ organisation, days }: { organisation: string; days: number }) => {
      const { listInputs } = await import('../commands/inputs.command.js');
      await listInputs(organisation, days);
    });
}
