import { matchesOf, parts } from './test/stages.mjs';
import { ofTests } from './test/support/compiled-tree.mjs';
import { swcOptions } from './test/support/swc-options.mjs';
import { namedSources } from './test/support/typescript-hooks.mjs';

// Loaded once per worker by Node, as the product's own modules are: see test/support/loaded-once.mjs.
const PURE = '(fast-check|pure-rand)';
const MODULES = '(@nestjs|fast-check|pure-rand)';
const COMMON_JS =
  '(typeorm|pg|bull|ioredis|express|supertest|sharp|pdfkit|class-validator|class-transformer)';

/** ESM through SWC; `npm run jest` gives Node the flags that it needs. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // A package may have its data both as `x.json` and as the module `x.json.js`.
    '^(\\.{1,2}/.*(?<!\\.json))\\.js$': '$1',
    ...Object.fromEntries(Object.entries(namedSources).map(([name, file]) => [`^${name}$`, file])),
  },
};

const unshared = (...names) => [`/node_modules/(?!${names.map((name) => `${name}/`).join('|')})`];
const packages = {
  [`/node_modules/${MODULES}/.+\\.js$`]: '<rootDir>/test/support/loaded-once.mjs',
  [`/node_modules/${COMMON_JS}/.+\\.js$`]: '<rootDir>/test/support/required-once.mjs',
};
const typescript = { '^.+\\.ts$': ['@swc/jest', swcOptions] };

// A part of test/stages.mjs; all files that are named on the command line, whatever their part, with `any`.
const part = process.env.VIGIA_PART ?? 'any';
const matches = (folder) =>
  part === 'any' ? { testMatch: [`<rootDir>/${folder}/**/*.spec.ts`] } : matchesOf(part, folder);
const project = (folder, options) => {
  const match = matches(folder);
  return match ? [{ ...common, ...options, ...match }] : [];
};

/** Pure: its modules are loaded for each file, as Jest does. */
const unit = {
  displayName: 'unit',
  transform: { [`/node_modules/${PURE}/.+\\.js$`]: '<rootDir>/test/support/loaded-once.mjs', ...typescript },
  transformIgnorePatterns: unshared(PURE),
};

export default {
  maxWorkers: parts[part]?.alone ? 1 : '100%',
  // The modules of a file stay in memory after it; a worker that holds too many is replaced by a fresh one.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // What hangs is heard of in a minute. A machine that does other work too makes no test fail.
  testTimeout: part === 'first' ? 60_000 : 300_000,
  projects: [
    ...project('src', unit),
    ...project('tools', unit),
    ...project('test', {
      displayName: 'stack',
      transform: {
        [`^${import.meta.dirname}/(src/(?!.*\\.spec\\.ts$).+\\.ts|${ofTests.join('|')})$`]:
          '<rootDir>/test/support/loaded-once.mjs',
        ...packages,
        ...typescript,
      },
      transformIgnorePatterns: unshared(MODULES, COMMON_JS),
      testEnvironmentOptions: { oneWorld: true },
      globalSetup: '<rootDir>/test/global-setup.mjs',
      globalTeardown: '<rootDir>/test/global-teardown.mjs',
    }),
  ],
};
