import { fileURLToPath } from 'node:url';
import { defineConfig, runnerImport } from 'vite';

// `npx vite web/console` serves the console while it is worked on, and asks a running service for everything else.
const SERVICE = process.env['VIGIA_URL'] ?? 'http://127.0.0.1:3000';

const SHEETS = fileURLToPath(new URL('../../src/sheets.ts', import.meta.url));

/** The module `virtual:acts`: the words of each act of two people, from the sheets of the service. */
const acts = {
  name: 'acts-of-two-people',
  resolveId: (id) => (id === 'virtual:acts' ? '\0acts' : undefined),
  async load(id) {
    if (id !== '\0acts') return undefined;
    const { module } = await runnerImport(SHEETS);
    const words = module.sheets.flatMap((sheet) =>
      Object.entries(sheet.acts ?? {}).map(([act, { title, effect, undo }]) => [
        act,
        { title, effect, undo },
      ]),
    );
    return `export const acts = ${JSON.stringify(Object.fromEntries(words))};`;
  },
};

export default defineConfig({
  plugins: [acts],
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  appType: 'spa',
  publicDir: false,
  // In its own folder, so that a build that runs beside another one does not disturb it.
  cacheDir: '../node_modules/.vite-console',
  build: {
    target: ['es2022', 'chrome109', 'safari16', 'firefox115'],
    assetsDir: 'assets',
    // A file as text inside another one would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What a person loads is measured compressed, by a test.
    chunkSizeWarningLimit: 1_000,
    // For the test that measures what a screen loads.
    manifest: 'manifest.json',
    rolldownOptions: {
      // "use client" speaks to servers that draw pages; none does here.
      onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
    },
  },
  server: { proxy: { '/operator': SERVICE } },
});
