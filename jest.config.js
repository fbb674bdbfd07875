import { matchesOf, parts } from './test/stages.mjs';
import { ofTests } from './test/support/compiled-tree.mjs';
import { swcOptions } from './test/support/swc-options.mjs';
import { namedSources } from './test/support/typescript-hooks.mjs';

// Loaded once per worker by Node, as the product's own modules are: see test/support/loaded-once.mjs.
const PURE = '(fast-check|pure-rand)';
const MODULES = '(@nestjs|fast-check|pure-rand)';
const COMMON_JS =
  '(typeorm|pg|bull|ioredis|express|supertest|sharp|pdfkit|class-validator|class-transformer)';

const sources = `^${import.meta.dirname}/(src/(?!.*\\.spec\\.ts$).+\\.ts|${ofTests.join('|')})$`;
const unshared = (...names) => [`/node_modules/(?!${names.map((name) => `${name}/`).join('|')})`];
const typescript = { '^.+\\.ts$': ['@swc/jest', swcOptions] };
// Their modules are loaded for the file, as Jest does: its clock, its plain objects and its heap are those of that world only.
const APART = [
  'src/features/kyt/pipeline/immediate-evaluation.spec.ts',
  'src/platform/http/body/compiled-validation.spec.ts',
  'src/platform/http/body/validation.pipe.spec.ts',
  'src/platform/http/errors/error-view.spec.ts',
  'src/platform/http/fields/fields.spec.ts',
  'src/platform/kernel/work/batcher.spec.ts',
  'src/platform/kernel/work/long-work.spec.ts',
];

/** ESM through SWC; `npm run jest` gives Node the flags that it needs. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  testEnvironmentOptions: { oneWorld: true },
  transform: {
    [sources]: '<rootDir>/test/support/loaded-once.mjs',
    [`/node_modules/${MODULES}/.+\\.js$`]: '<rootDir>/test/support/loaded-once.mjs',
    [`/node_modules/${COMMON_JS}/.+\\.js$`]: '<rootDir>/test/support/required-once.mjs',
    ...typescript,
  },
  transformIgnorePatterns: unshared(MODULES, COMMON_JS),
  setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // A package may have its data both as `x.json` and as the module `x.json.js`.
    '^(\\.{1,2}/.*(?<!\\.json))\\.js$': '$1',
    ...Object.fromEntries(Object.entries(namedSources).map(([name, file]) => [`^${name}$`, file])),
  },
};

// A part of test/stages.mjs; all files that are named on the command line, whatever their part, with `any`.
const part = process.env.VIGIA_PART ?? 'any';
const matches = (folder) =>
  part === 'any' ? { testMatch: [`<rootDir>/${folder}/**/*.spec.ts`] } : matchesOf(part, folder);
const project = (folder, options) => {
  const match = matches(folder);
  return match ? [{ ...common, ...options, ...match }] : [];
};

const ownWorld = {
  testEnvironmentOptions: {},
  transform: { [`/node_modules/${PURE}/.+\\.js$`]: '<rootDir>/test/support/loaded-once.mjs', ...typescript },
  transformIgnorePatterns: unshared(PURE),
};

/** Pure tests, without servers. */
const units = (folder) =>
  project(folder, {
    displayName: 'unit',
    globalSetup: '<rootDir>/test/unit-setup.mjs',
    globalTeardown: '<rootDir>/test/unit-teardown.mjs',
  }).flatMap((unit) => {
    const apart = APART.map((name) => `<rootDir>/${name}`);
    const { testMatch, testPathIgnorePatterns = [] } = unit;
    return [
      { ...unit, testPathIgnorePatterns: [...testPathIgnorePatterns, ...apart] },
      ...(testMatch.some((pattern) => pattern.startsWith('<rootDir>/src/**'))
        ? [{ ...unit, ...ownWorld, testMatch: apart }]
        : []),
    ];
  });

export default {
  maxWorkers: parts[part]?.alone ? 1 : '100%',
  // The modules of a file stay in memory after it; a worker that holds too many is replaced by a fresh one.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // What hangs is heard of in a minute. A machine that does other work too makes no test fail.
  testTimeout: part === 'first' ? 60_000 : 300_000,
  projects: [
    ...units('src'),
    ...units('tools'),
    ...project('test', {
      displayName: 'stack',
      globalSetup: '<rootDir>/test/global-setup.mjs',
      globalTeardown: '<rootDir>/test/global-teardown.mjs',
    }),
  ],
};
