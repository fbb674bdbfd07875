/** Whether the service answers this tab. */
import { setByAnswer } from './clock.js';
import { Problem } from './problem.js';

let reachable = navigator.onLine;
const listeners = new Set<() => void>();

export const isReachable = (): boolean => reachable;

export function onReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

addEventListener('offline', () => {
  become(false);
});

/** Makes a call that waits for the beginning of its answer no longer than `limitMs`. */
export async function reach(request: Request, limitMs: number): Promise<Response> {
  // Browsers that the console is built for have no `AbortSignal.any`.
  const call = new AbortController();
  const abort = (): void => {
    call.abort();
  };
  if (request.signal.aborted) abort();
  request.signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(abort, limitMs);
  try {
    const response = await fetch(request, { signal: call.signal });
    setByAnswer(response);
    become(true);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    become(false);
    throw new Problem(call.signal.aborted ? 'TIMED_OUT' : 'OFFLINE', 0);
  } finally {
    clearTimeout(timer);
  }
}
