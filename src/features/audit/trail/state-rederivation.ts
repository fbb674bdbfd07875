import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Reader } from '../../../platform/database/index.js';
import type { AuditSubject } from '../domain/entry.js';
import { stateTrailId, type StateDigest } from '../domain/state.js';
import type { TrailGap } from '../domain/trail.js';
import { findMatchingPatch, readRegulatedRow } from '../store/repair.queries.js';
import { readEntriesWithLeaves } from '../store/trail.statements.js';
import { candidatePatches, type Patch, type SealedEntryContent } from '../domain/candidate-patches.js';
import type { RederivedRow, RepairEvidence } from './repair-sources.js';

/**
 * Recovers the original values of changed columns. It tries values from the sealed entries of the subject, and all
 * values of small types, until the row has the digest that was sealed. Only the original values give that digest.
 */
@Injectable()
export class StateRederivation {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns null if no row can be recovered. */
  async find(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    const open = gaps.filter(({ kind, table, linked }) => kind === 'STATE_MISMATCH' && table && !linked);
    if (open.length === 0) return null;
    return this.uow.read(subject.organisationId, async (db) => {
      const entries = await sealedEntries(db, subject, subject.type, subject.id);
      const states = await sealedEntries(db, subject, 'state', stateTrailId(subject));
      const lastBoundState = states.findLast(({ action }) => action === 'state.bound');
      if (!lastBoundState) return null;
      const rows: RederivedRow[] = [];
      const answers: TrailGap[] = [];
      const evidence: Record<string, string> = {};
      for (const { table = '', ...gap } of open) {
        const patch =
          gap.seq === lastBoundState.seq
            ? await findOriginalValues(db, subject, table, lastBoundState, entries)
            : null;
        if (!patch) continue;
        answers.push({ table, ...gap });
        rows.push({ table, which: {}, patch });
        for (const column of Object.keys(patch)) evidence[`${table}.${column}`] = lastBoundState.hash;
      }
      return rows.length === 0 ? null : { answers, evidence, rows };
    });
  }
}

/** Returns the entries of a subject whose hash equals the hash of their leaf. */
async function sealedEntries(
  db: Reader,
  { organisationId }: AuditSubject,
  type: AuditSubject['type'],
  id: string,
): Promise<SealedEntryContent[]> {
  const rows = await readEntriesWithLeaves(db, organisationId, [type], [id]);
  return rows.flatMap(({ subject_seq: seq, canonical, hash, leaf_hash: sealed }) => {
    if (seq === null || !canonical || !hash || !sealed?.equals(hash)) return [];
    return [{ seq, hash: hash.toString('hex'), ...parseEntry(canonical) }];
  });
}

const parseEntry = (
  canonical: Buffer,
): Pick<SealedEntryContent, 'action' | 'actor' | 'occurredAt' | 'content'> =>
  JSON.parse(canonical.toString('utf8')) as Pick<
    SealedEntryContent,
    'action' | 'actor' | 'occurredAt' | 'content'
  >;

async function findOriginalValues(
  db: Reader,
  { organisationId, id }: AuditSubject,
  table: string,
  left: SealedEntryContent,
  entries: readonly SealedEntryContent[],
): Promise<Patch | null> {
  const [rows, digest] = ((left.content as StateDigest)[table] ?? '').split(' ');
  if (rows !== '1' || digest === undefined) return null;
  const patches = candidatePatches(await readRegulatedRow(db, organisationId, table, id), entries);
  const matchingPatch = await findMatchingPatch(db, organisationId, table, id, patches, digest);
  return matchingPatch === null ? null : (patches[matchingPatch] ?? null);
}
