import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedDocs } from './pages/generated-docs.js';

// `npm run docs`, which runs in the root of the repository.
const root = process.cwd();
for (const [file, text] of generatedDocs(root)) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
  process.stdout.write(`written: ${file}\n`);
}
