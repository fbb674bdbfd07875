import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { LauncherError } from './launcher-error.js';

/** Writes a file that only its owner may read, as a whole or not at all. */
export function writePrivate(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** The password in the file; made once. Base64url, so that it stands in a URL as it is. */
export function passwordIn(file: string): string {
  if (!existsSync(file)) writePrivate(file, `${randomBytes(24).toString('base64url')}\n`);
  const password = readFileSync(file, 'utf8').trim();
  if (password === '') {
    throw new LauncherError(`${file} is empty. Restore it, or delete it to have a new one made.`);
  }
  return password;
}
