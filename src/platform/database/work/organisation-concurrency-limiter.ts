import { AsyncScope } from '../../kernel/index.js';

interface Waiting {
  readonly organisationId: string;
  readonly since: number;
  readonly enter: () => void;
}

// One connection in four is reserved for organisations that hold few.
const KEPT_SHARE = 4;
// Others that hold fewer may come faster than slots are freed.
const OVERDUE_MS = 1_000;

/** Equals the error of the pool itself after its timeout. */
const tooLate = (): Error => new Error('timeout exceeded when trying to connect');

/**
 * Keeps one organisation from holding every connection of a process. Any organisation can use three quarters of the
 * connections; the last quarter is reserved for organisations that hold few. Work for several organisations, such as a
 * batch of submissions, and work with a system scope are not limited.
 */
export class OrganisationConcurrencyLimiter {
  private readonly held = new Map<string, number>();
  private readonly inside = new AsyncScope<true>();
  private readonly kept: number;
  /** How many slots an organisation may hold of the reserved ones. */
  private readonly fewest: number;
  /** While at most this many slots are taken, work may take further slots for what it begins itself. */
  private readonly plenty: number;
  private taken = 0;
  private waiting: Waiting[] = [];

  constructor(
    private readonly size: number,
    private readonly timeoutMs: number,
  ) {
    this.kept = Math.ceil(size / KEPT_SHARE);
    this.fewest = Math.ceil(this.kept / 2);
    // Work that holds one slot must be able to get a reserved one, or others could keep it waiting.
    this.plenty = this.fewest < 2 ? 0 : Math.floor(size / 2);
  }

  /** Runs the work in a slot of the organisation. Rejects if no slot becomes free in time. */
  async runInSlot<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    // Work inside a slot may need a second connection. It takes no second slot, or it could wait for itself. Only work
    // that begins while slots are plentiful may: the others finish without it and leave it theirs.
    if (this.inside.value) return work();
    if (this.mayEnter(organisationId)) this.take(organisationId);
    else await this.turn(organisationId);
    try {
      return await (this.taken <= this.plenty ? work() : this.inside.run(true, work));
    } finally {
      this.leave(organisationId);
    }
  }

  private mayEnter(organisationId: string): boolean {
    if (this.taken < this.size - this.kept) return true;
    return this.taken < this.size && (this.held.get(organisationId) ?? 0) < this.fewest;
  }

  private take(organisationId: string): void {
    this.taken += 1;
    this.held.set(organisationId, (this.held.get(organisationId) ?? 0) + 1);
  }

  private leave(organisationId: string): void {
    this.taken -= 1;
    const left = (this.held.get(organisationId) ?? 1) - 1;
    if (left === 0) this.held.delete(organisationId);
    else this.held.set(organisationId, left);
    this.admit();
  }

  /** Gives a free slot to whoever is overdue, else to the organisation that holds the fewest and has waited the longest. */
  private admit(): void {
    const ready = this.waiting.filter(({ organisationId }) => this.mayEnter(organisationId));
    const next =
      ready.find(({ since }) => performance.now() - since > OVERDUE_MS) ??
      ready.reduce<Waiting | null>(
        (best, one) => (best && this.has(best) <= this.has(one) ? best : one),
        null,
      );
    if (!next) return;
    this.waiting = this.waiting.filter((one) => one !== next);
    this.take(next.organisationId);
    next.enter();
  }

  private has({ organisationId }: Waiting): number {
    return this.held.get(organisationId) ?? 0;
  }

  private turn(organisationId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        // If this process itself was blocked, others first end the work whose answers have arrived meanwhile.
        setImmediate(() => {
          if (!this.waiting.includes(waiting)) return;
          this.waiting = this.waiting.filter((one) => one !== waiting);
          reject(tooLate());
        });
      }, this.timeoutMs);
      const enter = (): void => {
        clearTimeout(late);
        resolve();
      };
      const waiting: Waiting = { organisationId, since: performance.now(), enter };
      this.waiting.push(waiting);
    });
  }
}
