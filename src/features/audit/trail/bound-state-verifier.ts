import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { boundKinds, linkedTables } from '../../../platform/database/regulated/regulated.js';
import { stateTrailId, stateGaps, type StateDigest } from '../domain/state.js';
import { OPERATIONS, type AuditSubject } from '../domain/entry.js';
import type { StoredEntry, TrailGap } from '../domain/trail.js';
import { readBoundStates, statesWrittenByStep, type StateCause } from '../store/state.statements.js';

const CHAIN = /^[a-z_]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface BoundStateGaps {
  /** Gaps between rows and their bound state, by subject id. */
  readonly gaps: ReadonlyMap<string, readonly TrailGap[]>;
  /** Ids of the state trails that exist: `type:id` of the subject. */
  readonly chains: readonly string[];
}

const NOTHING: BoundStateGaps = { gaps: new Map(), chains: [] };

/** Compares the rows of subjects with the digests that the database recorded after their last step. */
@Injectable()
export class BoundStateVerifier {
  private readonly boundTypes = boundKinds();
  private readonly linkedByType = linkedTables();

  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Finds state entries that no transaction of a step wrote: somebody forged them. Returns gaps, keyed by state trail.
   */
  async findUnstepped(
    organisationId: string,
    trails: ReadonlyMap<string, readonly StoredEntry[]>,
  ): Promise<ReadonlyMap<string, readonly TrailGap[]>> {
    const bound = [...trails].flatMap(([chain, entries]) =>
      entries
        .filter(({ action }) => action === 'state.bound')
        .map(({ seq, canonical }) => ({ chain, seq, of: stepNamedIn(organisationId, canonical) })),
    );
    const causes = bound.filter((one): one is StateCause => one.of !== null);
    const stepped =
      causes.length === 0
        ? new Set<number>()
        : await this.uow.read(scopeOf(organisationId, causes), (db) =>
            statesWrittenByStep(db, organisationId, causes),
          );
    const steppedCauses = new Set([...stepped].map((i) => causes[i]));
    const gaps = new Map<string, TrailGap[]>();
    for (const one of bound) {
      if (steppedCauses.has(one as StateCause)) continue;
      const gap: TrailGap = {
        kind: 'STATE_MISMATCH',
        seq: one.seq,
        detail: `no step of the service left behind what entry ${one.seq} says`,
        forged: true,
      };
      gaps.set(one.chain, [...(gaps.get(one.chain) ?? []), gap]);
    }
    return gaps;
  }

  async findGaps(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
  ): Promise<BoundStateGaps> {
    if (type !== 'state' && !this.boundTypes.has(type)) return NOTHING;
    const idByTrail = new Map(ids.map((id) => [type === 'state' ? id : stateTrailId({ type, id }), id]));
    const chains = [...idByTrail.keys()].filter((chain) => CHAIN.test(chain));
    if (chains.length === 0) return NOTHING;
    const rows = await this.uow.read(organisationId, (db) => readBoundStates(db, organisationId, chains));
    const linkedOf = (chain: string): ReadonlySet<string> | undefined =>
      this.linkedByType.get(chain.split(':')[0] ?? '');
    const gaps = new Map<string, readonly TrailGap[]>();
    const add = (chain: string, found: readonly TrailGap[]): void => {
      const id = idByTrail.get(chain) ?? '';
      gaps.set(id, [...(gaps.get(id) ?? []), ...found]);
    };
    for (const { chain, bound, seq, state, found } of rows) {
      // The gap that a step found has the same text as before that step: an earlier repair still explains it.
      const now = found
        ? rowsOf(boundStateIn(found))
        : state === null
          ? null
          : (JSON.parse(state) as StateDigest);
      add(chain, stateGaps(now, boundStateIn(bound), seq, linkedOf(chain)));
    }
    return {
      gaps,
      chains: rows
        .filter(({ bound, state, found }) => found === null && (bound !== null || state !== null))
        .map(({ chain }) => chain),
    };
  }
}

/**
 * Returns the organisations to read: OPERATIONS too if a state names an entry of it, as states bound by a migration do.
 */
const scopeOf = (organisationId: string, named: readonly StateCause[]): string | string[] =>
  named.some(({ of: [owner] }) => owner !== organisationId) ? [organisationId, OPERATIONS] : organisationId;

const STEP = /^([a-z_]+):(.+)#([1-9]\d{0,8})$/;

/** Parses the step that a state entry names. A state bound by a migration names an entry about the catalogue. */
function stepNamedIn(organisationId: string, canonical: Buffer): StateCause['of'] | null {
  const [, type, id, seq] = STEP.exec(correlationOf(canonical)) ?? [];
  if (type === undefined || id === undefined) return null;
  return [type === 'catalogue' ? OPERATIONS : organisationId, type, id, Number(seq)];
}

function correlationOf(canonical: Buffer): string {
  try {
    const { correlationId } = JSON.parse(canonical.toString('utf8')) as { correlationId?: unknown };
    return typeof correlationId === 'string' ? correlationId : '';
  } catch {
    return ''; // bytes that are no JSON name no step
  }
}

/** Returns null if the state names no tables: the subject then has no rows. */
const rowsOf = (state: StateDigest | null): StateDigest | null =>
  state === null || Object.keys(state).length === 0 ? null : state;

function boundStateIn(canonical: Buffer | null): StateDigest | null {
  if (canonical === null) return null;
  try {
    return (JSON.parse(canonical.toString('utf8')) as { content: StateDigest }).content;
  } catch {
    return null; // bytes that are no JSON are also a gap of the state trail
  }
}
