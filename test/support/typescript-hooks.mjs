import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { swcOptions } from './swc-options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
// By content, so that nothing old is ever found: each process compiles only what changed since the last one.
const cache = path.join(os.tmpdir(), `vigia-compiled-${os.userInfo().username}`);
const options = JSON.stringify(swcOptions);

/** The sources of what package.json names: its `imports` lead to what a build makes of them. */
export const namedSources = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).imports).map(
    ([name, built]) => [name, path.join(root, built.replace('./dist/', '').replace(/\.js$/, '.ts'))],
  ),
);

/** A module that is imported as .js and lies there as .ts is the latter. */
export function resolve(specifier, context, next) {
  if (specifier in namedSources && context.parentURL?.endsWith('.ts'))
    return next(pathToFileURL(namedSources[specifier]).href, context);
  if (/^(\.|file:|\/)/.test(specifier) && specifier.endsWith('.js')) {
    const file = fileURLToPath(new URL(specifier, context.parentURL ?? pathToFileURL(`${process.cwd()}/`)));
    const source = file.replace(/\.js$/, '.ts');
    if (file.startsWith(root) && !existsSync(file) && existsSync(source))
      return next(pathToFileURL(source).href, context);
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

/** Compiles a file, unless it was compiled before. */
export function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const name = createHash('sha1').update(options).update(file).update(source).digest('hex');
  const kept = path.join(cache, `${name}.mjs`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  // Only when it is needed: loading the compiler takes longer than all the rest.
  const { transformSync } = createRequire(import.meta.url)('@swc/core');
  const { code } = transformSync(source, { ...swcOptions, filename: file });
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}
