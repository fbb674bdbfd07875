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
