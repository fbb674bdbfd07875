// npm run vigia. A clone that was never built has no command line yet: says so instead of showing a stack.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const entry = path.join(root, 'dist/src/cli/main.js');
if (existsSync(entry)) await import(pathToFileURL(entry).href);
else {
  console.error('Vigia is not built yet: npm start does it, or npm run build.');
  process.exitCode = 1;
}
