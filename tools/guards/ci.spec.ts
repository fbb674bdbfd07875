import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

// The import of what leaves something out of the first stage.
const LEAVES_OUT =
  /import \{[^}]*\b(?:later|laterBlock|promisedLater|someInFirst|runsInPart)\b[^}]*\} from '[./]*(?:test\/)?support\/needs\.js'/;

describe('.ci/install-chromium', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-ci-'));
    // The usual programs, and no browser.
    for (const name of ['mktemp', 'rm', 'tail', 'sleep', 'chmod', 'cat']) {
      const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      program(name, `exec ${found} "$@"`);
    }
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const program = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  };

  /** An apt-get that notes how it was called. */
  const packageManager = (text: string): void => {
    program('apt-get', `echo "$*" >>${folder}/calls\n${text}`);
  };
  const calls = (): string[] => readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
  const run = (): { status: number | null; said: string } => {
    const env = { PATH: folder, PAUSE: '0' };
    const { status, stderr } = spawnSync('/bin/bash', ['.ci/install-chromium'], { encoding: 'utf8', env });
    return { status, said: stderr };
  };

  it('takes the Chromium that is there', () => {
    program('chromium', 'true');
    packageManager('exit 100');
    expect(run()).toEqual({ status: 0, said: '' });
    expect(() => calls()).toThrow('ENOENT');
  });

  it('installs one where there is none, also when the first two tries fail', () => {
    packageManager(
      `[ "$1" = update ] || [ $(cat ${folder}/calls | { n=0; while read -r _; do n=$((n + 1)); done; echo $n; }) -lt 6 ] || ` +
        `{ echo '#!/bin/bash' >${folder}/chromium; chmod +x ${folder}/chromium; }`,
    );
    expect(run()).toEqual({ status: 0, said: '' });
    const tried = ['update', 'install --yes --no-install-recommends chromium'];
    expect(calls()).toEqual([...tried, ...tried, ...tried]);
  });

  it('fails after three tries, and says why', () => {
    packageManager('[ "$1" = update ] || { echo "E: Unable to locate package chromium"; exit 100; }');
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said).toContain('it could not be installed:\nE: Unable to locate package chromium');
    expect(calls()).toHaveLength(6);
  });

  it('fails where there is nothing to install it with', () => {
    const { status, said } = run();
    expect(status).toBe(1);
    expect(said).toContain('there is no apt-get');
  });
});

describe('.ci/other-node', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-ci-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** A Node.js of that version in a folder of its own. */
  const node = (place: string, version: string, name = 'node'): string => {
    const bin = path.join(folder, place);
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, name), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
    return bin;
  };
  const found = (major: number, env: Record<string, string>): { status: number | null; folder: string } => {
    const { status, stdout } = spawnSync('/bin/bash', ['.ci/other-node', String(major)], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: folder, NVM_DIR: path.join(folder, '.nvm'), ...env },
    });
    return { status, folder: stdout.trim() };
  };

  it('finds a Node.js of the version in the folders that are named, on the PATH, and with nvm', () => {
    const [given, wrong] = [node('given', '91.1.0'), node('wrong', '92.0.1')];
    expect(found(91, { VIGIA_NODES: `${wrong}:${given}` })).toEqual({ status: 0, folder: given });
    const named = node('named', '93.0.0', 'node93');
    expect(found(93, { PATH: `${named}:/usr/bin:/bin` })).toEqual({ status: 0, folder: named });
    const kept = node('.nvm/versions/node/v94.2.0/bin', '94.2.0');
    expect(found(94, {})).toEqual({ status: 0, folder: kept });
  });

  it('says nothing, and fails, where there is none', () => {
    expect(found(95, { VIGIA_NODES: node('given', '91.1.0') })).toEqual({ status: 1, folder: '' });
  });
});

describe('test/unstable.mjs', () => {
  type Counts = Readonly<Record<string, { runs: number; seen: Record<string, number[]> }>>;
  interface Unstable {
    readonly WITHIN_RUNS: number;
    counted(counts: Counts, part: string, unstable: string[]): { counts: Counts; often: string[] };
  }

  let module: Unstable;

  beforeAll(async () => {
    module = (await import(pathToFileURL(path.resolve('test/unstable.mjs')).href)) as Unstable;
  });

  /** The files that fail a run of the part `first`, for each run that had these unstable ones. */
  const failing = (runs: readonly string[][]): string[][] => {
    let counts: Counts = {};
    return runs.map((unstable) => {
      const result = module.counted(counts, 'first', unstable);
      ({ counts } = result);
      return result.often;
    });
  };

  it('forgives a file twice, and not the third time', () => {
    expect(failing([['a'], [], ['a', 'b'], ['b'], ['a']])).toEqual([[], [], [], [], ['a']]);
    expect(failing([['a'], ['a'], ['a'], ['a']])).toEqual([[], [], ['a'], ['a']]);
  });

  it('forgets what was so many runs ago', () => {
    const quiet = Array.from({ length: module.WITHIN_RUNS - 2 }, () => []);
    expect(failing([['a'], ['a'], ...quiet, ['a']]).at(-1)).toEqual([]);
    expect(failing([['a'], ['a'], ...quiet.slice(1), ['a']]).at(-1)).toEqual(['a']);
  });

  it('counts each part for itself', () => {
    const first = module.counted(module.counted({}, 'first', ['a']).counts, 'first', ['a']);
    expect(module.counted(first.counts, 'deep', ['a']).often).toEqual([]);
    expect(module.counted(first.counts, 'first', ['a']).often).toEqual(['a']);
  });
});

describe('test/stages.mjs', () => {
  interface Part {
    readonly files?: readonly string[];
    readonly again?: readonly string[];
  }

  let parts: Readonly<Record<string, Part>>;

  beforeAll(async () => {
    const file = path.resolve('test/stages.mjs');
    ({ parts } = (await import(pathToFileURL(file).href)) as { parts: Record<string, Part> });
  });

  it('names files that are there, each in one part', () => {
    const files = Object.values(parts).flatMap((part) => part.files ?? []);
    const again = Object.values(parts).flatMap((part) => part.again ?? []);
    expect([...files, ...again].filter((file) => !existsSync(file))).toEqual([]);
    expect(files.filter((file, i) => files.indexOf(file) !== i)).toEqual([]);
  });

  it('is run whole at night, but for what measures', () => {
    const [, named = ''] = /set -- ([a-z ]+)/.exec(readFileSync('.ci/nightly', 'utf8')) ?? [];
    expect(named.split(' ')).toEqual(Object.keys(parts).filter((part) => part !== 'measures'));
  });

  it('runs each test again that does more in a later part', () => {
    const opens = /^ *(?:it|later|laterBlock|again|promised|promisedLater|describe)(?:\.each)?\(/;
    const isMarked = /^ *(?:later|laterBlock|again|promised|promisedLater)\b/;
    const unmarked = Object.values(parts)
      .flatMap(({ again = [] }) => again)
      .flatMap((file) => {
        const lines = readFileSync(file, 'utf8').split('\n');
        // The whole file runs where nothing is marked.
        if (!lines.some((line) => opens.test(line) && isMarked.test(line))) return [];
        return lines.flatMap((line, i) => {
          const test = lines.slice(0, i + 1).findLast((one) => opens.test(one));
          const doesMore = /\b(?:runsInPart|someInFirst)\(/.test(line) && test !== undefined;
          return doesMore && !isMarked.test(test) ? [`${file}: ${test.trim()}`] : [];
        });
      });
    expect(unmarked).toEqual([]);
  });

  it('runs what a file of the first stage leaves out in a part that has room for it', () => {
    const leaving = ['src', 'test', 'tools']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.spec.ts'))
          .map((name) => path.join(folder, name)),
      )
      .filter((file) => LEAVES_OUT.test(readFileSync(file, 'utf8')));
    expect(leaving.length).toBeGreaterThan(0);
    const later = Object.values(parts).flatMap(({ files = [], again = [] }) => [...files, ...again]);
    expect(leaving.filter((file) => !later.includes(file))).toEqual([]);
  });
});
