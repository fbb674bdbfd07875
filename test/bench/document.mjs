/** Sections of docs/performance.md that a bench of one part writes, and that the whole bench keeps. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './release.mjs';

const document = path.join(root, 'docs/performance.md');
const patternOf = (title) => new RegExp(`(?<=^## ${title}\\n\\n)[^]*?(?=\\n\\n## )`, 'm');

/** What the document says of the last run. */
export const lastSection = (title) => patternOf(title).exec(fs.readFileSync(document, 'utf8'))?.[0] ?? '';

export function writeSection(title, section) {
  const text = fs.readFileSync(document, 'utf8');
  if (!patternOf(title).test(text)) throw new Error(`${document} has no section "${title}"`);
  fs.writeFileSync(
    document,
    text.replace(patternOf(title), () => section),
  );
}

/** The day, the machine and how busy it is: others on it make every figure worse. */
export const whenAndWhere = () =>
  `${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} cores of ${os.cpus()[0]?.model}, load ${os
    .loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')} (1, 5, 15 min)`;
