import { Injectable, Logger } from '@nestjs/common';
import { isAltered, TrailSurvey } from '../../audit/index.js';
import { raiseStatementTimeout, UnitOfWork } from '../../../platform/database/index.js';
import type { ListRow } from '../domain/records.js';
import { readChangeMarker, computeRootOfEntries } from '../store/list-root.statements.js';

type PublishedList = Pick<ListRow, 'organisationId' | 'id' | 'sequence'>;

/** The result of a check. It is valid while the table of entries is unchanged. */
interface CheckResult {
  readonly sequence: number;
  readonly changes: string;
  /** The time of the next check, unless a change is noticed earlier. */
  readonly until: number;
}

// PostgreSQL statistics can be late, an open transaction holds them back, and somebody can reset them. So the check is
// repeated anyway, for at most a fiftieth of the time.
const LOOK_AGAIN_MS = 5_000;
const SHARE = 0.02;
const nextLook = (begunAt: number): number =>
  performance.now() + Math.max(LOOK_AGAIN_MS, (performance.now() - begunAt) / SHARE);

/**
 * Detects lists whose entries differ from the published ones. Hashing a million entries takes seconds, so it happens
 * only after the statistics of PostgreSQL show a write: they count every writer, even with triggers disabled.
 */
@Injectable()
export class ListIntegrityService {
  private readonly logger = new Logger(ListIntegrityService.name);
  private readonly roots = new Map<string, CheckResult & { readonly root: string }>();
  private readonly judged = new Map<string, CheckResult & { readonly isAltered: boolean }>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly survey: TrailSurvey,
  ) {}

  async computeRoot({ organisationId, id, sequence }: PublishedList): Promise<string> {
    const changes = await this.uow.read(organisationId, (db) => readChangeMarker(db));
    const known = this.roots.get(id);
    if (known && isStill(known, sequence, changes)) return known.root;
    const begunAt = performance.now();
    const root = await this.uow.run(organisationId, async (tx) => {
      await raiseStatementTimeout(tx, 10);
      return computeRootOfEntries(tx, organisationId, id, sequence);
    });
    if (known?.root !== root) this.judged.delete(id);
    this.roots.set(id, { sequence, changes, until: nextLook(begunAt), root });
    return root;
  }

  /** Returns the ids of the lists whose entries differ from the recorded root hash. */
  async findAltered(lists: readonly ListRow[]): Promise<ReadonlySet<string>> {
    const [first] = lists;
    if (!first) return new Set();
    const changes = await this.uow.read(first.organisationId, (db) => readChangeMarker(db));
    const due = new Map<string, ListRow[]>();
    for (const list of lists) {
      const known = this.judged.get(list.id);
      if (known && isStill(known, list.sequence, changes)) continue;
      due.set(list.organisationId, [...(due.get(list.organisationId) ?? []), list]);
    }
    for (const [organisationId, own] of due) {
      const begunAt = performance.now();
      const sequences = new Map(own.map(({ id, sequence }) => [id, sequence]));
      const subjects = own.map(({ id }) => ({ type: 'screening_list' as const, id }));
      for (const [{ id }, verdict] of await this.survey.verify(organisationId, subjects)) {
        const isFound = isAltered(verdict);
        if (isFound) this.logger.error(`list ${id} is not what was published`);
        const sequence = sequences.get(id) ?? 0;
        this.judged.set(id, { sequence, changes, until: nextLook(begunAt), isAltered: isFound });
      }
    }
    return new Set(lists.map(({ id }) => id).filter((id) => this.judged.get(id)?.isAltered === true));
  }
}

const isStill = (known: CheckResult, sequence: number, changes: string): boolean =>
  known.sequence === sequence && known.changes === changes && performance.now() < known.until;
