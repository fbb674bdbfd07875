import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { AuditTrail, systemActor, type ActorContext } from '../audit/index.js';
import { Settings } from '../../platform/config/index.js';
import { CommitMarks, execute, system, UnitOfWork, type QuietCheck } from '../../platform/database/index.js';
import { Clock, publicId } from '../../platform/kernel/index.js';
import { Vault } from '../../platform/privacy/index.js';
import { Periodic } from '../../platform/schedule/index.js';
import { customerAuditDraft } from './audit-step.js';
import { CustomerRowRegistry } from './customer-row-registry.js';
import { profileContextOf, parseProfile } from './customer-seal.js';
import { knownName } from './domain/customer.js';
import { takeStricter, mergeProfiles, type CustomerRecordMerge } from './domain/merging.js';
import { CustomerEntity } from './store/entities.js';
import { hasWritten, LATELY, REKEYED_LATELY } from './store/merge.statements.js';

const POLL_MS = 1_000;
// Other processes may still write rows for the merged record. So its rows are moved again when the merge is 5 s old,
// and once more in the second half of the window.
const SETTLE_SECONDS = 5;
const WINDOW_SECONDS = 60;
// Changed keys are read every second; the other 9 s allow for an unreachable database.
const REKEYED_SECONDS = 10;
const MAX_TRIES = 5;

/** The new values of the surviving record, combined from both records. */
type Absorbed = Pick<CustomerEntity, keyof ReturnType<typeof takeStricter> | 'sealed' | 'named'> &
  Partial<Hold>;
type Hold = Pick<CustomerEntity, 'legalHoldBy' | 'legalHoldAt' | 'legalHoldReason'>;

type Outcome = 'MERGED' | 'CHANGED' | 'NEVER';

/**
 * Merges two records of one person: the record without a document into the record with it. The merged row stays and
 * points to the surviving record, so that its id still finds the customer. Rows of other tables move.
 */
@Injectable()
export class CustomerMergesService {
  private readonly listeners: ((ids: readonly string[]) => void)[] = [];
  private roundsMoved = new Map<string, number>();
  private announcedKeys = new Set<string>();
  private readonly quietCheck: QuietCheck;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly settings: Settings,
    private readonly customerRowRegistry: CustomerRowRegistry,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck();
  }

  /** Registers a listener for customers that were merged or got another key, in any process. */
  onChanged(listener: (ids: readonly string[]) => void): void {
    this.listeners.push(listener);
  }

  /** Merges the records once, however many callers try; false when they must stay apart or are merged already. */
  async merge(ctx: ActorContext, merge: CustomerRecordMerge): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const outcome = await this.tryMerge(ctx, merge);
      if (outcome !== 'CHANGED') return outcome === 'MERGED';
    }
    return false;
  }

  private notifyListeners(ids: readonly string[]): void {
    if (ids.length > 0) for (const listener of this.listeners) listener(ids);
  }

  private async tryMerge(ctx: ActorContext, merge: CustomerRecordMerge): Promise<Outcome> {
    const { organisationId, from: fromId, into: intoId } = merge;
    const both = { organisationId, id: In([fromId, intoId]) };
    const rows = await this.uow.read(organisationId, (db) => db.findBy(CustomerEntity, both));
    const [from, into] = pairOf(rows, merge);
    if (!from || !into || !mayMerge(from, into)) return 'NEVER';
    const absorbed = await this.composeAbsorbed(from, into);
    if (!absorbed) return 'NEVER';
    const outcome = await this.uow.run(organisationId, async (tx): Promise<Outcome> => {
      // Rows are locked in the order of their ids everywhere, so that two merges do not deadlock.
      const lockedCustomers = await tx.find(CustomerEntity, {
        where: both,
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      const [held, kept] = pairOf(lockedCustomers, merge);
      if (!held || !kept || !mayMerge(held, kept)) return 'NEVER';
      if (hasChanged(held, from) || hasChanged(kept, into)) return 'CHANGED';
      await tx.update(
        CustomerEntity,
        { id: intoId },
        { ...absorbed, profileVersion: () => 'profile_version + 1', updatedAt: () => 'now()' },
      );
      await tx.update(
        CustomerEntity,
        { id: fromId },
        { mergedInto: intoId, mergedAt: () => 'clock_timestamp()', updatedAt: () => 'now()' },
      );
      const now = new Date(this.clock.now());
      await this.audit.record(tx, [
        customerAuditDraft(ctx, fromId, 'customer.merged', now, { into: publicId('cus', intoId) }),
        customerAuditDraft(ctx, intoId, 'customer.absorbed', now, {
          from: publicId('cus', fromId),
          legalHold: (kept.legalHoldAt ?? absorbed.legalHoldAt ?? null) !== null,
          riskLevel: absorbed.riskLevel,
        }),
      ]);
      await this.customerRowRegistry.move(tx, ctx, { ...merge, subjectIndex: kept.subjectIndex });
      return 'MERGED';
    });
    if (outcome === 'MERGED') this.notifyListeners([fromId, intoId]);
    return outcome;
  }

  /** Returns the new values of the surviving record; null if one of the two profiles can no longer be decrypted. */
  private async composeAbsorbed(from: CustomerEntity, into: CustomerEntity): Promise<Absorbed | null> {
    const { organisationId } = into;
    const [theirs, own] = await this.vault.openMany(
      [from, into].map((one) => ({ sealed: one.sealed, context: profileContextOf(one) })),
    );
    if (!theirs || !own) return null;
    const profile = mergeProfiles(parseProfile(theirs), parseProfile(own));
    // The joined profile is encrypted under the data key of the surviving record.
    const subject = { organisationId, index: into.subjectIndex };
    const sealed = await this.vault.sealOne(JSON.stringify(profile), subject, profileContextOf(into));
    const hold = into.legalHoldAt ? {} : await this.copyHold(from, into);
    return { ...takeStricter(from, into), sealed, named: into.named || knownName(profile) !== null, ...hold };
  }

  private async copyHold(from: CustomerEntity, into: CustomerEntity): Promise<Partial<Hold>> {
    const { legalHoldBy, legalHoldAt, legalHoldReason: sealed } = from;
    if (legalHoldBy === null || !legalHoldAt) return {};
    const [reason] = sealed ? await this.vault.openMany([{ sealed, context: holdContext(from) }]) : [];
    const subject = this.vault.organisationSubject(into.organisationId);
    const legalHoldReason = reason ? await this.vault.sealOne(reason, subject, holdContext(into)) : null;
    return { legalHoldBy, legalHoldAt, legalHoldReason };
  }

  /** Announces merges and new keys of other processes to the listeners, and moves rows that were written late. */
  @Periodic({
    everyMs: POLL_MS,
    otherwise: 'merges of other processes are not seen',
    runsIn: 'every process',
  })
  async pollMerges(): Promise<void> {
    if (await this.quietCheck.isQuiet()) return;
    const { lately, rekeyed } = await this.uow.read(system('customers.merges-seen'), async (db) => ({
      lately: await execute(db, LATELY, [WINDOW_SECONDS]),
      rekeyed: await execute(db, REKEYED_LATELY, [REKEYED_SECONDS]),
    }));
    const before = this.roundsMoved;
    this.roundsMoved = new Map(lately.map((merge) => [merge.from, before.get(merge.from) ?? 0]));
    this.notifyListeners([
      ...lately.flatMap(({ from, into }) => (before.has(from) ? [] : [from, into])),
      ...rekeyed.flatMap(({ id, at }) => (this.announcedKeys.has(id + at) ? [] : [id])),
    ]);
    this.announcedKeys = new Set(rekeyed.map(({ id, at }) => id + at));
    if (lately.length === 0) this.quietCheck.settle();
    for (const merge of lately) {
      // Rows are moved when the merge is 5 s old, and once more in the second half of the window of 60 s.
      const rounds = merge.ageSeconds > WINDOW_SECONDS / 2 ? 2 : merge.ageSeconds > SETTLE_SECONDS ? 1 : 0;
      if (this.settings.role === 'api' || (before.get(merge.from) ?? 0) >= rounds) continue;
      this.roundsMoved.set(merge.from, rounds);
      const { organisationId } = merge;
      const ctx = systemActor(organisationId, 'customers.merges');
      await this.uow.run(organisationId, async (tx) => {
        await this.customerRowRegistry.move(tx, ctx, { ...merge, asksAnew: false });
        if (!(await hasWritten(tx))) return;
        const content = { from: publicId('cus', merge.from), late: true };
        const now = new Date(this.clock.now());
        await this.audit.record(tx, customerAuditDraft(ctx, merge.into, 'customer.absorbed', now, content));
      });
    }
  }
}

/** True if `from` has no document and `into` has one, so that no record is merged twice or in a circle. */
const mayMerge = (from: CustomerEntity, into: CustomerEntity): boolean =>
  !from.documentIndex &&
  !from.erasedAt &&
  from.mergedInto === null &&
  into.documentIndex !== null &&
  !into.erasedAt;

const hasChanged = (now: CustomerEntity, before: CustomerEntity): boolean =>
  !now.sealed.equals(before.sealed) ||
  now.legalHoldAt?.getTime() !== before.legalHoldAt?.getTime() ||
  now.riskLevel !== before.riskLevel ||
  now.riskSingleControl !== before.riskSingleControl ||
  now.relationshipEndedOn !== before.relationshipEndedOn ||
  now.restrictedAt?.getTime() !== before.restrictedAt?.getTime();

const pairOf = (
  rows: readonly CustomerEntity[],
  { from, into }: CustomerRecordMerge,
): [CustomerEntity | undefined, CustomerEntity | undefined] => [
  rows.find(({ id }) => id === from),
  rows.find(({ id }) => id === into),
];

const holdContext = (one: CustomerEntity): string => `${profileContextOf(one)}|legal-hold`;
