import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditTrail, type Acting } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { UnitOfWork } from '../database/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { sealContext, Vault } from '../privacy/index.js';
import { stepOf } from './acting.js';
import { CustomerTies } from './customer-ties.js';
import type { CustomerProfile } from './domain/customer.js';
import { stricter, together, type Merge } from './domain/merging.js';
import { MergeRepository, type Absorbed, type MergeableCustomer } from './store/merge.repository.js';

const LOOK_MS = 1_000;
// What another process still wrote for the old record is moved after this time, and again until the window is over.
const SETTLE_SECONDS = 5;
const WINDOW_SECONDS = 60;
// Looked for each second; a few more for a database that was away.
const REKEYED_SECONDS = 10;
const MAX_TRIES = 5;

type Outcome = 'MERGED' | 'CHANGED' | 'NEVER';

/**
 * Makes two records one when they turn out to be the same person: a record without a document goes into the one that
 * has it. The old one stays as a sign to the other; what belongs to it moves, and its id goes on answering.
 */
@Injectable()
export class CustomerMerges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(CustomerMerges.name);
  private readonly listeners: ((ids: readonly string[]) => void)[] = [];
  private seen = new Map<string, number>();
  private rekeyed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly settings: Settings,
    private readonly ties: CustomerTies,
    private readonly merges: MergeRepository,
  ) {}

  /** Whoever remembers customers hears of those of whom something else is true now, also when another process did it. */
  onChanged(listener: (ids: readonly string[]) => void): void {
    this.listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.look().catch((error: unknown) => {
        this.logger.debug(`merges not seen: ${error instanceof Error ? error.name : 'unknown error'}`);
      });
    }, LOOK_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Merges, once however many try; false when the two must stay apart, or are one already. */
  async merge(acting: Acting, merge: Merge): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const outcome = await this.tryMerge(acting, merge);
      if (outcome !== 'CHANGED') return outcome === 'MERGED';
    }
    return false;
  }

  private tell(ids: readonly string[]): void {
    if (ids.length > 0) for (const listener of this.listeners) listener(ids);
  }

  private async tryMerge(acting: Acting, merge: Merge): Promise<Outcome> {
    const { organisationId, from: fromId, into: intoId } = merge;
    const rows = await this.merges.read(organisationId, [fromId, intoId]);
    const [from, into] = pairOf(rows, merge);
    if (!from || !into || !mayMerge(from, into)) return 'NEVER';
    const absorbed = await this.absorbed(from, into);
    if (!absorbed) return 'NEVER';
    const outcome = await this.uow.run(organisationId, async (tx): Promise<Outcome> => {
      const [held, kept] = pairOf(await this.merges.lock(tx, organisationId, [fromId, intoId]), merge);
      if (!held || !kept || !mayMerge(held, kept)) return 'NEVER';
      if (changed(held, from) || changed(kept, into)) return 'CHANGED';
      await this.merges.absorb(tx, intoId, absorbed);
      await this.merges.markMerged(tx, merge);
      const at = new Date(this.clock.now());
      await this.audit.record(tx, [
        stepOf(acting, fromId, 'customer.merged', at, { into: publicId('cus', intoId) }),
        stepOf(acting, intoId, 'customer.absorbed', at, {
          from: publicId('cus', fromId),
          legalHold: (kept.legalHoldAt ?? absorbed.hold?.at ?? null) !== null,
          riskLevel: absorbed.riskLevel,
        }),
      ]);
      await this.ties.move(tx, acting, { ...merge, subjectIndex: kept.subjectIndex });
      return 'MERGED';
    });
    if (outcome === 'MERGED') this.tell([fromId, intoId]);
    return outcome;
  }

  /** What the record that stays says afterwards; null when one of the two cannot be opened any more. */
  private async absorbed(from: MergeableCustomer, into: MergeableCustomer): Promise<Absorbed | null> {
    const { organisationId } = into;
    const [theirs, own] = await this.vault.openMany(
      [from, into].map((one) => ({ sealed: one.sealed, context: contextOf(one) })),
    );
    if (!theirs || !own) return null;
    const profile = together(profileIn(theirs), profileIn(own));
    // Under the key of the document, as all that is known of the person from now on.
    const subject = { organisationId, index: into.subjectIndex };
    const sealed = await this.vault.sealOne(JSON.stringify(profile), subject, contextOf(into));
    const hold = into.legalHoldAt ? null : await this.holdOf(from, into);
    return { ...stricter(from, into), sealed, named: profile.name !== null, hold };
  }

  private async holdOf(from: MergeableCustomer, into: MergeableCustomer): Promise<Absorbed['hold']> {
    const { legalHoldBy: by, legalHoldAt: at, legalHoldReason } = from;
    if (by === null || !at) return null;
    const [reason] = legalHoldReason
      ? await this.vault.openMany([{ sealed: legalHoldReason, context: holdContext(from) }])
      : [];
    const subject = this.vault.organisationSubject(into.organisationId);
    return { by, at, reason: reason ? await this.vault.sealOne(reason, subject, holdContext(into)) : null };
  }

  /** Learns of what other processes have merged, and moves what came late. */
  private async look(): Promise<void> {
    const lately = await this.merges.lately(WINDOW_SECONDS);
    const rekeyed = await this.merges.rekeyedLately(REKEYED_SECONDS);
    const before = this.seen;
    this.seen = new Map(lately.map((merge) => [merge.from, before.get(merge.from) ?? 0]));
    this.tell([
      ...lately.flatMap(({ from, into }) => (before.has(from) ? [] : [from, into])),
      ...rekeyed.flatMap(({ id, at }) => (this.rekeyed.has(id + at) ? [] : [id])),
    ]);
    this.rekeyed = new Set(rekeyed.map(({ id, at }) => id + at));
    for (const merge of lately) {
      // After five seconds, and once more before the window is over.
      const rounds = merge.ageSeconds > WINDOW_SECONDS / 2 ? 2 : merge.ageSeconds > SETTLE_SECONDS ? 1 : 0;
      if (this.settings.role === 'api' || (before.get(merge.from) ?? 0) >= rounds) continue;
      this.seen.set(merge.from, rounds);
      const { organisationId } = merge;
      const actor = { type: 'system', id: 'customers.merges' } as const;
      const acting = { organisationId, actor, requestId: null, correlationId: null };
      await this.uow.run(organisationId, (tx) => this.ties.move(tx, acting, merge));
    }
  }
}

/** Only a record without a document, into one that has it; so nothing is ever merged twice, or in a circle. */
const mayMerge = (from: MergeableCustomer, into: MergeableCustomer): boolean =>
  !from.document && !from.erasedAt && from.mergedInto === null && into.document !== null && !into.erasedAt;

const changed = (now: MergeableCustomer, before: MergeableCustomer): boolean =>
  !now.sealed.equals(before.sealed) ||
  now.legalHoldAt?.getTime() !== before.legalHoldAt?.getTime() ||
  now.riskLevel !== before.riskLevel ||
  now.relationshipEndedOn !== before.relationshipEndedOn ||
  now.restrictedAt?.getTime() !== before.restrictedAt?.getTime();

const pairOf = (
  rows: readonly MergeableCustomer[],
  { from, into }: Merge,
): [MergeableCustomer | undefined, MergeableCustomer | undefined] => [
  rows.find(({ id }) => id === from),
  rows.find(({ id }) => id === into),
];

const profileIn = (plain: Buffer): CustomerProfile => JSON.parse(plain.toString('utf8')) as CustomerProfile;

const contextOf = ({ id, organisationId }: MergeableCustomer): string =>
  sealContext('customers', id, organisationId);
const holdContext = (one: MergeableCustomer): string => `${contextOf(one)}|legal-hold`;
