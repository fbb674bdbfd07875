/**
 * Changes as they happen. A browser opens six connections to a host, so the tabs of one person share one stream: whoever
 * holds the lock reads it and tells the others. Only tabs that somebody can see and has touched take part. Everything
 * that this speeds up is also asked for every so often, so that nothing depends on it.
 */
import { currentAccess } from '../../api/access.js';
import { wasChangedHere } from '../../api/client.js';
import { queries, live } from './query.js';
import { readStream, type StreamMessage } from './stream.js';

/** `RESTING`: nobody is at this tab. `REPLACED`, `OVERLOADED`: the service has refused the stream. */
export type Liveness = 'LIVE' | 'ASKING' | 'RESTING' | 'REPLACED' | 'OVERLOADED';

/** Tells the other tabs what the holder knows, and what it has just heard. */
interface News {
  readonly liveness: Liveness;
  readonly last: string | null;
  readonly beatAt: number;
  readonly message: StreamMessage | null;
}

/** The question of a tab that has just come: the holder answers it. */
const ASK = 'ASK';
const LOOK_EVERY_MS = 5_000;
// The service sends a beat every 15 seconds. The dot says within 30 that none came.
const SILENT_MS = 25_000;
// The holder speaks every five seconds, however long the service is silent.
const HOLDER_SILENT_MS = 20_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** The answers that show a thing of which the stream tells, by the type of the thing. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  review: ['cases', 'case', 'home'],
  screening_hit: ['hits', 'hit', 'case'],
  approval: ['approvals', 'home'],
  session: ['sessions', 'session'],
  transaction: ['transactions', 'home'],
};

/** Stays while the tab takes no part. */
interface Tab {
  readonly operatorId: string;
  /** The id of the last message that was heard. */
  last: string | null;
  readonly onLiveness: (liveness: Liveness) => void;
}

/** Listens for whoever is signed in while they are at this tab; ends when the function that it returns is called. */
export function followChanges(onLiveness: (liveness: Liveness) => void): () => void {
  const access = currentAccess();
  if (access.state !== 'IN') return () => undefined;
  const tab: Tab = { operatorId: access.operatorId, last: null, onLiveness };
  let part: Part | null = null;
  const look = (): void => {
    // Where nobody is, nothing keeps the session alive.
    if (document.visibilityState === 'visible' && live(1)() !== false) {
      part ??= new Part(tab);
      return;
    }
    part?.leave();
    part = null;
    onLiveness('RESTING');
  };
  document.addEventListener('visibilitychange', look);
  const timer = setInterval(look, LOOK_EVERY_MS);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearInterval(timer);
    part?.leave();
  };
}

/** Lives from when somebody comes to the tab until they leave. */
class Part {
  private readonly name: string;
  private readonly others: BroadcastChannel;
  private readonly left = new AbortController();
  private readonly timer: ReturnType<typeof setInterval>;
  private liveness: Liveness = 'ASKING';
  /** The lock that this tab holds now: aborted when it is lost. */
  private held: AbortSignal | null = null;
  private connection: AbortController | null = null;
  /** When the service was heard last, by whoever holds the lock. */
  private beatAt = Date.now();
  private holderHeardAt = Date.now();
  private mayLack: boolean;

  constructor(private readonly tab: Tab) {
    // Named by the person: nobody hears what somebody else is told, who signs in beside them.
    this.name = `vigia-changes-${tab.operatorId}`;
    this.mayLack = tab.last !== null;
    this.others = new BroadcastChannel(this.name);
    this.others.onmessage = ({ data }: MessageEvent<News | typeof ASK>) => {
      if (data !== ASK) this.hearHolder(data);
      else if (this.held) this.tell(null);
    };
    this.timer = setInterval(() => {
      this.look();
    }, LOOK_EVERY_MS);
    this.others.postMessage(ASK);
    tab.onLiveness(this.liveness);
    void this.takeTurns();
  }

  leave(): void {
    this.left.abort();
    clearInterval(this.timer);
    this.others.close();
  }

  /** The browser gives the lock on when its holder leaves, is closed or crashes. */
  private async takeTurns(): Promise<void> {
    const { signal } = this.left;
    // Browsers have locks in secure contexts only. Elsewhere each tab that is seen has a stream, and the service ends
    // the oldest before the browser has no connection left.
    if (!('locks' in navigator)) return this.hold(signal);
    while (!signal.aborted) await this.holdLock({ signal });
  }

  private async holdLock(options: LockOptions): Promise<void> {
    const lost = new AbortController();
    const lose = (): void => {
      lost.abort();
    };
    this.left.signal.addEventListener('abort', lose, { once: true });
    try {
      await navigator.locks.request(this.name, options, () => this.hold(lost.signal));
    } catch (error) {
      // This tab has left, or another one took the lock because it heard nothing from here.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    } finally {
      lose();
    }
  }

  /** Reads the stream, again and again, and tells the other tabs. */
  private async hold(lost: AbortSignal): Promise<void> {
    if (lost.aborted) return;
    this.held = lost;
    lost.addEventListener('abort', () => {
      this.held = null;
      this.holderHeardAt = Date.now();
      this.connection?.abort();
    });
    let wait = FIRST_WAIT_MS;
    while (this.held === lost) {
      this.connection = new AbortController();
      this.beatAt = Date.now();
      const end = await readStream(this.tab.operatorId, this.tab.last, this.connection.signal, (message) => {
        this.beatAt = Date.now();
        // The stream goes on where this tab stopped listening, and so brings all that it lacks.
        this.mayLack = false;
        this.take(message);
        this.become('LIVE');
        this.tell(message);
      });
      if (this.held !== lost) break;
      this.become(end === 'REPLACED' || end === 'OVERLOADED' ? end : 'ASKING');
      this.tell(null);
      if (end === 'OVER') wait = FIRST_WAIT_MS;
      // Another browser of this person has the stream: the two must not take it from each other all the time.
      else wait = end === 'REPLACED' ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, wait * 2);
      await passed(wait, lost);
    }
  }

  private tell(message: StreamMessage | null): void {
    if (this.left.signal.aborted) return;
    const { liveness, beatAt } = this;
    this.others.postMessage({ liveness, beatAt, last: this.tab.last, message } satisfies News);
  }

  private hearHolder({ liveness, beatAt, last, message }: News): void {
    if (this.held) return;
    this.holderHeardAt = Date.now();
    this.beatAt = beatAt;
    if (this.mayLack && liveness === 'LIVE') {
      this.mayLack = false;
      void queries.invalidateQueries();
    }
    if (message) this.take(message);
    this.tab.last = last ?? this.tab.last;
    this.become(liveness);
  }

  private take(message: StreamMessage): void {
    this.tab.last = message.id ?? this.tab.last;
    apply(message);
  }

  /** By the clock, so that a computer that slept knows what it has not heard. */
  private look(): void {
    const now = Date.now();
    if (now - this.beatAt > SILENT_MS) {
      if (this.liveness === 'LIVE') this.become('ASKING');
      this.connection?.abort();
    }
    if (this.held) this.tell(null);
    else if (now - this.holderHeardAt > HOLDER_SILENT_MS) {
      // The holder hangs: its tab is there and says nothing.
      this.holderHeardAt = now;
      void this.holdLock({ steal: true });
    }
  }

  private become(liveness: Liveness): void {
    if (this.left.signal.aborted) return;
    this.liveness = liveness;
    this.tab.onLiveness(liveness);
  }
}

const passed = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    stop.addEventListener('abort', end, { once: true });
  });

function apply({ event, data }: StreamMessage): void {
  if (event === 'badges') queries.setQueryData(['counts'], JSON.parse(data));
  if (event === 'reset') void queries.invalidateQueries();
  if (event !== 'change') return;
  const { type, id = '' } = JSON.parse(data) as { readonly type?: string; readonly id?: string };
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
