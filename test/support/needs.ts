import { spawnSync } from 'node:child_process';
import { describe, it } from '@jest/globals';
import { chromiumPath } from './browser-path.js';
import { jitPostgresBin } from './jit-postgres.js';

interface Installable {
  /** Says whether it is installed here. */
  readonly isThere: () => boolean;
  /** Debian's packages. */
  readonly packages: string;
}

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const isOnPath = (command: string): boolean => runs('sh', '-c', `command -v ${command}`);
const named = process.env['PROMTOOL'];
/** The path or the name of Prometheus' program for rules. */
export const promtool = named === undefined || named === '' ? 'promtool' : named;

const programs = {
  chromium: { isThere: () => chromiumPath !== null, packages: 'chromium' },
  go: { isThere: () => isOnPath('go'), packages: 'golang-go' },
  javac: { isThere: () => isOnPath('javac'), packages: 'default-jdk-headless' },
  jit: { isThere: () => jitPostgresBin !== null, packages: 'postgresql' },
  mcs: { isThere: () => isOnPath('mcs'), packages: 'mono-mcs mono-runtime libmono-system-core4.0-cil' },
  namespaces: {
    isThere: () => runs('unshare', '--map-root-user', '--mount', 'true'),
    packages: 'util-linux, and a kernel that lets everybody make user namespaces',
  },
  openssl: { isThere: () => isOnPath('openssl'), packages: 'openssl' },
  php: { isThere: () => isOnPath('php'), packages: 'php-cli' },
  promtool: {
    isThere: () => isOnPath(promtool),
    packages: 'prometheus',
  },
  python3: { isThere: () => isOnPath('python3'), packages: 'python3' },
  wheel: {
    isThere: () => runs('python3', '-c', 'import setuptools, wheel, venv, pip'),
    packages: 'python3-setuptools python3-wheel python3-venv python3-pip',
  },
  redis: {
    isThere: () => process.env['TEST_REDIS_URL'] !== undefined,
    packages: 'redis-server, or REDIS_URL',
  },
} satisfies Record<string, Installable>;

export type Program = keyof typeof programs;

const isFirst = process.env['VIGIA_PART'] === 'first';

const nothing = Object.assign(() => undefined, { each: () => () => undefined });

/** Adds a test or a block that test/support/environment.mjs keeps when the file runs again in a part. */
function marked<T extends typeof it | typeof describe>(add: T, mark: 'again' | 'promised'): T {
  const world = globalThis as { vigiaMark?: string | undefined };
  const during = <R>(call: () => R): R => {
    const before = world.vigiaMark;
    world.vigiaMark = before === undefined ? mark : `${before} ${mark}`;
    try {
      return call();
    } finally {
      world.vigiaMark = before;
    }
  };
  type Call = (...args: unknown[]) => unknown;
  const each = add.each as unknown as (...table: unknown[]) => Call;
  return Object.assign((...args: unknown[]) => during(() => (add as unknown as Call)(...args)), {
    each:
      (...table: unknown[]) =>
      (...args: unknown[]) =>
        during(() => each(...table)(...args)),
  }) as unknown as T;
}

/**
 * As `it`, for a test that does more in a later part. A file that stands under `again` of a part runs there what is marked
 * by this, `later` or `laterBlock`, or all of it when nothing is marked.
 */
export const again = marked(it, 'again');

/** As `it`, for a test that holds a promised time or a whole size: of its file, the part `promises` runs only these. */
export const promised = marked(it, 'promised');

/** As `it`, for a test that is too long for the first stage, in a file of it; the file stands under `again` in test/stages.mjs. */
export const later = (isFirst ? nothing : again) as typeof it;

/** Both: it is too long for the first stage, and holds a promise. */
export const promisedLater = (isFirst ? nothing : marked(later, 'promised')) as typeof it;

/** As `describe`, for a block with a set-up of its own. */
export const laterBlock = (isFirst ? nothing : marked(describe, 'again')) as typeof describe;

/** All of them, or so many in the first stage, spread evenly; the file stands under `again` in test/stages.mjs. */
export const someInFirst = <T>(all: readonly T[], count: number): readonly T[] =>
  isFirst ? Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T) : all;

/** So many runs of a property, a tenth of them in the first stage; the file stands under `again` in test/stages.mjs. */
export const runsInPart = (many: number): number => (isFirst ? Math.ceil(many / 10) : many);

/** The first stage does with Node alone; the other languages belong to a part of their own. */
export const withOtherLanguages = !isFirst;

/** A title and what it stands for, as Jest's `it` and `describe` take them. */
interface Needing {
  readonly it: (title: string, test: () => void | Promise<void>, timeoutMs?: number) => void;
  readonly describe: (title: string, tests: () => void) => void;
}

/**
 * `it` and `describe` for tests that use programs which are not everywhere. Where one is missing they are skipped, and the
 * end of the run lists them; with CI=true they fail and name the package, so that nothing is skipped unseen.
 */
export function needs(...names: readonly Program[]): Needing {
  const missing = names.filter((name) => !programs[name].isThere());
  if (missing.length === 0) return { it, describe };
  const reason = missing.map((name) => `${name} (Debian: ${programs[name].packages})`).join(', ');
  const notRun = (title: string): void => {
    if (process.env['CI'] === 'true') {
      it(title, () => {
        throw new Error(`not installed: ${reason}`);
      });
    } else it.skip(`${title}: needs ${reason}`, () => undefined);
  };
  return { it: notRun, describe: notRun };
}
