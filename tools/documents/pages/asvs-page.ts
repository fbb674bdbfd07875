import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asvsTags } from './asvs-tags.js';

const STATES = ['met', 'partly met', 'not met', 'not applicable'] as const;
const ROW = /^\| (\d+\.\d+\.\d+) \|/;

/**
 * docs/generated/asvs.md as the tests say it: what an item asks for, its state and how are kept as they stand there; which tests
 * show it is written anew from their tags, after the pages of these docs that the row names; so are the counts.
 */
export function asvsPage(root: string): string {
  const shown = new Map<string, string[]>();
  for (const { file, title, items } of asvsTags(root)) {
    for (const item of items) {
      shown.set(item, [...(shown.get(item) ?? []), `\`${file}\`: “${title.replaceAll('|', '\\|')}”`]);
    }
  }
  const counts = new Map<string, number>();
  const lines = readFileSync(path.join(root, 'docs/generated/asvs.md'), 'utf8')
    .split('\n')
    .map((line) => {
      const item = ROW.exec(line)?.[1];
      if (item === undefined) return line;
      const [asks = '', state = '', how = '', evidence = ''] = cellsOf(line).slice(1);
      counts.set(state, (counts.get(state) ?? 0) + 1);
      const pages = evidence.split('<br>').filter((one) => one !== '' && !one.includes('.spec.ts`'));
      return `| ${[item, asks, state, how, [...pages, ...(shown.get(item) ?? [])].join('<br>')].join(' | ')} |`;
    });
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const told = STATES.map((state) => `${counts.get(state) ?? 0} ${state}`).join(', ');
  return lines
    .map((line) => line.replace(/^\d+ items: .*? not applicable\./, `${all} items: ${told}.`))
    .join('\n');
}

export const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
