import { readdirSync, readFileSync } from 'node:fs';
import { swcOptions } from './test/support/swc-options.mjs';
import { namedSources } from './test/support/typescript-hooks.mjs';

/** ESM through SWC; `npm run jest` gives Node the flags that it needs. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    ...Object.fromEntries(Object.entries(namedSources).map(([name, file]) => [`^${name}$`, file])),
  },
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
};

/** The long tests, and those of the others that are longer, or hold promised times, with the machine for themselves. */
const heavy = () =>
  readdirSync(`${import.meta.dirname}/test`, { recursive: true })
    .map((name) => `${import.meta.dirname}/test/${name}`)
    .filter((file) => file.endsWith('.spec.ts'))
    .filter(
      (file) => file.includes('/heavy/') || /expectWithin\(|\bisHeavy\b/.test(readFileSync(file, 'utf8')),
    );

export default {
  maxWorkers: 2,
  // The modules of a file stay in memory after it; a worker that holds too many is replaced by a fresh one.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // A machine that does other work too makes no test fail.
  testTimeout: 300_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    {
      ...common,
      displayName: 'stack',
      ...(process.env.VIGIA_HEAVY === '1'
        ? { testMatch: heavy() }
        : process.env.VIGIA_FAULTS === '1'
          ? { testMatch: ['<rootDir>/test/faults/**/*.spec.ts'] }
          : {
              testMatch: ['<rootDir>/test/**/*.spec.ts'],
              testPathIgnorePatterns: ['<rootDir>/test/heavy/', '<rootDir>/test/faults/'],
            }),
      globalSetup: '<rootDir>/test/global-setup.mjs',
      globalTeardown: '<rootDir>/test/global-teardown.mjs',
    },
  ],
};
