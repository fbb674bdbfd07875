import { spawnSync } from 'node:child_process';
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ZipFile } from 'yazl';
import { inGo } from '../support/client-drivers.js';
import { needs } from '../support/needs.js';

describe('the packages of sdk', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vigia-package-'));
  const root = path.join(import.meta.dirname, '../..');
  const within = (cwd: string, command: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** An empty project with a package in it, packed in a clone and installed from its file as anybody does it. */
  const installed = (name: string): string => {
    const [clone, project] = [path.join(folder, `clone-${name}`), path.join(folder, `project-${name}`)];
    for (const one of [clone, project]) mkdirSync(one);
    cpSync(path.join(root, 'sdk'), path.join(clone, 'sdk'), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'));
    within(path.join(clone, 'sdk', name), 'npm', 'run', 'build');
    within(path.join(clone, 'sdk', name), 'npm', 'pack', '--pack-destination', project);
    const [file = ''] = readdirSync(project);
    within(project, 'npm', 'init', '--yes');
    within(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${file}`);
    return project;
  };

  it('that of Node installs from its packed file in an empty project, and runs there', () => {
    const project = installed('node');
    const script = `import * as all from '@vigia/client'; console.log(Object.keys(all).sort().join());`;
    const names = within(project, process.execPath, '--input-type=module', '-e', script).trim().split(',');
    expect(names).toEqual(expect.arrayContaining(['VigiaApiError', 'VigiaClient', 'verifyWebhook']));
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
