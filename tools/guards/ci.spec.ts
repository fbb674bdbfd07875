import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

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

  it('runs what a file of the first stage leaves out in a part that has room for it', () => {
    const leaving = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => path.join('test', name))
      .filter((file) => /\b(later|laterBlock|someInFirst)\(/.test(readFileSync(file, 'utf8')));
    expect(leaving.length).toBeGreaterThan(0);
    const later = Object.values(parts).flatMap(({ files = [], again = [] }) => [...files, ...again]);
    expect(leaving.filter((file) => !later.includes(file))).toEqual([]);
  });
});
