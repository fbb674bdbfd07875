import { AsyncScope } from '../../kernel/index.js';

interface WaitingWork {
  readonly organisationId: string;
  readonly since: number;
  readonly enter: () => void;
}

// One connection in four is reserved for organisations that hold few connections.
const KEPT_SHARE = 4;
// Work that waits longer comes first: organisations that hold fewer slots may ask faster than slots are freed.
const OVERDUE_MS = 1_000;

// A timer that fires later than this was kept by a process that was blocked.
const BLOCKED_MS = 10;

/** Equals the error of the pool itself after its timeout. */
const timeoutError = (): Error => new Error('timeout exceeded when trying to connect');

/**
 * Keeps one organisation from holding every connection of a process. Any organisation can use three quarters of the
 * connections; the last quarter is reserved for organisations that hold few. Work for several organisations, such as a
 * batch of submissions, and work with a system scope are not limited.
 */
export class OrganisationConcurrencyLimiter {
  private readonly heldByOrganisation = new Map<string, number>();
  private readonly insideSlot = new AsyncScope<true>();
  private readonly reservedSlots: number;
  /** How many of the reserved slots an organisation may hold. */
  private readonly maxReserved: number;
  /** While at most this many slots are taken, work inside a slot may take further slots. */
  private readonly plentifulSlots: number;
  private takenSlots = 0;
  private waitingWork: WaitingWork[] = [];

  constructor(
    private readonly size: number,
    private readonly timeoutMs: number,
  ) {
    this.reservedSlots = Math.ceil(size / KEPT_SHARE);
    this.maxReserved = Math.ceil(this.reservedSlots / 2);
    // Work that holds one slot must be able to get a reserved one, or other work could keep it waiting.
    this.plentifulSlots = this.maxReserved < 2 ? 0 : Math.floor(size / 2);
  }

  /** Runs the work in a slot of the organisation. Rejects if no slot becomes free in time. */
  async runInSlot<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    // Work inside a slot may need a second connection. It takes no second slot, because it could wait for itself. Work
    // that began while slots were plentiful may take one: all other work finishes without it and frees its slots.
    if (this.insideSlot.value) return work();
    if (this.mayEnter(organisationId)) this.takeSlot(organisationId);
    else await this.waitForSlot(organisationId);
    try {
      return await (this.takenSlots <= this.plentifulSlots ? work() : this.insideSlot.run(true, work));
    } finally {
      this.leaveSlot(organisationId);
    }
  }

  private mayEnter(organisationId: string): boolean {
    if (this.takenSlots < this.size - this.reservedSlots) return true;
    return (
      this.takenSlots < this.size && (this.heldByOrganisation.get(organisationId) ?? 0) < this.maxReserved
    );
  }

  private takeSlot(organisationId: string): void {
    this.takenSlots += 1;
    this.heldByOrganisation.set(organisationId, (this.heldByOrganisation.get(organisationId) ?? 0) + 1);
  }

  private leaveSlot(organisationId: string): void {
    this.takenSlots -= 1;
    const remaining = (this.heldByOrganisation.get(organisationId) ?? 1) - 1;
    if (remaining === 0) this.heldByOrganisation.delete(organisationId);
    else this.heldByOrganisation.set(organisationId, remaining);
    this.admitNext();
  }

  /** Gives a free slot to whoever is overdue, else to the organisation that holds the fewest and has waited the longest. */
  private admitNext(): void {
    const ready = this.waitingWork.filter(({ organisationId }) => this.mayEnter(organisationId));
    const next =
      ready.find(({ since }) => performance.now() - since > OVERDUE_MS) ??
      ready.reduce<WaitingWork | null>(
        (best, one) => (best && this.heldBy(best) <= this.heldBy(one) ? best : one),
        null,
      );
    if (!next) return;
    this.waitingWork = this.waitingWork.filter((one) => one !== next);
    this.takeSlot(next.organisationId);
    next.enter();
  }

  private heldBy({ organisationId }: WaitingWork): number {
    return this.heldByOrganisation.get(organisationId) ?? 0;
  }

  private waitForSlot(organisationId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        this.waitingWork = this.waitingWork.filter((one) => one !== waiting);
        reject(timeoutError());
      };
      const due = performance.now() + this.timeoutMs;
      let late = setTimeout(() => {
        // The time for which this process itself was blocked counts once more: answers that arrived meanwhile free slots.
        const blockedMs = performance.now() - due;
        if (blockedMs < BLOCKED_MS) refuse();
        else late = setTimeout(refuse, blockedMs);
      }, this.timeoutMs);
      const enter = (): void => {
        clearTimeout(late);
        resolve();
      };
      const waiting: WaitingWork = { organisationId, since: performance.now(), enter };
      this.waitingWork.push(waiting);
    });
  }
}
