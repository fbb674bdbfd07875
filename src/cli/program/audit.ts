import type { Command } from 'commander';
import type { PackageOptions, PruneOptions, LogRestartOptions } from '../commands/audit/audit.command.js';
import type { WitnessOptions } from '../commands/audit/witness.command.js';

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('the audit trail and its signed log');
  audit
    .command('trail')
    .description('judge the trail of a transaction: integrity and completeness')
    .argument('<transactionId>', "the integrator's transactionId")
    .option('-c, --client <id>', 'client id of the application', 'demo-app')
    .action(async (transactionId: string, options: { client: string }) => {
      const { showTrail } = await import('../commands/audit/audit.command.js');
      process.exitCode = await showTrail(transactionId, options.client);
    });
  audit
    .command('status')
    .description('the newest signed checkpoint of the log, and the keys that auditors pin')
    .option('-c, --client <id>', 'client id of an application of the organisation', 'demo-app')
    .action(async (options: { client: string }) => {
      const { showLog } = await import('../commands/audit/audit.command.js');
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
      const { writePackage } = await import('../commands/audit/audit.command.js');
      await writePackage(options);
    });
  audit
    .command('verify')
    .description(
      'verify a package; needs no running service. Exit status 0 verified, 1 tampered, 2 incomplete, 3 unverifiable, 4 not pinned',
    )
    .argument('<package>', 'the ZIP file, or the folder that it was unpacked into')
    .option('--pin <key>', 'the public key that you noted before')
    .option('--anchor <files...>', 'checkpoints that you kept: signed notes, or the JSON of webhooks')
    .option('--allow-unpinned', 'believe the package about its own key', false)
    .action(
      async (location: string, options: { pin?: string; anchor?: string[]; allowUnpinned: boolean }) => {
        const { verifyPackage } = await import('../commands/audit/verify.command.js');
        const pin = options.pin === undefined ? [] : ['--pin', options.pin];
        process.exitCode = verifyPackage([
          location,
          ...pin,
          ...(options.allowUnpinned ? ['--allow-unpinned'] : []),
          ...(options.anchor ?? []).flatMap((file) => ['--anchor', file]),
        ]);
      },
    );

  audit
    .command('prune')
    .description(
      'say which entries have been kept as long as they had to be (AUDIT_RETENTION_YEARS); with --apply end their keeping',
    )
    .option('-c, --client <id>', 'client id of an application of the organisation', 'demo-app')
    .option('--apply', 'delete them; their leaf hashes stay', false)
    .action(async (options: PruneOptions) => {
      const { pruneLog } = await import('../commands/audit/audit.command.js');
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
      const { witnessLog } = await import('../commands/audit/witness.command.js');
      process.exitCode = await witnessLog(options);
    });
  audit
    .command('restart-log')
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
    .action(async (options: LogRestartOptions) => {
      const { restartLog } = await import('../commands/audit/audit.command.js');
      await restartLog(options);
    });
}
