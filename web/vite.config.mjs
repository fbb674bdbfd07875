import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// `npx vite web` serves the page while it is worked on, and asks a running service for everything else.
const SERVICE = 'http://127.0.0.1:3000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The page is /verify/{sessionId}; its files are beside it.
  base: '/verify/',
  appType: 'spa',
  publicDir: false,
  // In its own folder, so that a build that runs beside another one does not disturb it.
  cacheDir: 'node_modules/.vite-page',
  build: {
    target: ['es2022', 'chrome109', 'safari16', 'firefox115'],
    assetsDir: 'assets',
    // A file as text inside another one would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  server: { proxy: { '/kyc-sessions': SERVICE } },
});
