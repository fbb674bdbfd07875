import { Injectable } from '@nestjs/common';
import { AuditTrail, type ActorContext } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { UnitOfWork } from '../database/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { Vault } from '../privacy/index.js';
import { Periodic } from '../schedule/index.js';
import { stepOf } from './audit-step.js';
import { CustomerLinks } from './customer-links.js';
import { contextOf, profileIn } from './customer-seal.js';
import { stricter, together, type Merge } from './domain/merging.js';
import { MergeRepository, type Absorbed, type MergeableCustomer } from './store/merge.repository.js';

const LOOK_MS = 1_000;
// Other processes may still write for the old record: rows are moved after this time, and again until the window is
// over.
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
export class CustomerMerges {
  private readonly listeners: ((ids: readonly string[]) => void)[] = [];
  private seen = new Map<string, number>();
  private rekeyed = new Set<string>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly settings: Settings,
    private readonly links: CustomerLinks,
    private readonly merges: MergeRepository,
  ) {}

  /** Caches of customers are told which customers changed, also by another process. */
  onChanged(listener: (ids: readonly string[]) => void): void {
    this.listeners.push(listener);
  }

  /** Merges, once however many try; false when the two must stay apart, or are one already. */
  async merge(ctx: ActorContext, merge: Merge): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const outcome = await this.tryMerge(ctx, merge);
      if (outcome !== 'CHANGED') return outcome === 'MERGED';
    }
    return false;
  }

  private tell(ids: readonly string[]): void {
    if (ids.length > 0) for (const listener of this.listeners) listener(ids);
  }

  private async tryMerge(ctx: ActorContext, merge: Merge): Promise<Outcome> {
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
        stepOf(ctx, fromId, 'customer.merged', at, { into: publicId('cus', intoId) }),
        stepOf(ctx, intoId, 'customer.absorbed', at, {
          from: publicId('cus', fromId),
          legalHold: (kept.legalHoldAt ?? absorbed.hold?.at ?? null) !== null,
          riskLevel: absorbed.riskLevel,
        }),
      ]);
      await this.links.move(tx, ctx, { ...merge, subjectIndex: kept.subjectIndex });
      return 'MERGED';
    });
    if (outcome === 'MERGED') this.tell([fromId, intoId]);
    return outcome;
  }

  /** Returns the content of the surviving record; null when one of the two cannot be opened any more. */
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
  @Periodic({
    everyMs: LOOK_MS,
    otherwise: 'merges of other processes are not seen',
    runsIn: 'every process',
  })
  async look(): Promise<void> {
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
      const ctx = { organisationId, actor, requestId: null, correlationId: null };
      await this.uow.run(organisationId, (tx) => this.links.move(tx, ctx, merge));
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

const holdContext = (one: MergeableCustomer): string => `${contextOf(one)}|legal-hold`;
