import { spawnSync } from 'node:child_process';
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ZipFile } from 'yazl';
import { inGo } from '../support/client-drivers.js';
import { installedPackage, within } from '../support/installed-package.js';
import { needs } from '../support/needs.js';

describe('the packages of sdk', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vigia-package-'));
  const root = path.join(import.meta.dirname, '../..');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const installed = (name: 'node' | 'cli'): string => installedPackage(folder, name);

  it('that of Node installs from its packed file in an empty project, and runs there', () => {
    const project = installed('node');
    const script = `import * as all from '@vigia/client'; console.log(Object.keys(all).sort().join());`;
    const names = within(project, process.execPath, '--input-type=module', '-e', script).trim().split(',');
    expect(names).toEqual(expect.arrayContaining(['VigiaApiError', 'VigiaClient', 'verifyWebhook']));
    const required = `console.log(Object.keys(require('@vigia/client')).sort().join())`;
    expect(within(project, process.execPath, '-e', required).trim().split(',')).toEqual(names);
    // Jest loads CommonJS as long as nobody asks for more.
    writeFileSync(
      path.join(project, 'one.spec.js'),
      `const { VigiaClient } = require('@vigia/client'); it('is there', () => { expect(VigiaClient).toBeDefined(); });`,
    );
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    within(
      project,
      process.execPath,
      jest,
      '--rootDir',
      project,
      '--watchman=false',
      '--config={"transform":{}}',
    );
  }, 150_000);

  it('the command line installs from its packed file in an empty project, and runs there', () => {
    const project = installed('cli');
    expect(within(project, path.join(project, 'node_modules/.bin/vigia'), '--help')).toContain('trigger');
  }, 150_000);

  needs('python3', 'wheel').it(
    'that of Python installs from its wheel in an empty environment',
    () => {
      const [source, wheels, project] = ['py', 'wheels', 'env'].map((name) => path.join(folder, name)) as [
        string,
        string,
        string,
      ];
      cpSync(path.join(root, 'sdk/python'), source, { recursive: true });
      within(
        source,
        'python3',
        '-m',
        'pip',
        'wheel',
        '--no-index',
        '--no-build-isolation',
        '--no-deps',
        '-w',
        wheels,
        '.',
      );
      within(folder, 'python3', '-m', 'venv', project);
      const [wheel = ''] = readdirSync(wheels);
      within(project, 'bin/pip', 'install', '--no-index', path.join(wheels, wheel));
      const script =
        'import vigia, vigia.types; print(sorted(vigia.__all__), vigia.types.TransactionData.__name__)';
      const said = within(project, 'bin/python', '-c', script);
      expect(said).toContain('VigiaClient');
      expect(said).toContain('TransactionData');
    },
    150_000,
  );

  needs('go').it(
    'that of Go installs from the file of its module in an empty project',
    async () => {
      const [proxy, project] = ['proxy', 'go'].map((name) => path.join(folder, name)) as [string, string];
      const versions = path.join(proxy, 'vigia.example/client/@v');
      for (const one of [versions, project]) mkdirSync(one, { recursive: true });
      cpSync(path.join(root, 'sdk/go/go.mod'), path.join(versions, 'v0.1.0.mod'));
      writeFileSync(path.join(versions, 'list'), 'v0.1.0\n');
      writeFileSync(path.join(versions, 'v0.1.0.info'), '{"Version":"v0.1.0"}');
      // A module's file has entries for files only.
      const zip = new ZipFile();
      for (const name of readdirSync(path.join(root, 'sdk/go'))) {
        zip.addFile(path.join(root, 'sdk/go', name), `vigia.example/client@v0.1.0/${name}`);
      }
      zip.end();
      await pipeline(zip.outputStream, createWriteStream(path.join(versions, 'v0.1.0.zip')));
      writeFileSync(path.join(project, 'go.mod'), 'module empty\n\ngo 1.18\n');
      writeFileSync(
        path.join(project, 'main.go'),
        'package main\n\nimport vigia "vigia.example/client"\n\nfunc main() { println(vigia.DefaultTolerance.String()) }\n',
      );
      const env = {
        ...process.env,
        GOPROXY: `file://${proxy}`,
        GOFLAGS: '-mod=mod',
        GONOSUMDB: '*',
        GONOSUMCHECK: '1',
      };
      const modules = {
        ...env,
        GOMODCACHE: path.join(folder, 'modules'),
        GOTOOLCHAIN: 'local',
        GOSUMDB: 'off',
      };
      const go = (...args: string[]): string => {
        const { status, stderr } = spawnSync('go', args, { cwd: project, env: modules, encoding: 'utf8' });
        expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
        return stderr;
      };
      go('get', 'vigia.example/client@v0.1.0');
      expect(go('run', '.')).toContain('5m0s');
      go('mod', 'edit', `-replace=vigia.example/client=${path.join(root, 'sdk/go')}`);
      expect(go('run', '.')).toContain('5m0s');
      go('clean', '-modcache');
      expect(inGo(path.join(root, 'sdk/go'), 'vet', './...')).toBe('');
    },
    150_000,
  );
});
