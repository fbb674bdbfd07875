/** The program that is measured: that of this tree, or that of another commit, checked out and built below `.data`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** `waits`: whether ingest answers with the decision when it is asked to. */
export const thisRelease = { name: 'this tree', ...programIn(root), waits: true };

function programIn(dir) {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf8'));
  return {
    root: dir,
    dist: path.join(dir, 'dist/src'),
    main: path.join(dir, 'dist/src/main.js'),
    nodeFlags: scripts['start:prod'].split(' ').filter((word) => word.startsWith('--')),
  };
}

/** Checks the commit out and builds it, unless that was done before. */
export function releaseOf(ref) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`);
  const dir = path.join(root, '.data/releases', commit);
  const built = path.join(dir, 'dist/.built');
  if (!fs.existsSync(built)) {
    fs.rmSync(dir, { recursive: true, force: true });
    fs.mkdirSync(path.dirname(dir), { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, dir]);
    execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: dir });
    const run = (command, ...args) =>
      execFileSync(command, args, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
    run('npm', 'ci', '--no-audit', '--no-fund');
    run('npx', 'nest', 'build');
    fs.writeFileSync(built, '');
  }
  // Earlier commits have it one folder higher.
  const settings = ['docs/generated/settings.md', 'docs/settings.md']
    .map((file) => path.join(dir, file))
    .filter((file) => fs.existsSync(file));
  return {
    name: ref,
    ...programIn(dir),
    waits: settings.some((file) => fs.readFileSync(file, 'utf8').includes('INGEST_WAIT_LIMIT')),
  };
}
