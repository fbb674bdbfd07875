import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import {
  cosignatureLine,
  parseNote,
  pinnedCheckpoint,
  createSigner,
  parseVerifierKey,
  formatVerifierKey,
  witnessCheckpoint,
  type AcceptedCheckpoint,
} from '../../../features/audit/index.js';
import { countOf } from '../../../platform/kernel/index.js';
import { OperatorApiClient } from '../../operator-api-client.js';

export interface WitnessOptions {
  readonly url: string;
  readonly tokenFile: string;
  readonly pin: string;
  readonly state: string;
  readonly name: string;
}

interface State {
  /** The seed of this witness's signing key, base64. */
  readonly seed: string;
  readonly seen: AcceptedCheckpoint | null;
}

/**
 * Acts as an outside witness: reads the newest checkpoint of a log and signs it if it extends the last checkpoint seen.
 * Exit status 0 if it does, 1 if the log was shortened or rewritten, 3 if that cannot be determined.
 */
export async function witnessLog(options: WitnessOptions): Promise<number> {
  const pin = parseVerifierKey(options.pin);
  if (!pin) throw new Error('--pin takes a key of the form name+hash+base64, as `audit status` prints it.');
  const state = await readState(options.state);
  const calls = await OperatorApiClient.from(options);
  const { checkpoint } = await calls.get<{ checkpoint: { note: string } | null }>('/operator/audit/status');
  if (!checkpoint) throw new Error('The log has no checkpoint yet.');
  const { note } = checkpoint;
  const found = pinnedCheckpoint(note, [pin]);
  if (!found) return reportRefusal('the newest checkpoint is not signed with the pinned key');
  const { seen } = state;
  const isLonger = seen !== null && seen.origin === found.origin && seen.size < found.size && seen.size > 0;
  const proof = isLonger
    ? await calls.get<{ path: string[] }>(`/operator/audit/consistency?from=${seen.size}&to=${found.size}`)
    : { path: [] };
  const verdict = witnessCheckpoint(
    seen,
    found,
    proof.path.map((node) => Buffer.from(node, 'base64')),
  );
  if (verdict.kind === 'REFUSED') return reportRefusal(verdict.why);
  const signer = createSigner(options.name, Buffer.from(state.seed, 'base64'));
  const text = parseNote(note)?.text ?? '';
  const cosigned = note + cosignatureLine(text, signer, Math.floor(Date.now() / 1_000));
  // Stores the signature before the state: after a crash in between, the checkpoint is read again.
  await appendFile(`${options.state}.notes`, `${JSON.stringify(cosigned)}\n`, { mode: 0o600 });
  await saveState(options.state, { seed: state.seed, seen: verdict.seen });
  // The service lists its witnesses. A failure is only printed, because the witness has its own copy by now.
  await calls
    .post('/operator/audit/witnesses', { note: cosigned, key: formatVerifierKey(signer) })
    .catch((error: unknown) => {
      print(`The service was not told: ${error instanceof Error ? error.message : 'unknown'}`);
    });
  print(verdict.isFirst ? `SEEN for the first time: ${found.origin}` : `SEEN: ${found.origin}`);
  print(`${countOf(found.size, 'entry', 'entries')}, root ${found.root.toString('base64')}`);
  print(`witness ${formatVerifierKey(signer)}`);
  return 0;
}

async function readState(file: string): Promise<State> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const fresh = { seed: randomBytes(32).toString('base64'), seen: null };
    await saveState(file, fresh);
    return fresh;
  }
}

async function saveState(file: string, state: State): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function reportRefusal(why: string): number {
  print(`REFUSED: ${why}`);
  return 1;
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
