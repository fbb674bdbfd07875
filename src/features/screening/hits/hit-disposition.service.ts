import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { In, MoreThan, Raw } from 'typeorm';
import { type AuditContent, systemActor, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { CustomersService } from '../../customers/index.js';
import { UnitOfWork, type Reader, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, newUuid, pick } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { MetricsRegistry } from '../../../platform/telemetry/index.js';
import { dispositionWhenMatchedAgain, type HitStatus, type RememberedDisposition } from '../domain/hit.js';
import type { Match } from '../domain/party.js';
import { SCORER_VERSION } from '../domain/names/pair-scorer.js';
import type { AlignmentLine } from '../domain/names/unmatched-cost.js';
import type { HitRow } from '../domain/records.js';
import { ScreeningEntryEntity, ScreeningHitEntity } from '../store/entities.js';
import {
  HitRepository,
  type CurrentHit,
  type FoundHit,
  type HitFilter,
  type HitKey,
  type KnownHit,
} from '../store/hit.repository.js';

/** The explanation of a hit, encrypted with the data key of its person. */
export interface HitExplanation {
  /** The name that was screened. */
  readonly asked: string | null;
  /** The matched name of the entry, as its tokens. */
  readonly found: string;
  readonly alignment: readonly AlignmentLine[];
  /** Kinds of values that are equal. */
  readonly equal: readonly string[];
}

export interface RecordedMatch extends CurrentMatch {
  readonly hitId: string;
}

/** A match with its disposition; PENDING if it has none. */
export interface CurrentMatch extends Match {
  readonly status: HitStatus;
  /** True if one person alone has decided. */
  readonly singleControl: boolean;
}

/** A match with the values that identify its hit. */
interface NamedMatch {
  readonly match: Match;
  readonly name: HitKey;
  /** The same values as one string, for use as a map key. */
  readonly key: string;
}

// `entryKeys` caches the key of each entry version; an entry version never changes.
const KEYS_REMEMBERED = 50_000;

/** Stores hits, one for each person and entry, with their dispositions. */
@Injectable()
export class HitDispositionService {
  private readonly hitCounter: Counter<'kind' | 'mandatory'>;
  private readonly entryKeys = new Map<string, string>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly hits: HitRepository,
    private readonly outbox: Outbox,
    metrics: MetricsRegistry,
  ) {
    this.hitCounter = new Counter({
      name: 'vigia_screening_hits_total',
      help: 'New hits, by kind of list and whether a person must decide.',
      labelNames: ['kind', 'mandatory'],
      registers: [metrics.registry],
    });
  }

  /**
   * Stores new hits, reopens hits whose entry has changed, and returns every match with its hit. A dismissed hit stays
   * dismissed while its entry is unchanged. `opensCases`: new hits open cases themselves, because no transaction does.
   */
  async recordMatches(
    organisationId: string,
    matches: readonly Match[],
    by: string,
    { opensCases = false }: { readonly opensCases?: boolean } = {},
  ): Promise<RecordedMatch[]> {
    if (matches.length === 0) return [];
    const namedMatches = await this.nameMatches(organisationId, matches);
    const knownHits = await this.findKnown(organisationId, namedMatches);
    const now = new Date(this.clock.now());
    const pending = namedMatches.filter(({ match, key }) => changesHit(match, knownHits.get(key), now));
    if (pending.length > 0) {
      await this.storeHits(organisationId, pending, knownHits, by, opensCases);
      for (const [key, hit] of await this.findKnown(organisationId, namedMatches)) knownHits.set(key, hit);
    }
    const recorded = namedMatches.flatMap(({ match, key }) => {
      const hit = knownHits.get(key);
      return hit ? [{ ...match, hitId: hit.id, status: hit.status, singleControl: hit.singleControl }] : [];
    });
    return this.recordCleared(organisationId, recorded);
  }

  /** Records which transactions a dismissal clears. A hit that was reopened meanwhile clears none. */
  private async recordCleared(
    organisationId: string,
    matches: readonly RecordedMatch[],
  ): Promise<RecordedMatch[]> {
    const clearedUses = matches.flatMap(({ hitId, status, party: { transactionRef } }) =>
      status === 'DISMISSED_FALSE_POSITIVE' && transactionRef !== null ? [{ hitId, transactionRef }] : [],
    );
    if (clearedUses.length === 0) return [...matches];
    const clearedIds = await this.uow.run(organisationId, (tx) =>
      this.hits.recordUses(tx, organisationId, clearedUses),
    );
    return matches.map((match) =>
      match.status === 'DISMISSED_FALSE_POSITIVE' &&
      match.party.transactionRef !== null &&
      !clearedIds.has(match.hitId)
        ? { ...match, status: 'PENDING' }
        : match,
    );
  }

  /** Returns the current status of matches, stores nothing. New matches and changed entries are PENDING. */
  async previewStatuses(organisationId: string, matches: readonly Match[]): Promise<CurrentMatch[]> {
    if (matches.length === 0) return [];
    const namedMatches = await this.nameMatches(organisationId, matches);
    const knownHits = await this.findKnown(organisationId, namedMatches);
    const now = new Date(this.clock.now());
    return namedMatches.map(({ match, key }) => {
      const hit = knownHits.get(key);
      const stands = hit && dispositionNow(hit, match, now) === 'UNCHANGED';
      return {
        ...match,
        status: stands ? hit.status : 'PENDING',
        singleControl: stands ? hit.singleControl : false,
      };
    });
  }

  /** Returns hits, newest first; one more than `limit` if there are more. Follows merges of the customer. */
  async page(
    organisationId: string,
    filter: HitFilter,
    before: string | null,
    limit: number,
  ): Promise<HitRow[]> {
    const customerId = await this.customers.resolveId(organisationId, filter.customerId);
    const forCustomerId = await this.customers.resolveId(organisationId, filter.forCustomerId);
    return this.hits.page(organisationId, { ...filter, customerId, forCustomerId }, before, limit);
  }

  /** Returns the hits of people whom the transaction does not name now, from their last screening. */
  async currentHits(organisationId: string, subjects: readonly Buffer[]): Promise<CurrentHit[]> {
    const hits = await this.hits.currentHits(organisationId, subjects);
    const now = new Date(this.clock.now());
    const expired = hits.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
    if (expired.length === 0) return hits;
    await this.reopenExpired(
      organisationId,
      expired.map(({ hitId }) => hitId),
      now,
    );
    return hits.map((hit) => (expired.includes(hit) ? { ...hit, status: 'PENDING', expiresAt: null } : hit));
  }

  /** Reopens hits whose dismissal has expired. */
  private async reopenExpired(organisationId: string, ids: readonly string[], at: Date): Promise<void> {
    const ctx = systemActor(organisationId, 'screening.memory');
    await this.uow.run(organisationId, async (tx) => {
      const reopenedIds = await this.hits.reopenExpired(tx, organisationId, ids, at);
      await this.audit.record(
        tx,
        reopenedIds.map((id) =>
          auditDraftOf(ctx, 'screening_hit', id, 'hit.reopened', at, {
            before: 'DISMISSED_FALSE_POSITIVE',
            expired: true,
          }),
        ),
      );
    });
  }

  /** Returns mandatory hits about these customers or with these ids: undecided, or decided after `decidedAfter`. */
  async findUndecided(
    reader: Reader,
    organisationId: string,
    of: Readonly<Record<'customerIds' | 'hitIds', readonly string[]>> & { readonly decidedAfter?: Date },
  ): Promise<Pick<HitRow, 'id' | 'customerId'>[]> {
    const mandatory = { organisationId, mandatory: true };
    const open = [
      { ...mandatory, status: 'PENDING' as const },
      ...(of.decidedAfter ? [{ ...mandatory, decidedAt: MoreThan(of.decidedAfter) }] : []),
    ];
    return reader.find(ScreeningHitEntity, {
      select: { id: true, customerId: true },
      where: open.flatMap((one) => [
        { ...one, id: In([...of.hitIds]) },
        { ...one, customerId: In([...of.customerIds]) },
      ]),
      order: { id: 'ASC' },
    });
  }

  /** Returns the organisations that have one of these hits without its case. */
  async organisationsAwaitingCases(db: Reader, ids: readonly string[]): Promise<string[]> {
    const rows = await db.find(ScreeningHitEntity, {
      select: { id: true, organisationId: true },
      where: { id: In([...ids]), awaitsCase: true },
    });
    return [...new Set(rows.map(({ organisationId }) => organisationId))];
  }

  /** Counts the open hits, up to `most`. */
  countOpen(organisationId: string, most: number): Promise<number> {
    return this.hits.countOpen(organisationId, most);
  }

  /** Returns and locks the hits that wait for a case. */
  async lockHitsAwaitingCase(tx: Tx, ids: readonly string[]): Promise<HitRow[]> {
    return this.hits.lockAwaiting(tx, ids);
  }

  async markCasesOpened(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.update(ScreeningHitEntity, { id: In([...ids]) }, { awaitsCase: false });
  }

  /** Finds hits that have waited for a case for longer than this many seconds. */
  async findOverdueHits(tx: Tx, seconds: number): Promise<string[]> {
    const long = Raw((seen) => `${seen} < now() - make_interval(secs => :seconds)`, { seconds });
    const rows = await tx.find(ScreeningHitEntity, {
      select: { id: true },
      where: { awaitsCase: true, lastSeenAt: long },
      order: { id: 'ASC' },
      take: 1_000,
    });
    return rows.map(({ id }) => id);
  }

  /** Returns the hits with these ids; ids of another organisation are left out. */
  async findByIds(organisationId: string, ids: readonly string[]): Promise<HitRow[]> {
    return this.hits.findByIds(organisationId, ids);
  }

  async get(organisationId: string, id: string): Promise<HitRow> {
    const [hit] = await this.hits.findByIds(organisationId, [id]);
    if (!hit) throw new DomainError('HIT_NOT_FOUND');
    return hit;
  }

  /** Decrypts the explanations of hits, in order; null if the person was erased. */
  async readExplanations(rows: readonly HitRow[]): Promise<(HitExplanation | null)[]> {
    const plaintexts = await this.vault.openMany(
      rows.map((row) => ({ sealed: row.sealedExplanation, context: explanationContext(row) })),
    );
    return plaintexts.map((plain) => (plain ? (JSON.parse(plain.toString('utf8')) as HitExplanation) : null));
  }

  async readJustifications(rows: readonly HitRow[]): Promise<(string | null)[]> {
    const leaders = await this.hits.findByIds(
      rows[0]?.organisationId ?? '',
      rows.flatMap(({ decidedAs }) => decidedAs ?? []),
    );
    const sealedTexts = [...rows, ...leaders].flatMap((row) =>
      row.justification === null
        ? []
        : [{ id: row.id, sealed: row.justification, context: justificationEncryptionContext(row) }],
    );
    const plaintexts = await this.vault.openMany(sealedTexts);
    const byId = new Map(sealedTexts.map((row, i) => [row.id, plaintexts[i]?.toString('utf8') ?? null]));
    return rows.map(({ id, decidedAs }) => byId.get(decidedAs ?? id) ?? null);
  }

  private async findKnown(
    organisationId: string,
    named: readonly NamedMatch[],
  ): Promise<Map<string, KnownHit>> {
    const knownHits = await this.hits.findKnown(
      organisationId,
      named.map(({ name }) => name),
    );
    return new Map(knownHits.map((hit) => [keyOf(hit), hit]));
  }

  private async storeHits(
    organisationId: string,
    pending: readonly NamedMatch[],
    known: ReadonlyMap<string, KnownHit>,
    by: string,
    opensCases: boolean,
  ): Promise<void> {
    await this.vault.prepare(pending.map(({ match }) => match.party.subject));
    const ctx = systemActor(organisationId, by);
    const occurredAt = new Date(this.clock.now());
    const prepared = pending.map(({ match, name, key }) => {
      const before = known.get(key);
      return { before, hit: this.prepareHit(organisationId, match, name.entryKey, before?.id ?? newUuid()) };
    });
    const isNew = prepared.flatMap(({ before, hit }) => (before ? [] : [hit]));
    await this.uow.run(organisationId, async (tx) => {
      const insertedIds = await this.hits.insert(tx, organisationId, isNew);
      const drafts = isNew
        .filter(({ id }) => insertedIds.has(id))
        .map((hit) => auditDraftOf(ctx, 'screening_hit', hit.id, 'hit.found', occurredAt, contentOf(hit)));
      for (const { before, hit } of prepared) {
        if (!before) continue;
        if (dispositionNow(before, hit.match, occurredAt) === 'UNCHANGED') {
          await this.hits.makeMandatory(tx, organisationId, hit);
        } else if (await this.hits.reopen(tx, organisationId, hit, occurredAt)) {
          const content = { ...contentOf(hit), before: before.status };
          drafts.push(auditDraftOf(ctx, 'screening_hit', hit.id, 'hit.reopened', occurredAt, content));
        }
      }
      await this.audit.record(tx, drafts);
      if (!opensCases) return;
      const ids = prepared.map(({ hit }) => hit.id);
      this.outbox.append(tx, 'reviews.hits', await this.hits.markAwaitingCase(tx, organisationId, ids));
    });
    for (const { match } of isNew) {
      this.hitCounter.inc({ kind: match.list.kind, mandatory: String(match.mandatory) });
    }
  }

  private prepareHit(organisationId: string, match: Match, entryKey: string, id: string): FoundHit {
    const { party, list } = match;
    const explanation: HitExplanation = {
      asked: party.name,
      found: match.name,
      alignment: match.alignment,
      equal: match.equal,
    };
    const context = explanationContext({ id, organisationId });
    const sealedExplanation = this.vault.seal(JSON.stringify(explanation), party.subject, context);
    return { id, entryKey, match, snapshotId: list.snapshotId ?? list.id, sealedExplanation };
  }

  /** Adds to each match the values that identify its hit, by the list's own key of the entry. */
  private async nameMatches(organisationId: string, matches: readonly Match[]): Promise<NamedMatch[]> {
    if (this.entryKeys.size > KEYS_REMEMBERED) this.entryKeys.clear();
    const missingEntryIds = [...new Set(matches.map(({ entryId }) => entryId))].filter(
      (id) => !this.entryKeys.has(id),
    );
    if (missingEntryIds.length > 0) {
      const entries = await this.uow.read(organisationId, (db) =>
        db.find(ScreeningEntryEntity, {
          select: { id: true, entryKey: true },
          where: { organisationId, id: In(missingEntryIds) },
        }),
      );
      for (const { id, entryKey } of entries) this.entryKeys.set(id, entryKey);
    }
    return matches.flatMap((match) => {
      const entryKey = this.entryKeys.get(match.entryId);
      if (entryKey === undefined) return [];
      const { subject, forCustomerId = null } = match.party;
      const name = { subjectIndex: subject.index, listId: match.list.id, entryKey, forCustomerId };
      return [{ match, name, key: keyOf(name) }];
    });
  }
}

/** True if a match is new, reopens its hit, or is mandatory while its hit is not. */
function changesHit(match: Match, known: KnownHit | undefined, at: Date): boolean {
  if (!known) return true;
  if (dispositionNow(known, match, at) === 'REOPENED') return true;
  return match.mandatory && !known.mandatory;
}

const dispositionNow = (
  known: RememberedDisposition,
  { entryHash, mandatory }: Match,
  at: Date,
): ReturnType<typeof dispositionWhenMatchedAgain> =>
  dispositionWhenMatchedAgain(known, { entryHash, mandatory, at });

const keyOf = ({ subjectIndex, listId, entryKey, forCustomerId }: HitKey): string =>
  `${subjectIndex.toString('hex')}|${listId}|${forCustomerId ?? ''}|${entryKey}`;

const contentOf = ({ match, snapshotId }: FoundHit): AuditContent => ({
  list: match.list.key,
  entryHash: match.entryHash,
  snapshotId,
  scorerVersion: SCORER_VERSION,
  ...pick(match, 'score', 'strength', 'mandatory', 'qualifiers'),
  role: match.party.role,
});

const explanationContext = ({ id, organisationId }: Pick<HitRow, 'id' | 'organisationId'>): string =>
  encryptionContextOf('screening_hits', id, organisationId);
export const justificationEncryptionContext = ({
  id,
  organisationId,
}: Pick<HitRow, 'id' | 'organisationId'>): string =>
  `${encryptionContextOf('screening_hits', id, organisationId)}|justification`;
