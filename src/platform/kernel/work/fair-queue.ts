/** A queued item, with the keys (such as network and account) that its turn is charged to, and the weight for each. */
export interface QueuedItem {
  readonly charges: readonly { readonly key: string; readonly weight: number }[];
}

interface Waiting<T> {
  readonly item: T;
  readonly tag: number;
  readonly number: number;
}

// Above this number, keys without a waiting item are dropped.
const MAX_KEYS = 5_000;

/**
 * A bounded queue that is fair between the keys of its items (start-time fair queueing): a key with many items gets no
 * more turns than a key with one. A full queue drops the item that would be served last.
 */
export class FairQueue<T extends QueuedItem> {
  private readonly waiting: Waiting<T>[] = [];
  private readonly lastTags = new Map<string, number>();
  /** The tag of the item that was served last: the virtual time of the queue. */
  private now = 0;
  private count = 0;

  constructor(private readonly capacity: number) {}

  get length(): number {
    return this.waiting.length;
  }

  items(): T[] {
    return this.waiting.map(({ item }) => item);
  }

  /** Adds an item. Returns null, or the item that a full queue drops, which may be the new item. */
  push(item: T): T | null {
    const tags = item.charges.map(
      ({ key, weight }) => Math.max(this.now, this.lastTags.get(key) ?? 0) + weight,
    );
    const tag = Math.max(this.now, ...tags);
    if (this.waiting.length >= this.capacity) {
      const last = this.waiting.reduce((a, b) => (isBefore(a, b) ? b : a));
      if (tag >= last.tag) return item;
      this.take(last);
      this.insert(item, tag, tags);
      return last.item;
    }
    this.insert(item, tag, tags);
    return null;
  }

  /** Removes and returns the item whose turn it is. */
  shift(): T | null {
    const [head, ...rest] = this.waiting;
    if (!head) return null;
    const first = rest.reduce((a, b) => (isBefore(b, a) ? b : a), head);
    this.take(first);
    this.now = first.tag;
    return first.item;
  }

  clear(): T[] {
    this.lastTags.clear();
    return this.waiting.splice(0).map(({ item }) => item);
  }

  private insert(item: T, tag: number, tags: readonly number[]): void {
    this.waiting.push({ item, tag, number: (this.count += 1) });
    item.charges.forEach(({ key }, i) => this.lastTags.set(key, tags[i] ?? tag));
    if (this.lastTags.size <= MAX_KEYS) return;
    for (const [key, last] of this.lastTags) if (last <= this.now) this.lastTags.delete(key);
  }

  private take(one: Waiting<T>): void {
    this.waiting.splice(this.waiting.indexOf(one), 1);
  }
}

const isBefore = <T>(a: Waiting<T>, b: Waiting<T>): boolean =>
  a.tag < b.tag || (a.tag === b.tag && a.number < b.number);
