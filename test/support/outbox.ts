import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestApp } from './app.js';

/** Messages that the service wrote for an address, oldest first, as they lie in the outbox. */
export async function mailFor(t: TestApp, email: string): Promise<string[]> {
  const outbox = path.join(t.settings.dataDir, 'outbox');
  const names = (await readdir(outbox).catch(() => [])).sort();
  const all = await Promise.all(names.map((name) => readFile(path.join(outbox, name), 'utf8')));
  return all.filter((text) => /^To: (.*)$/m.exec(text)?.[1]?.includes(email));
}

/** The token of the invitation that somebody got last. */
export async function invitedToken(t: TestApp, email: string): Promise<string> {
  const last = (await mailFor(t, email)).findLast((text) => text.includes('vit_'));
  const token = /vit_[A-Za-z0-9_-]{43}/.exec(last ?? '')?.[0];
  if (!token) throw new Error('nobody invited this address');
  return token;
}
