import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The flags of the engine in a command. */
export const flagsOf = (command: string): string[] => command.match(/--[\w=-]+/g) ?? [];

/** The scripts of package.json. */
export const scripts = (): Readonly<Record<string, string>> =>
  (
    JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    }
  ).scripts;

/** Those of `npm run start:prod`. */
export const productionFlags = (): string[] => flagsOf(scripts()['start:prod'] ?? '');

/** Returns Node's arguments to run a program of `src`, which this run has compiled from the sources in front of it. */
export const fromSource = (program: 'main.ts' | 'cli/main.ts'): string[] => [
  path.join(process.env['TEST_COMPILED_DIR'] ?? '', 'dist/src', program.replace(/\.ts$/, '.js')),
];
