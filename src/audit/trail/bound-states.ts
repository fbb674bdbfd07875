import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { boundKinds } from '../../database/regulated/regulated.js';
import { stateChain, stateGaps, type StateDigest } from '../domain/state.js';
import type { AuditSubject } from '../domain/entry.js';
import type { TrailGap } from '../domain/trail.js';
import { lateOf } from '../store/watch/late-seal.statements.js';
import { boundStates } from '../store/state.statements.js';

const CHAIN = /^[a-z_]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface FoundStates {
  /** Gaps between rows and what the last step left behind, by subject. */
  readonly gaps: ReadonlyMap<string, readonly TrailGap[]>;
  /** The subjects with a state trail, by what they are called in it. */
  readonly chains: readonly string[];
}

// An entry that waited longer proves nothing of its time any more.
const LATE_SECONDS = 60;
const NOTHING: FoundStates = { gaps: new Map(), chains: [] };

/** Compares the rows of subjects with the digests that the database bound when a step left them. */
@Injectable()
export class BoundStates {
  private readonly kinds = boundKinds();

  constructor(private readonly uow: UnitOfWork) {}

  /** Gaps of entries that nothing awaited to be sealed for long, by subject. */
  async late(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly TrailGap[]>> {
    const rows = await this.uow.read(organisationId, (db) => lateOf(db, organisationId, type, ids));
    const gaps = new Map<string, TrailGap[]>();
    for (const { subject_id: id, subject_seq: seq, waited_seconds: seconds } of rows) {
      if (seconds < LATE_SECONDS) continue;
      const gap = {
        kind: 'SEALED_LATE' as const,
        seq,
        detail: `nothing awaited its seal for ${seconds} seconds`,
      };
      gaps.set(id, [...(gaps.get(id) ?? []), gap]);
    }
    return gaps;
  }

  async of(organisationId: string, type: AuditSubject['type'], ids: readonly string[]): Promise<FoundStates> {
    if (type !== 'state' && !this.kinds.has(type)) return NOTHING;
    const known = new Map(ids.map((id) => [type === 'state' ? id : stateChain({ type, id }), id]));
    const chains = [...known.keys()].filter((chain) => CHAIN.test(chain));
    if (chains.length === 0) return NOTHING;
    const rows = await this.uow.read(organisationId, (db) => boundStates(db, organisationId, chains));
    return {
      gaps: new Map(
        rows.map(({ chain, canonical, seq, state }) => [
          known.get(chain) ?? '',
          stateGaps(state === null ? null : (JSON.parse(state) as StateDigest), leftBy(canonical), seq),
        ]),
      ),
      chains: rows
        .filter(({ canonical, state }) => canonical !== null || state !== null)
        .map(({ chain }) => chain),
    };
  }
}

function leftBy(canonical: Buffer | null): StateDigest | null {
  if (canonical === null) return null;
  try {
    return (JSON.parse(canonical.toString('utf8')) as { content: StateDigest }).content;
  } catch {
    return null; // bytes that are no JSON say nothing, and are a gap of the state trail as well
  }
}
