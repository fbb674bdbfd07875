import { Injectable, Logger } from '@nestjs/common';
import { isAltered, TrailSurvey } from '../../audit/index.js';
import { CommitMarks, raiseStatementTimeout, UnitOfWork } from '../../../platform/database/index.js';
import type { ListRow } from '../domain/records.js';
import { readChangeMarker, computeRootOfEntries } from '../store/list-root.statements.js';

type PublishedList = Pick<ListRow, 'organisationId' | 'id' | 'sequence'>;

/** The result of a check. It is valid while nothing is committed, and while the table of entries is unchanged. */
interface CheckResult {
  readonly sequence: number;
  /** The commit mark of the database before the check. */
  readonly mark: string;
  readonly changes: string;
  /** The time of the next check, unless a change is noticed earlier. */
  readonly until: number;
  /** The time of the next check if nothing was committed. */
  readonly quietUntil: number;
}

// PostgreSQL statistics can be late, an open transaction holds them back, and somebody can reset them. So the check is
// repeated anyway, for at most a fiftieth of the time.
const LOOK_AGAIN_MS = 5_000;
const SHARE = 0.02;
// Interval without commits, because not everything that alters a row is a commit.
const QUIET_LOOK_MS = 60_000;

function nextChecks(begunAt: number): Pick<CheckResult, 'until' | 'quietUntil'> {
  const until = performance.now() + Math.max(LOOK_AGAIN_MS, (performance.now() - begunAt) / SHARE);
  return { until, quietUntil: Math.max(until, begunAt + QUIET_LOOK_MS) };
}

/**
 * Detects lists whose entries differ from the published ones. Hashing a million entries takes seconds, so it happens
 * only after the statistics of PostgreSQL show a write: they count every writer, even with triggers disabled.
 */
@Injectable()
export class ListIntegrityService {
  private readonly logger = new Logger(ListIntegrityService.name);
  private readonly roots = new Map<string, CheckResult & { readonly root: string }>();
  private readonly verdicts = new Map<string, CheckResult & { readonly isAltered: boolean }>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly survey: TrailSurvey,
    private readonly marks: CommitMarks,
  ) {}

  async computeRoot({ organisationId, id, sequence }: PublishedList): Promise<string> {
    const mark = await this.marks.read();
    const cachedRoot = this.roots.get(id);
    if (cachedRoot?.sequence === sequence && isQuietSince(cachedRoot, mark)) return cachedRoot.root;
    const changes = await this.uow.read(organisationId, (db) => readChangeMarker(db));
    if (cachedRoot && isStillValid(cachedRoot, sequence, changes)) return cachedRoot.root;
    const begunAt = performance.now();
    const root = await this.uow.run(organisationId, async (tx) => {
      await raiseStatementTimeout(tx, 10);
      return computeRootOfEntries(tx, organisationId, id, sequence);
    });
    if (cachedRoot?.root !== root) this.verdicts.delete(id);
    this.roots.set(id, { sequence, mark, changes, ...nextChecks(begunAt), root });
    return root;
  }

  /** Returns the ids of the lists whose entries differ from the recorded root hash. */
  async findAltered(lists: readonly ListRow[]): Promise<ReadonlySet<string>> {
    const [first] = lists;
    if (!first) return new Set();
    const mark = await this.marks.read();
    const changes = await this.uow.read(first.organisationId, (db) => readChangeMarker(db));
    const due = new Map<string, ListRow[]>();
    for (const list of lists) {
      const cachedVerdict = this.verdicts.get(list.id);
      if (cachedVerdict && isStillValid(cachedVerdict, list.sequence, changes)) continue;
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
        this.verdicts.set(id, { sequence, mark, changes, ...nextChecks(begunAt), isAltered: isFound });
      }
    }
    return new Set(lists.map(({ id }) => id).filter((id) => this.verdicts.get(id)?.isAltered === true));
  }

  /** True if each list was read whole and judged at `mark`: until the next commit the results stay as they are. */
  isSettledAt(mark: string, lists: readonly ListRow[]): boolean {
    return lists.every(({ id }) =>
      [this.verdicts.get(id), this.roots.get(id)].every((known) => known && isQuietSince(known, mark)),
    );
  }
}

const isQuietSince = (known: CheckResult, mark: string): boolean =>
  known.mark === mark && performance.now() < known.quietUntil;

const isStillValid = (known: CheckResult, sequence: number, changes: string): boolean =>
  known.sequence === sequence && known.changes === changes && performance.now() < known.until;
