/**
 * Changes as they happen. The stream of the service is read with the token, as an EventSource could not; it goes on
 * where it ended. Everything that it speeds up is also asked for every so often, so that nothing depends on it.
 */
import { accessToken, currentAccess } from '../../api/access.js';
import { wasChangedHere } from '../../api/client.js';
import { queries, live } from './query.js';

const TOPICS = 'cases,hits,approvals,sessions,transactions,badges';
const LONGEST_WAIT_MS = 60_000;

/** The answers that show a thing of which the stream tells, by the type of the thing. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  review: ['cases', 'case', 'home'],
  screening_hit: ['hits', 'hit', 'case'],
  approval: ['approvals', 'home'],
  session: ['sessions', 'session'],
  transaction: ['transactions', 'home'],
};

/** Listens while somebody is signed in and there; ends when the function that it returns is called. */
export function followChanges(onState: (connected: boolean) => void): () => void {
  const stop = new AbortController();
  void follow(stop.signal, onState);
  return () => {
    stop.abort();
  };
}

async function follow(signal: AbortSignal, onState: (connected: boolean) => void): Promise<void> {
  let last: string | null = null;
  let wait = 2_000;
  while (!signal.aborted) {
    // Where nobody is, nothing keeps the session alive.
    if (live(1)() !== false && currentAccess().state === 'IN') {
      try {
        const response = await fetch(`/operator/stream?topics=${TOPICS}`, {
          cache: 'no-store',
          credentials: 'same-origin',
          signal,
          headers: {
            authorization: `Bearer ${await accessToken()}`,
            ...(last !== null && { 'last-event-id': last }),
          },
        });
        if (response.ok && response.body) {
          onState(true);
          wait = 2_000;
          last = await read(response.body, last);
        } else wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      } catch {
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      }
      onState(false);
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Reads until the stream ends; answers with the id to go on after. */
async function read(body: ReadableStream<Uint8Array>, before: string | null): Promise<string | null> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let last = before;
  let rest = '';
  for (;;) {
    const { value } = await reader.read().catch(() => ({ value: undefined as Uint8Array | undefined }));
    if (value === undefined) return last;
    const messages = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const fields = new Map(
        message.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]),
      );
      last = fields.get('id') ?? last;
      hear(fields.get('event') ?? '', fields.get('data') ?? '{}');
    }
  }
}

function hear(event: string, text: string): void {
  if (event === 'badges') queries.setQueryData(['counts'], JSON.parse(text));
  if (event === 'reset') void queries.invalidateQueries();
  if (event !== 'change') return;
  const { type, id = '' } = JSON.parse(text) as { readonly type?: string; readonly id?: string };
  for (const name of SHOWN[type ?? ''] ?? []) stale(name, id);
}

// Many changes at once are one reading anew, and none where this tab has read what it changed itself.
const waiting = new Map<string, string[]>();
function stale(name: string, id: string): void {
  if (waiting.size === 0) {
    setTimeout(() => {
      for (const [one, ids] of waiting) {
        if (!ids.every(wasChangedHere)) void queries.invalidateQueries({ queryKey: [one] });
      }
      waiting.clear();
    }, 700);
  }
  waiting.set(name, [...(waiting.get(name) ?? []), id]);
}
