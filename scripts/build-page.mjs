// Builds the page for end users, web/ into web/dist, when its sources are newer than what was built. Run as a program:
// Vite sets NODE_ENV of its process to production, which must not reach the service that npm start hands over to.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const web = path.join(root, 'web');
const dist = path.join(web, 'dist');

/** Without development packages there is nothing to build with: the page comes with the installation. */
async function buildPage() {
  if (!existsSync(path.join(root, 'node_modules/vite')) || !isStale()) return;
  console.log('Building the page for end users …');
  const { build } = await import('vite');
  // Into a folder of its own and then in place: whoever reads at the same time finds the old page or the new one.
  const fresh = path.join(web, `dist-${process.pid}`);
  try {
    await build({
      configFile: path.join(web, 'vite.config.mjs'),
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    compress(fresh);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function isStale() {
  const built = statSync(path.join(dist, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return true;
  return readdirSync(web, { recursive: true })
    .filter((name) => !/^dist/.test(name))
    .some((name) => statSync(path.join(web, name)).mtimeMs > built);
}

/** Phones on a slow network get a third of the bytes; compressed here once instead of at each start. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(html|js|css|svg)$/.test(name)) continue;
    const file = path.join(folder, name);
    const body = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(body));
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  }
}

await buildPage();
