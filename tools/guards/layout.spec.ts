import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const MAX_FILES = 12;
const MAX_LINES = 400;
const MAX_DEPENDENCIES = 9;

/** Exemptions, each with its reason. One that is no longer needed fails as well. */
const CROWDED = {
  'src/platform/database/migrations': 'data: one file per module, and one for every change since',
};
const LONG = {
  'src/features/audit/verify/verify.mjs': 'one file on purpose: an auditor receives it and reads it alone',
  'src/features/rules/language/feature-schema.ts': 'a table: one row per field of the rules',
  'src/features/screening/domain/names/words/vocabulary.ts': 'a table: words of names',
  'src/platform/config/settings.ts': 'a table: one entry per setting',
  'src/platform/kernel/error-codes.ts': 'a table: one entry per error',
};
/** Tools which every module may take, and the assembly of the modules. */
const PLATFORM = /^src\/(bootstrap|platform)\//;
/** Files that say another kind than a use case by the end of their name. */
const KINDS =
  /[.-](audit|contract|controller|lane|metrics|processor|queries|repository|service|store|trail)\.ts$/;
// Callers from outside: HTTP, the queue and the command line.
const DOORS = /\.(controller|lane|processor|command)\.ts$/;

interface Source {
  readonly file: string;
  readonly text: string;
}

interface FoundClass {
  readonly name: string;
  readonly file: string;
  readonly dependencies: readonly string[];
  /** Decorators of the class and of its methods. */
  readonly decorators: readonly string[];
}

const sources: Source[] = ['src', 'sdk/site', 'launcher', 'tools', 'web/src'].flatMap((top) =>
  readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.(tsx?|mjs|css|svg|json|py)$/.test(file))
    .map((file) => path.posix.join(top, file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') })),
);

function crowded(files: readonly string[]): string[] {
  const rooms = new Map<string, number>();
  for (const file of files) {
    const room = path.posix.dirname(file);
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  return [...rooms].filter(([, count]) => count > MAX_FILES).map(([room]) => room);
}

const long = (given: readonly Source[]): string[] =>
  given
    .filter(({ file }) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith('src/platform/database/migrations/'))
    .filter(({ text }) => text.split('\n').length - 1 > MAX_LINES)
    .map(({ file }) => file);

const decoratorsOf = (node: ts.Node): string[] =>
  (ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : []).map(
    ({ expression }) => /^\w+/.exec(expression.getText())?.[0] ?? '',
  );

function classesOf({ file, text }: Source): FoundClass[] {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundClass[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node) && node.name) {
      found.push({
        name: node.name.text,
        file,
        dependencies: (node.members.find(ts.isConstructorDeclaration)?.parameters ?? []).map(
          ({ type }) => type?.getText().replace(/^Pick<(\w+).*/s, '$1') ?? '',
        ),
        decorators: [...decoratorsOf(node), ...node.members.flatMap(decoratorsOf)],
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

const greedy = (classes: readonly FoundClass[]): string[] =>
  classes.filter(({ dependencies }) => dependencies.length > MAX_DEPENDENCIES).map(({ name }) => name);

/** Decorators of methods that others find: periodic work, and registrations for another module. */
const registrations = (given: readonly Source[]): string[] => [
  'Periodic',
  ...given.flatMap(({ text }) =>
    [...text.matchAll(/^export const (\w+) =\s+registration</gm)].map(([, name = '']) => name),
  ),
];

/** Use cases: classes that HTTP, the queue or the command line take, and those that a clock or another module calls. */
function misnamed(classes: readonly FoundClass[], given: readonly Source[]): string[] {
  const called = new Set([
    ...classes.filter(({ file }) => DOORS.test(file)).flatMap(({ dependencies }) => dependencies),
    ...given
      .filter(({ file }) => DOORS.test(file))
      .flatMap(({ text }) => [...text.matchAll(/\.get\((\w+)\)/g)].map(([, name = '']) => name)),
  ]);
  const found = new Set(registrations(given));
  return classes
    .filter(({ decorators }) => decorators.includes('Injectable'))
    .filter(
      ({ name, file, decorators }) =>
        (called.has(name) && !PLATFORM.test(file)) || decorators.some((decorator) => found.has(decorator)),
    )
    .filter(({ file }) => !KINDS.test(file))
    .map(({ name, file }) => `${name} (${file})`);
}

/** `x.service.ts` holds an `XService`, and so on; a file may hold the controllers of several callers. */
const unlikeFile = (classes: readonly FoundClass[]): string[] =>
  classes.flatMap(({ name, file, decorators }) => {
    const [, stem = '', role] =
      /([^/]+)\.(controller|processor|queries|repository|service)\.ts$/.exec(file) ?? [];
    if (role === undefined || !file.startsWith('src/features/')) return [];
    const expected = `${stem}-${role}`.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
    const fits =
      role === 'controller'
        ? name.endsWith('Controller') || !decorators.includes('Controller')
        : name === expected || !['Injectable', 'Processor'].some((found) => decorators.includes(found));
    return fits ? [] : [`${name} (${file})`];
  });

describe('the layout of the sources', () => {
  const classes = sources.filter(({ file }) => file.endsWith('.ts')).flatMap(classesOf);

  it('has rooms of at most a dozen files', () => {
    expect(crowded(sources.map(({ file }) => file))).toEqual(Object.keys(CROWDED));
  });

  it('has no file over 400 lines that is not a table', () => {
    expect(long(sources).sort()).toEqual(Object.keys(LONG));
  });

  it('has no class that takes more than nine others', () => {
    expect(greedy(classes)).toEqual([]);
  });

  it('has its use cases in *.service.ts', () => {
    expect(misnamed(classes, sources)).toEqual([]);
  });

  it('names the class of a file after its role', () => {
    expect(unlikeFile(classes)).toEqual([]);
  });

  it('is refused when a rule is broken', () => {
    const many = Array.from({ length: MAX_FILES + 1 }, (_, i) => `src/features/fx/${i}.ts`);
    expect(crowded(many)).toEqual(['src/features/fx']);
    expect(long([{ file: 'src/features/fx/a.ts', text: '\n'.repeat(MAX_LINES + 1) }])).toEqual([
      'src/features/fx/a.ts',
    ]);
    const planted = [
      { file: 'src/features/fx/registry.ts', text: 'export const Told =\n  registration<() => void>();' },
      {
        file: 'src/features/fx/api/fx.controller.ts',
        text: "class A { constructor(readonly rates: Pick<Rates, 'of'>, @Inject(X) private x: Store) {} }",
      },
      { file: 'src/features/fx/rates.ts', text: '@Injectable() class Rates {}' },
      { file: 'src/features/fx/store/fx.repository.ts', text: '@Injectable() class Store {}' },
      { file: 'src/features/fx/clock.ts', text: '@Injectable() class Clock { @Periodic({}) look() {} }' },
      { file: 'src/features/fx/teller.ts', text: '@Injectable() class Teller { @Told() tell() {} }' },
      { file: 'src/features/fx/cli/fx.command.ts', text: 'class C { run() { app.get(Importer); } }' },
      { file: 'src/features/fx/importer.ts', text: '@Injectable() class Importer {}' },
      { file: 'src/features/fx/part.ts', text: `class Part { constructor(${'a: A, '.repeat(10)}) {} }` },
    ];
    const found = planted.flatMap(classesOf);
    expect(misnamed(found, planted)).toEqual([
      'Rates (src/features/fx/rates.ts)',
      'Clock (src/features/fx/clock.ts)',
      'Teller (src/features/fx/teller.ts)',
      'Importer (src/features/fx/importer.ts)',
    ]);
    expect(greedy(found)).toEqual(['Part']);
    const named = [
      { file: 'src/features/fx/rates.service.ts', text: '@Injectable() class Rates {}' },
      { file: 'src/features/fx/rate-imports.service.ts', text: '@Injectable() class RateImportsService {}' },
      { file: 'src/features/fx/api/fx.controller.ts', text: '@Controller() class RatesResource {}' },
      { file: 'src/features/fx/jobs/fx.processor.ts', text: "@Processor('fx') class FxWork {}" },
    ];
    expect(unlikeFile(named.flatMap(classesOf))).toEqual([
      'Rates (src/features/fx/rates.service.ts)',
      'RatesResource (src/features/fx/api/fx.controller.ts)',
      'FxWork (src/features/fx/jobs/fx.processor.ts)',
    ]);
  });
});
