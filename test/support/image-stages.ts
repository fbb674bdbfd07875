import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const WORKDIR = '/app/';

/** Makes the stages of a Dockerfile as folders, from what .dockerignore lets in: Docker itself is rarely there. */
export class ImageStages {
  private readonly rules: readonly (readonly [pattern: RegExp, letIn: boolean])[];
  /** The lines of each stage. A stage without a name has its place as one. */
  private readonly stages = new Map<string, string[]>();

  constructor(
    private readonly root: string,
    private readonly into: string,
  ) {
    this.rules = linesOf(path.join(root, '.dockerignore')).map((line) => {
      const letIn = line.startsWith('!');
      return [patternOf(letIn ? line.slice(1) : line), letIn];
    });
    let lines: string[] = [];
    for (const line of linesOf(path.join(root, 'Dockerfile'))) {
      const [, name = String(this.stages.size)] = /^FROM \S+(?: AS (\S+))?$/.exec(line) ?? [];
      if (line.startsWith('FROM ')) this.stages.set(name, (lines = []));
      else lines.push(line);
    }
  }

  /** The last stage is the image. */
  get last(): string {
    return [...this.stages.keys()].at(-1) ?? '';
  }

  /** Does the COPY and npm lines of a stage; returns its folder. */
  async make(stage: string): Promise<string> {
    const folder = this.folderOf(stage);
    mkdirSync(folder, { recursive: true });
    for (const line of this.stages.get(stage) ?? []) {
      const [, from, files = ''] = /^COPY (?:--from=(\S+) )?(.*)$/.exec(line) ?? [];
      if (files !== '') this.copy(from, files.split(' '), folder);
      else if (line.startsWith('RUN npm ci')) this.install(folder, { all: !line.includes('--omit=dev') });
      else if (line.startsWith('RUN npm ')) await run(line.slice('RUN '.length), folder);
    }
    return folder;
  }

  private folderOf(stage: string): string {
    return path.join(this.into, stage);
  }

  private copy(from: string | undefined, files: readonly string[], folder: string): void {
    const to = files.at(-1) ?? '';
    for (const name of files.slice(0, -1)) {
      const file =
        from === undefined
          ? path.join(this.root, name)
          : path.join(this.folderOf(from), path.posix.relative(WORKDIR, name));
      const target = path.join(folder, to.endsWith('/') ? path.join(to, path.basename(name)) : to);
      if (from !== undefined) cpSync(file, target, { recursive: true, verbatimSymlinks: true });
      else if (this.copyLetIn(file, target) === 0) throw new Error(`COPY finds nothing: ${name}`);
    }
  }

  /** Returns how many files were let in. */
  private copyLetIn(file: string, target: string): number {
    if (!existsSync(file)) return 0;
    if (statSync(file).isDirectory()) {
      return readdirSync(file)
        .filter((name) => name !== 'node_modules')
        .map((name) => this.copyLetIn(path.join(file, name), path.join(target, name)))
        .reduce((sum, count) => sum + count, 0);
    }
    if (!this.isLetIn(path.relative(this.root, file))) return 0;
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(file, target, { preserveTimestamps: true });
    return 1;
  }

  /** The last rule that fits a file, or a folder that it is in, counts. */
  private isLetIn(file: string): boolean {
    return this.rules.findLast(([pattern]) => pattern.test(file))?.[1] ?? true;
  }

  /** The packages that are installed here, all or those of production, stand for what npm ci installs. */
  private install(folder: string, { all }: { readonly all: boolean }): void {
    const installed = path.join(this.root, 'node_modules');
    const target = path.join(folder, 'node_modules');
    if (all) {
      symlinkSync(installed, target);
      return;
    }
    const { packages } = JSON.parse(readFileSync(path.join(this.root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly dev?: boolean }>;
    };
    for (const [place, { dev }] of Object.entries(packages)) {
      const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
      if (name === undefined || dev || !existsSync(path.join(installed, name))) continue;
      mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
      symlinkSync(path.join(installed, name), path.join(target, name));
    }
  }
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Fits the paths that the pattern names and all that is below them. */
function patternOf(glob: string): RegExp {
  const expression = glob
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '(?:§/)?')
    .replaceAll('*', '[^/]*')
    .replaceAll('§', '.*');
  return new RegExp(`^${expression}(?:/|$)`);
}

/** Runs a command as its author would see it: what it said is in the error. */
async function run(command: string, cwd: string): Promise<void> {
  const { PATH, HOME } = process.env;
  try {
    await promisify(execFile)('sh', ['-c', command], { cwd, env: { PATH, HOME } });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${command}:\n${stdout}${stderr}`, { cause: error });
  }
}
