#!/usr/bin/env node
import { Command } from 'commander';
import { addIntegratorCommands } from './program.js';

const program = new Command('vigia')
  .description('Vigia for integrators; speaks HTTP only')
  .version('0.1.0')
  .showHelpAfterError();
addIntegratorCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
