import type { Command } from 'commander';
import { print, parseShortName } from './options.js';

export function addPeople(program: Command): void {
  const keys = program
    .command('keys')
    .description('the keys of KEY_RING that wrap the data keys, and those of the indexes');
  keys
    .command('rotate')
    .description('wrap every data key under the first key of KEY_RING, while the service runs')
    .action(async () => {
      const { rotateKeys } = await import('../commands/keys.command.js');
      process.exitCode = await rotateKeys();
    });
  keys
    .command('check')
    .description('tell which keys of KEY_RING the stored data needs, and whether INDEX_KEY is the right one')
    .action(async () => {
      const { checkKeys } = await import('../commands/keys.command.js');
      process.exitCode = await checkKeys();
    });

  keys
    .command('rotate-index')
    .description('put INDEX_KEY_NEXT in the place of INDEX_KEY; stop the service when it asks for that')
    .action(async () => {
      const { rotateIndexKey } = await import('../commands/keys.command.js');
      process.exitCode = await rotateIndexKey();
    });

  keys
    .command('new <id>')
    .description(
      'print a new key of the ring, wrapped by the key service of KEY_SOURCE, for KEY_RING_WRAPPED',
    )
    .action(async (id: string) => {
      const { createKey } = await import('../commands/keys.command.js');
      await createKey(id);
    });

  const operators = program.command('operators').description('people who use the operator API');
  operators
    .command('setup-token')
    .description('print the token with which the first administrator of an organisation makes an account')
    .option('-o, --organisation <key>', 'short name; made when it does not exist', parseShortName, 'main')
    .action(async (options: { organisation: string }) => {
      const { printSetupToken } = await import('../commands/operators.command.js');
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
      const { inviteOperator } = await import('../commands/operators.command.js');
      await inviteOperator(email, options);
    });
  operators
    .command('disable')
    .description('let an operator in no longer; tokens are dead within a second')
    .argument('<email>', 'address of the operator')
    .option('-o, --organisation <key>', 'short name, where the address belongs to several')
    .action(async (email: string, options: { organisation?: string }) => {
      const { disableOperator } = await import('../commands/operators.command.js');
      await disableOperator(email, options.organisation);
    });
  operators
    .command('reset')
    .description('give a locked-out operator a new password and take the second factor away')
    .argument('<email>', 'address of the operator')
    .option('-o, --organisation <key>', 'short name, where the address belongs to several')
    .action(async (email: string, options: { organisation?: string }) => {
      const { resetOperator } = await import('../commands/operators.command.js');
      await resetOperator(email, options.organisation);
    });
  operators
    .command('login')
    .description('log a demo operator in at the running service and print the access token (ten minutes)')
    .argument('[name]', 'admin, officer, officer2, analyst, auditor or developer', 'admin')
    .action(async (who: string) => {
      const { demoLogin } = await import('#vigia/demo');
      print(await demoLogin(process.env['DATA_DIR'] ?? '.data', who));
    });

  operators
    .command('code')
    .description('print what a demo operator types to sign in at the console, with the code of this moment')
    .argument('[name]', 'admin, officer, officer2, analyst, auditor or developer', 'analyst')
    .action(async (who: string) => {
      const { demoSignIn } = await import('#vigia/demo');
      print(demoSignIn(process.env['DATA_DIR'] ?? '.data', who));
    });

  const organisations = program
    .command('organisations')
    .description('the institutions that everything belongs to');
  organisations
    .command('quota')
    .description('show the limits of an organisation, or set one')
    .argument('<key>', 'short name of the organisation')
    .argument('[name]', 'name of the limit')
    .argument('[value]', 'a number, or default')
    .action(async (key: string, name?: string, value?: string) => {
      const { organisationQuota } = await import('../commands/quotas.command.js');
      await organisationQuota(key, name, value);
    });
  organisations
    .command('single-handed')
    .description(
      'declare that one person alone may close cases with an approval, or with --end that nobody may',
    )
    .argument('<key>', 'short name of the organisation')
    .option('--end', 'take the declaration back')
    .action(async (key: string, { end = false }: { end?: boolean }) => {
      const { allowSingleControl } = await import('../commands/operators.command.js');
      await allowSingleControl(key, !end);
    });
  organisations
    .command('add')
    .description('make an organisation')
    .argument('<key>', 'short name, such as acme', parseShortName)
    .option('-n, --name <name>', 'full name')
    .action(async (key: string, options: { name?: string }) => {
      const { addOrganisation } = await import('../commands/operators.command.js');
      await addOrganisation(key, options.name ?? key);
    });
}
