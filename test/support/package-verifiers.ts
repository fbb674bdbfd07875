import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { withOtherLanguages } from './needs.js';

export type Verdict = 'VERIFIED' | 'TAMPERED' | 'INCOMPLETE' | 'CANNOT BE VERIFIED' | 'NOT PINNED';
const exitCodes: Readonly<Record<Verdict, number>> = {
  VERIFIED: 0,
  TAMPERED: 1,
  INCOMPLETE: 2,
  'CANNOT BE VERIFIED': 3,
  'NOT PINNED': 4,
};

const verifyMjs = new URL('../../src/features/audit/verify/verify.mjs', import.meta.url);
const { main } = (await import(verifyMjs.href)) as {
  main: (args: readonly string[], print: (line: string) => void) => Promise<number>;
};

/** Runs verify.mjs in this process. */
export async function node(...args: string[]): Promise<{ verdict: string; lines: string[]; code: number }> {
  const lines: string[] = [];
  const code = await main(args, (line) => lines.push(line));
  return { verdict: lines.at(-1)?.split(':')[0] ?? '', lines, code };
}

/** Returns the verdict of both verifiers, which have to agree. */
export async function verdictOf(...args: string[]): Promise<string> {
  const { verdict, code } = await node(...args);
  expect(code).toBe(exitCodes[verdict as Verdict]);
  if (withOtherLanguages) {
    const script = verifyMjs.pathname.replace(/mjs$/, 'py');
    const python = spawnSync('python3', [script, ...args], { encoding: 'utf8' });
    const said = python.stdout.trimEnd().split('\n').at(-1)?.split(':')[0];
    if (python.error) throw python.error;
    expect([said, python.status]).toEqual([verdict, code]);
  }
  return verdict;
}

/** The members of a package in a folder, as somebody unpacks them. */
export function unpacked(file: string): string {
  const folder = `${file}.d`;
  const done = spawnSync(process.execPath, ['-e', UNZIP, file, folder], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
  return folder;
}
// The members are found by their central directory, with nothing of the verifier.
const UNZIP = `
  const { readFileSync, mkdirSync, writeFileSync } = require('node:fs');
  const { inflateRawSync } = require('node:zlib');
  const [, file, folder] = process.argv;
  const zip = readFileSync(file);
  mkdirSync(folder);
  for (let at = 0; (at = zip.indexOf('PK\\x01\\x02', at, 'latin1')) >= 0; at += 4) {
    const [size, offset, name, method] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42), zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 10)];
    const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    const body = zip.subarray(begin, begin + size);
    writeFileSync(folder + '/' + zip.toString('utf8', at + 46, at + 46 + name), method === 8 ? inflateRawSync(body) : body);
  }`;

/** Changes random single bytes of these members, one at a time; throws when one of them is not found out. */
export async function flipBytes(
  folder: string,
  names: readonly string[],
  flips: number,
  ...args: string[]
): Promise<void> {
  for (let i = 0; i < flips; i += 1) {
    const name = names[i % names.length] ?? '';
    const file = path.join(folder, name);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    const at = Math.floor(Math.random() * whole.length);
    changed.writeUInt8(changed.readUInt8(at) ^ (1 + Math.floor(Math.random() * 255)), at);
    writeFileSync(file, changed);
    const { verdict } = await node(folder, ...args);
    if (verdict === 'VERIFIED') throw new Error(`byte ${at} of ${name} was changed and not found`);
    writeFileSync(file, whole);
  }
}
