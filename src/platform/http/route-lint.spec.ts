import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const VERBS = ['Get', 'Post', 'Put', 'Patch', 'Delete'];
const ROUTE = `@Route.get('', forEverybody, { summary: '' })`;

/** Decorators of a class and of a method of it, by the name of the file. */
const controllers: Readonly<Record<string, readonly [string, string]>> = {
  ...Object.fromEntries(VERBS.map((verb) => [verb, [`@Controller('x')`, `@${verb}('y')`]])),
  excludedMethod: [`@Controller('x')`, `${ROUTE} @ApiExcludeEndpoint()`],
  excludedClass: [`@ApiExcludeController() @Controller('x')`, ROUTE],
  declared: [`@Controller('x')`, `@Route.get('y', forOperator(), { summary: '' })`],
  noRoute: ['@Controller()', `@OnEvent('x')`],
};

let folder: string;
/** Holds the complaints of `npm run check` about each. */
let complaints: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vigia-lint-'));
  for (const [name, [onClass, onMethod]] of Object.entries(controllers)) {
    const source = `${onClass}\nexport class AController {\n  ${onMethod}\n  list(): void {}\n}\n`;
    writeFileSync(path.join(folder, `${name}.ts`), source);
  }
  const config = path.join(folder, 'oxlint.json');
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [path.resolve('oxlint.house.mjs')],
      categories: { correctness: 'off' },
      rules: { 'house/routes-declare-access': 'error' },
    }),
  );
  const oxlint = path.resolve('node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '-c', config, '-f', 'json', folder], {
    encoding: 'utf8',
  });
  const { diagnostics, number_of_files: looked } = JSON.parse(stdout) as {
    diagnostics: { message: string; filename: string }[];
    number_of_files: number;
  };
  expect(looked).toBe(Object.keys(controllers).length);
  complaints = new Map(
    Object.keys(controllers).map((name) => [
      name,
      diagnostics.filter((one) => path.basename(one.filename) === `${name}.ts`).map(({ message }) => message),
    ]),
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('npm run check', () => {
  it.each(VERBS)(
    'fails for a route that is declared without Route, which asks who may call it: @%s',
    (verb) => {
      // ASVS 8.3.1
      expect(complaints.get(verb)).toEqual([expect.stringContaining('asks who may call it')]);
    },
  );

  it.each(['excludedMethod', 'excludedClass'])(
    'fails for a route that is kept out of the document: %s',
    (name) => {
      expect(complaints.get(name)).toEqual(['Every route stands in its OpenAPI document.']);
    },
  );

  it.each(['declared', 'noRoute'])(
    'passes one that is declared with Route, and methods that are no routes: %s',
    (name) => {
      expect(complaints.get(name)).toEqual([]);
    },
  );
});
