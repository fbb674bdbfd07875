import type {
  FeedOptions,
  LoggedRequest,
  VigiaClient,
  WebhookEvent,
  WebhookEventType,
} from '../../node/src/index.js';
import { subjectOf } from './listen.js';
import { mayComeBack, note, pause, say, type Output } from './terminal.js';

export interface TailOptions extends Output {
  readonly since?: string;
}

const POLL_MS = 1_000;
/** A request is in the log a second after its answer; one that took long stands before others that are shown. */
const OVERLAP_MS = 15_000;

/** Shows events as they come, in the order of the feed, until it is stopped; a restart of the service skips none. */
export async function tailEvents(
  client: VigiaClient,
  { types, ...options }: TailOptions & { readonly types?: readonly WebhookEventType[] },
  stop: AbortSignal,
): Promise<void> {
  for await (const event of eventsFrom(client, options.since, types, stop)) {
    const { timestamp, type, id } = event;
    say(options, [timestamp, type, id, subjectOf(event), verdictOf(event)].filter(Boolean).join('  '), event);
  }
}

/** Shows what came of transactions as it is known. */
export const tailTransactions = (
  client: VigiaClient,
  options: TailOptions,
  stop: AbortSignal,
): Promise<void> =>
  tailEvents(
    client,
    { ...options, types: ['kyt.transaction.pipeline.completed', 'kyt.transaction.dead_lettered'] },
    stop,
  );

const verdictOf = ({ data }: WebhookEvent): string => ('verdict' in data ? data.verdict : '');

async function* eventsFrom(
  client: VigiaClient,
  since = new Date().toISOString(),
  types: readonly WebhookEventType[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<WebhookEvent> {
  let cursor: string | undefined;
  while (!signal.aborted) {
    const from: FeedOptions = { ...(cursor === undefined ? { since } : { cursor }), ...(types && { types }) };
    try {
      for await (const item of client.events({ ...from, follow: true, signal })) {
        yield item.event;
        // It stands at the last of a page, and pages come whole.
        cursor = item.cursor ?? cursor;
      }
    } catch (error) {
      await comesBack(error, signal);
    }
  }
}

/** Shows the requests of the application as they are logged, until it is stopped. */
export async function tailLogs(
  client: VigiaClient,
  { since = new Date().toISOString(), ...output }: TailOptions,
  stop: AbortSignal,
): Promise<void> {
  const first = Date.parse(since);
  const shown = new Map<string, number>();
  let newest = first;
  while (!stop.aborted) {
    try {
      const from = Math.max(first, newest - OVERLAP_MS);
      const found: LoggedRequest[] = [];
      for await (const one of client.requests({ since: new Date(from).toISOString(), limit: '200' })) {
        found.push(one);
      }
      for (const one of found.reverse()) {
        const key = [one.requestId, one.at, one.route, one.durationMs].join(' ');
        if (!shown.has(key) && one.route !== '/requests') showRequest(output, one);
        shown.set(key, Date.parse(one.at));
        newest = Math.max(newest, Date.parse(one.at));
      }
      for (const [key, at] of shown) if (at < newest - 2 * OVERLAP_MS) shown.delete(key);
      await pause(POLL_MS, stop);
    } catch (error) {
      await comesBack(error, stop);
    }
  }
}

function showRequest(output: Output, one: LoggedRequest): void {
  const faults = one.faults.map(({ path, code }) => `${path || 'body'}: ${code}`);
  const line = [one.at, one.status, one.method, one.route, `${one.durationMs} ms`, one.requestId]
    .concat(one.code ?? [], faults)
    .join('  ');
  say(output, line, one);
}

async function comesBack(error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!mayComeBack(error)) throw error;
  note('the service does not answer; trying again');
  await pause(POLL_MS, signal);
}
