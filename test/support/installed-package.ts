import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** Runs a command to its end; throws with what it said when it fails. */
export function within(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

/** An empty project with a package of sdk in it, packed in a clone and installed from its file as anybody does it. */
export function installedPackage(folder: string, name: 'node' | 'cli'): string {
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
}
