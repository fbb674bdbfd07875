/**
 * `npm run test:attacks -- --targets FILE [--only NAME]`: each script of `attacks` against a running service. The file says
 * where it is and has the credentials of two of its organisations, one that attacks and one that is attacked;
 * docs/security-testing.md shows one. Ends with 1 when something gave way.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { targets: { type: 'string' }, only: { type: 'string', default: '' } },
});
if (options.targets === undefined) throw new Error('--targets FILE is missing');
const targets = JSON.parse(readFileSync(options.targets, 'utf8'));

const folder = new URL('attacks/', import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file !== 'calls.mjs' && file.includes(options.only))
  .sort();
if (names.length === 0) throw new Error(`there is no attack ${options.only}`);

for (const name of names) {
  const { tries, attack } = await import(new URL(name, folder).href);
  process.stdout.write(`${name}: ${tries}\n`);
  const findings = await attack(targets);
  for (const one of findings) process.stdout.write(`  FOUND: ${one}\n`);
  if (findings.length > 0) process.exitCode = 1;
}
