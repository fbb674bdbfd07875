import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ImageStages } from '../support/image-stages.js';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-image-'));
// A minute on an idle machine; beside other tests more.
const MAX_MS = 600_000;
const run = promisify(execFile);

let image: string;
let app: Promise<TestApp>;

beforeAll(async () => {
  // It starts while the compiler works.
  app = startTestApp();
  const stages = new ImageStages(root, folder);
  for (const stage of ['build', 'dependencies']) await stages.make(stage);
  image = await stages.make(stages.last);
  await app;
}, MAX_MS);

afterAll(async () => {
  await (await app).close();
  rmSync(folder, { recursive: true, force: true });
});

describe('The image', () => {
  const node = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, args, { cwd: image, env: {} })).stdout;

  it.each(['scripts/vigia.mjs', 'dist/src/cli/main.js'])('has the command line: %s', async (program) => {
    expect(await node(program, 'client', '--help')).toContain('trigger');
  });

  it('has what each command loads when it is typed', async () => {
    const commands = ['dist/src/cli', 'dist/tools'].flatMap((top) =>
      readdirSync(path.join(image, top), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(\.command|^streams\/index)\.js$/.test(file))
        .map((file) => `./${top}/${file}`),
    );
    expect(commands.length).toBeGreaterThan(10);
    const load = commands.map((file) => `await import(${JSON.stringify(file)});`).join('');
    expect(await node('--input-type=module', '-e', load)).toBe('');
  });

  it('has the service, its pages and the documents', async () => {
    const service = await ApiProcess.start(await app, {}, [path.join(image, 'dist/src/main.js')]);
    try {
      const paths = ['/verify/kys_none', '/console', '/developers', '/developers/sdk/go'];
      const answers = await Promise.all(paths.map((page) => fetch(service.url + page)));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    } finally {
      await service.stop();
    }
  });
});
