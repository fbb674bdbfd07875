/** A queued item, with the keys (such as network and account) that its turn is charged to, and the weight for each. */
export interface QueuedItem {
  readonly charges: readonly { readonly key: string; readonly weight: number }[];
}

interface WaitingItem<T> {
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
  private readonly waitingItems: WaitingItem<T>[] = [];
  private readonly lastTags = new Map<string, number>();
  /** The tag of the item that was served last: the virtual time of the queue. */
  private virtualTime = 0;
  private lastNumber = 0;

  constructor(private readonly capacity: number) {}

  get length(): number {
    return this.waitingItems.length;
  }

  items(): T[] {
    return this.waitingItems.map(({ item }) => item);
  }

  /** Adds an item. Returns null, or the item that a full queue drops, which may be the new item. */
  push(item: T): T | null {
    const tags = item.charges.map(
      ({ key, weight }) => Math.max(this.virtualTime, this.lastTags.get(key) ?? 0) + weight,
    );
    const tag = Math.max(this.virtualTime, ...tags);
    if (this.waitingItems.length >= this.capacity) {
      const last = this.waitingItems.reduce((a, b) => (isBefore(a, b) ? b : a));
      if (tag >= last.tag) return item;
      this.removeItem(last);
      this.insert(item, tag, tags);
      return last.item;
    }
    this.insert(item, tag, tags);
    return null;
  }

  /** Removes and returns the item whose turn it is. */
  shift(): T | null {
    const [head, ...rest] = this.waitingItems;
    if (!head) return null;
    const first = rest.reduce((a, b) => (isBefore(b, a) ? b : a), head);
    this.removeItem(first);
    this.virtualTime = first.tag;
    return first.item;
  }

  clear(): T[] {
    this.lastTags.clear();
    return this.waitingItems.splice(0).map(({ item }) => item);
  }

  private insert(item: T, tag: number, tags: readonly number[]): void {
    this.waitingItems.push({ item, tag, number: (this.lastNumber += 1) });
    item.charges.forEach(({ key }, i) => this.lastTags.set(key, tags[i] ?? tag));
    if (this.lastTags.size <= MAX_KEYS) return;
    for (const [key, last] of this.lastTags) if (last <= this.virtualTime) this.lastTags.delete(key);
  }

  private removeItem(one: WaitingItem<T>): void {
    this.waitingItems.splice(this.waitingItems.indexOf(one), 1);
  }
}

const isBefore = <T>(a: WaitingItem<T>, b: WaitingItem<T>): boolean =>
  a.tag < b.tag || (a.tag === b.tag && a.number < b.number);
