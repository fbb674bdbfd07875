import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { VigiaApiError, VigiaClient, VigiaConnectionError } from '../../node/src/index.js';
import { baseOf } from '../../node/src/transport.js';

export interface Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Output {
  /** One JSON value in each line, for programs. */
  readonly json?: boolean;
}

const credentialsFile = (): string =>
  path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config'), 'vigia', 'credentials.json');

/** Reads the credentials that a file holds, such as the one of the demo. Throws when one of the three is missing. */
export async function credentialsIn(file: string): Promise<Credentials> {
  const read = JSON.parse(await readText(file)) as Partial<Credentials>;
  const { baseUrl, clientId, clientSecret } = read;
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined) {
    throw new Error(`${file} has no baseUrl, clientId and clientSecret.`);
  }
  return { baseUrl: baseOf(baseUrl), clientId, clientSecret };
}

/** Keeps credentials for later commands, for this user only; returns the file. */
export async function keepCredentials(credentials: Credentials): Promise<string> {
  const file = credentialsFile();
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // A file that is there keeps its mode: it is made anew.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  return file;
}

export async function forgetCredentials(): Promise<void> {
  await rm(credentialsFile(), { force: true });
}

/** Finds whom to call as: VIGIA_URL, VIGIA_CLIENT_ID and VIGIA_CLIENT_SECRET, or what `login` has kept. */
export async function currentCredentials(): Promise<Credentials> {
  const { VIGIA_URL, VIGIA_CLIENT_ID, VIGIA_CLIENT_SECRET } = process.env;
  if (VIGIA_URL !== undefined && VIGIA_CLIENT_ID !== undefined && VIGIA_CLIENT_SECRET !== undefined) {
    return { baseUrl: baseOf(VIGIA_URL), clientId: VIGIA_CLIENT_ID, clientSecret: VIGIA_CLIENT_SECRET };
  }
  try {
    return await credentialsIn(credentialsFile());
  } catch (cause) {
    throw new Error('Not logged in: run login, or set VIGIA_URL, VIGIA_CLIENT_ID and VIGIA_CLIENT_SECRET.', {
      cause,
    });
  }
}

export const currentClient = async (): Promise<VigiaClient> => new VigiaClient(await currentCredentials());

/** Reads a file, or the standard input for -, in UTF-8 or in the UTF-16 that PowerShell writes. */
export async function readText(file: string): Promise<string> {
  const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time, or how long it is ago. */
export function timeIn(text: string): string {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const at = count === '' ? Date.parse(text) : Date.now() - Number(count) * (UNIT_MS[unit] ?? 0);
  if (Number.isNaN(at)) {
    throw new Error('--since takes a time such as 2026-11-30T12:00:00Z, or 30s, 10m, 2h or 1d ago.');
  }
  return new Date(at).toISOString();
}

/** Reads a secret from the standard input, without showing it where somebody types it. */
export async function readSecret(question: string): Promise<string> {
  const isTyped = process.stdin.isTTY;
  if (isTyped) process.stderr.write(question);
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTyped });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (isTyped) process.stderr.write('\n');
  }
}

/** Prints a line for people, or the value behind it for programs. */
export function say({ json = false }: Output, line: string, value: unknown): void {
  process.stdout.write(`${json ? JSON.stringify(value) : line}\n`);
}

/** Tells people what is going on; programs read the standard output. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Is aborted when somebody presses Ctrl-C, or a supervisor ends the command. */
export function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  return stop.signal;
}

/** Whether a service that failed like this may be there again in a moment. */
export const mayComeBack = (error: unknown): boolean =>
  error instanceof VigiaConnectionError || (error instanceof VigiaApiError && error.retryable);

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
    if (signal.aborted) resolve();
  });
