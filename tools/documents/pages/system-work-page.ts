import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemWork } from '../../../src/platform/database/index.js';

/** docs/generated/system-work.md, from the list of reasons and the places in the sources that give them. */
export function systemWorkMarkdown(sources: string): string {
  const uses = usesIn(sources);
  const rows = Object.entries(systemWork).map(([reason, why]) => {
    const files = uses.get(reason);
    if (!files) throw new Error(`nobody works under the reason ${reason}: take it off the list`);
    return `| \`${reason}\` | ${why} | ${files.map((file) => `\`${file}\``).join(', ')} |`;
  });
  return [
    '# Work across organisations',
    '',
    'Generated from `src/platform/database/connection/system-work.ts` and its uses by `npm run docs`.',
    '',
    'Row-level security shows every piece of work the rows of its own organisations only. What has to look further says so with one of these reasons, in the code (`system(reason)`) and in the database session (`vigia.system`); the compiler accepts no other. [security.md](../security.md#organisations) says how.',
    '',
    '| reason | why | where |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Which files name which reason, relative to the sources. */
function usesIn(sources: string): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|^database\/|^cli\/system-work-page/.test(file))
    .sort();
  for (const file of files) {
    const text = readFileSync(path.join(sources, file), 'utf8');
    for (const reason of new Set(
      [...text.matchAll(/\bsystem\('([^']+)'\)/g)].map((match) => match[1] ?? ''),
    )) {
      uses.set(reason, [...(uses.get(reason) ?? []), file]);
    }
  }
  return uses;
}
