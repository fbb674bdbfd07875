import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const root = path.resolve(import.meta.dirname, '../..');
const { forbidden } = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as {
  forbidden: (IForbiddenRuleType & { name: string })[];
};
/** The folder of `src/features` that the rule of this name is about. */
const about = ({ from }: IForbiddenRuleType): string =>
  /^\^src\/features\/([a-z-]+)\/$/.exec(String(from.path))?.[1] ?? '';

const foldersOf = (storey: string): string[] =>
  readdirSync(path.join(root, storey), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('The folders of src', () => {
  it('are the bootstrap, the features, the platform and the command line', () => {
    expect(foldersOf('src').sort()).toEqual(['bootstrap', 'cli', 'features', 'platform']);
    expect(readdirSync(path.join(root, 'src')).filter((name) => name.endsWith('.ts'))).toEqual([
      'app.module.ts',
      'main.ts',
      'sheets.ts',
    ]);
  });

  it('have each an arrow in .dependency-cruiser.cjs, if they are features', () => {
    const features = forbidden.filter(({ name }) => name.endsWith('-arrows')).map(about);
    expect(features.sort()).toEqual(foldersOf('src/features').sort());
  });

  it.each(['platform', 'features'])('are named in docs/architecture.md: %s', (storey) => {
    const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
    const listed = text.split('\n').find((line) => line.startsWith(`- \`src/${storey}\``)) ?? '';
    expect(foldersOf(`src/${storey}`).filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  });
});

/** The rules that a tree of files breaks, each with the file that breaks it; a file imports those named beside it. */
async function broken(
  names: RegExp,
  folder: string,
  files: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const baseDir = mkdtempSync(path.join(tmpdir(), 'layers-'));
  try {
    for (const [file, imports] of Object.entries(files)) {
      const full = path.join(baseDir, folder, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(
        full,
        imports.map((name) => `import type { X } from '${name}';\nexport type Y = X;`).join(''),
      );
    }
    const rules = forbidden.filter(({ name }) => names.test(name));
    const options = { baseDir, validate: true, tsPreCompilationDeps: true, ruleSet: { forbidden: rules } };
    const { output } = (await cruise(readdirSync(baseDir), options)) as { output: ICruiseResult };
    return output.summary.violations
      .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`.replaceAll(folder, ''))
      .sort();
  } finally {
    rmSync(baseDir, { recursive: true });
  }
}

describe('The layers of a feature', () => {
  const brokenIn = (files: Readonly<Record<string, readonly string[]>>): Promise<string[]> =>
    broken(/-knows?-no-(layer|api)$/, 'src/features/fx/', files);

  it('are in order when each imports those below it', async () => {
    expect(
      await brokenIn({
        'domain/rate.ts': [],
        'store/rate.entity.ts': ['../domain/rate.js'],
        'imports/importer.service.ts': ['../store/rate.entity.js', '../domain/rate.js'],
        'api/rates.view.dto.ts': ['../imports/importer.service.js', '../domain/rate.js'],
        'jobs/rates.processor.ts': ['../imports/importer.service.js'],
        'fx.module.ts': ['./api/rates.view.dto.js', './jobs/rates.processor.js'],
        'index.ts': ['./api/rates.view.dto.js'],
      }),
    ).toEqual([]);
  });

  it('are refused when one imports a layer above it', async () => {
    const above = { 'api/rates.view.dto.ts': [], 'store/rate.entity.ts': [], 'jobs/rates.processor.ts': [] };
    expect(
      await brokenIn({
        ...above,
        'domain/rate.ts': ['../api/rates.view.dto.js'],
        'domain/row.ts': ['../store/rate.entity.js'],
        'domain/work.ts': ['../jobs/rates.processor.js'],
        'store/rates.queries.ts': ['../api/rates.view.dto.js'],
        'rates.service.ts': ['./api/rates.view.dto.js'],
        'imports/importer.service.ts': ['../jobs/rates.processor.js'],
      }),
    ).toEqual([
      'domain-knows-no-layer: domain/rate.ts -> api/rates.view.dto.ts',
      'domain-knows-no-layer: domain/row.ts -> store/rate.entity.ts',
      'domain-knows-no-layer: domain/work.ts -> jobs/rates.processor.ts',
      'services-know-no-api: imports/importer.service.ts -> jobs/rates.processor.ts',
      'services-know-no-api: rates.service.ts -> api/rates.view.dto.ts',
      'store-knows-no-api: store/rates.queries.ts -> api/rates.view.dto.ts',
    ]);
  });
});

describe('The tools and what is for integrators', () => {
  const rules = /^(service-knows-no-tools|only-commands-play|sdk-knows-no-service)$/;

  it('are taken as they may be', async () => {
    expect(
      await broken(rules, '', {
        'src/platform/index.ts': [],
        'tools/demo/index.ts': ['../../src/platform/index.js'],
        'src/cli/main.ts': ['../../tools/demo/index.js', '../../sdk/site/src/index.js'],
        'sdk/site/src/index.ts': ['./layout.js'],
        'sdk/site/src/layout.ts': [],
      }),
    ).toEqual([]);
  });

  it('are refused inside of the service, past their names, and when they know the service', async () => {
    expect(
      await broken(rules, '', {
        'src/platform/index.ts': ['../../tools/streams/index.js'],
        'tools/streams/index.ts': [],
        'tools/streams/dice.ts': [],
        'src/cli/main.ts': ['../../tools/streams/dice.js'],
        'sdk/site/src/index.ts': ['../../../src/platform/index.js'],
      }),
    ).toEqual([
      'only-commands-play: src/platform/index.ts -> tools/streams/index.ts',
      'sdk-knows-no-service: sdk/site/src/index.ts -> src/platform/index.ts',
      'service-knows-no-tools: src/cli/main.ts -> tools/streams/dice.ts',
    ]);
  });
});
