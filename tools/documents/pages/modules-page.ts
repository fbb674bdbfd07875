import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Source {
  /** Relative to `src`, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** The files in `src` itself: they put the modules together. */
const ROOT = 'app';

/** Descriptions of folders without an index.ts, whose opening lines would describe them. */
const WITHOUT_INDEX: Readonly<Record<string, string>> = {
  [ROOT]: 'The files in `src` itself: the module of all modules, and the start.',
  bootstrap: 'Makes the application, starts and stops it, and describes its API.',
  cli: 'The commands of `npm run vigia`.',
};

/** docs/generated/modules.md, from the imports between the folders of `src`. */
export function modulesMarkdown(sourceDir: string): string {
  const sources = sourcesIn(sourceDir);
  const imports = importsBetweenModules(sources);
  const modules = [...imports.keys()].sort();
  const platform = foldersIn(path.join(sourceDir, 'platform'));
  const others = modules.filter((name) => !platform.includes(name));
  return [
    '# Modules',
    '',
    'Generated from the imports in `src` by `npm run docs`. A module is a folder of `src/platform` or `src/features`; an arrow means "imports". `npm run check` refuses every arrow that `.dependency-cruiser.cjs` does not allow. Not drawn: `ormconfig.ts`, the list of entities for TypeORM, which imports them from all; and `launcher/` (npm start), which lies beside `src`: nothing in `src` imports it.',
    '',
    '## Features and what starts them',
    '',
    'All of these import from the platform as well; the table below says what.',
    '',
    ...diagram(others, imports),
    '',
    '## Platform',
    '',
    ...diagram(platform, imports),
    '',
    '## What each module is for',
    '',
    '| module | what it is for | imports |',
    '|---|---|---|',
    ...[...others, ...platform].map((name) => row(name, imports.get(name) ?? new Set(), sourceDir)),
    '',
  ].join('\n');
}

const foldersIn = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

function sourcesIn(dir: string): Source[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(dir, file), 'utf8') }));
}

function importsBetweenModules(sources: readonly Source[]): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const { file, text } of sources) {
    const from = moduleOf(file);
    const found = imports.get(from) ?? new Set();
    imports.set(from, found);
    for (const [, plain, lazy] of text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)) {
      const target = path.posix.join(path.posix.dirname(file), plain ?? lazy ?? '');
      // ormconfig.ts lies outside.
      if (!target.startsWith('..') && moduleOf(target) !== from) found.add(moduleOf(target));
    }
  }
  return imports;
}

function moduleOf(file: string): string {
  const [first = '', second = '', ...rest] = file.split('/');
  if (second === '') return ROOT;
  return rest.length > 0 && (first === 'platform' || first === 'features') ? second : first;
}

/** The arrows among these modules. */
function diagram(modules: readonly string[], imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const arrows = modules.flatMap((from) =>
    modules.filter((to) => imports.get(from)?.has(to)).map((to) => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...modules.map((name) => `  ${name}`), ...arrows, '```'];
}

function row(name: string, targets: ReadonlySet<string>, sourceDir: string): string {
  const index = ['platform', 'features']
    .map((storey) => path.join(sourceDir, storey, name, 'index.ts'))
    .find((file) => existsSync(file));
  const purpose = WITHOUT_INDEX[name] ?? (index === undefined ? '' : openingOf(readFileSync(index, 'utf8')));
  return `| \`${name}\` | ${purpose} | ${[...targets].sort().join(', ') || 'nothing'} |`;
}

/** The comment that an index.ts opens with: what the module owns and what it promises. */
function openingOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join(' ');
}
