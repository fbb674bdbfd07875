import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ofTests } from './compiled-tree.mjs';

const own = readFileSync(import.meta.filename);
const root = path.resolve(import.meta.dirname, '../..');

/** Where the module is that Node loads: a source as this run compiled it, a package's module as it stands. */
function urlOf(file) {
  const inTree = path.relative(root, file);
  if (!inTree.startsWith('src') && !ofTests.includes(inTree)) return pathToFileURL(file).href;
  return pathToFileURL(path.join(process.env.TEST_COMPILED_DIR, 'dist', inTree.replace(/\.ts$/, '.js'))).href;
}

/** Stands for a module in the world of a test file: hands over what Node exported, so that there is one of each class. */
export default {
  getCacheKey: (source, file) =>
    createHash('sha1').update(own).update(urlOf(file)).update(source).digest('hex'),
  async processAsync(_source, file) {
    const url = urlOf(file);
    const names = Object.keys(await import(url));
    const lines = names.map((name) =>
      name === 'default' ? 'export default m.default;' : `export const ${name} = m[${JSON.stringify(name)}];`,
    );
    return { code: `const m = await globalThis.vigiaModule(${JSON.stringify(url)});\n${lines.join('\n')}\n` };
  },
};
