// Builds the pages, each when its sources are newer than what was built: web/ for end users, web/console/ for operators.
// Run as a program: NODE_ENV of its process is production, which must not reach the service that npm start hands over
// to.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const PAGES = [
  { folder: 'web', title: 'the page for end users', without: /^(dist|console)/ },
  { folder: 'web/console', title: 'the operator console', without: /^dist/, also: sheets() },
];

/** The declarations of subjects, whose words the console shows. */
function sheets() {
  const features = path.join(root, 'src/features');
  if (!existsSync(features)) return [];
  const files = readdirSync(features).map((feature) => path.join(features, feature, 'sheets.ts'));
  return [path.join(root, 'src/sheets.ts'), ...files].filter((file) => existsSync(file));
}

/** Without development packages there is nothing to build with: the pages come with the installation. */
async function buildPage({ folder, title, without, also = [] }) {
  const source = path.join(root, folder);
  const dist = path.join(source, 'dist');
  if (!existsSync(path.join(root, 'node_modules/vite')) || !isStale(source, dist, without, also)) return;
  const began = Date.now();
  console.log(`Building ${title} …`);
  // Also in a test: a page is built as it is served.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Into a folder of its own and then in place: whoever reads at the same time finds the old page or the new one.
  const fresh = path.join(source, `dist-${process.pid}`);
  try {
    await build({
      configFile: path.join(source, 'vite.config.mjs'),
      // Advice of the bundler is for nobody who starts the service; sizes are held by a test.
      logLevel: 'error',
      build: { outDir: fresh, emptyOutDir: true },
    });
    compress(fresh);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  console.log(`Built ${title} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

function isStale(source, dist, without, also) {
  const built = statSync(path.join(dist, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return true;
  const own = readdirSync(source, { recursive: true }).filter((name) => !without.test(name));
  const files = [...own.map((name) => path.join(source, name)), ...also];
  return files.some((file) => statSync(file).mtimeMs > built);
}

/** A slow network gets a third of the bytes; compressed here once instead of at each start. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(html|js|css|svg|wasm)$/.test(name)) continue;
    const file = path.join(folder, name);
    const body = readFileSync(file);
    // One step below the best: a fifth of its time for two in a hundred more bytes.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(`${file}.br`, brotliCompressSync(body, { params }));
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  }
}

for (const page of PAGES) await buildPage(page);
