import type { LogFilter, LogQueries } from '../store/log.queries.js';
import type { Subject } from '../trail/trail-survey.js';

// Rows per query. V8 frees pages this small before it promotes them to the old generation, which it collects rarely.
const PAGE = 50;
// Leaves per query; about every second leaf is the first of its trail.
const SPAN = 100;
// Many entries have the same subject. This many recent subjects are remembered and not yielded again.
const REMEMBERED = 50_000;

/** Reads the stored subjects of an export that follow `after`. */
type NotedSubjects = (after: Subject | null, limit: number) => Promise<Subject[]>;

/** Yields each subject of an export, page by page; calls `at` with the index reached in the log. */
export async function* iterateSubjects(
  { queries, noted }: { readonly queries: LogQueries; readonly noted?: NotedSubjects },
  organisationId: string,
  filter: LogFilter,
  size: number,
  at: (index: number) => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<readonly Subject[]> {
  if (noted) {
    yield* notedSubjects(noted, at);
    return;
  }
  if (Object.values(filter).some((value) => value !== undefined)) {
    yield* selectedSubjects(queries, organisationId, filter, size, at);
    return;
  }
  for (let after = -1; after < size - 1; after += SPAN) {
    const firstSubjects = await queries.listNewSubjects(
      organisationId,
      after,
      Math.min(after + SPAN, size - 1),
    );
    if (firstSubjects.length > 0) yield firstSubjects;
    await at(Math.max(0, after));
  }
}

async function* notedSubjects(
  noted: NotedSubjects,
  at: (index: number) => Promise<void>,
): AsyncGenerator<readonly Subject[]> {
  for (let last: Subject | null = null; ;) {
    const page: Subject[] = await noted(last, PAGE);
    if (page.length > 0) yield page;
    await at(0);
    if (page.length < PAGE) return;
    last = page.at(-1) ?? null;
  }
}

async function* selectedSubjects(
  queries: LogQueries,
  organisationId: string,
  filter: LogFilter,
  size: number,
  at: (index: number) => Promise<void>,
): AsyncGenerator<readonly Subject[]> {
  const selectedKeys = new Set<string>();
  for (let after = -1; ;) {
    const page = await queries.listSelectedSubjects(organisationId, filter, { after, size, limit: PAGE });
    const fresh: Subject[] = [];
    for (const { type, id } of page) {
      const name = `${type}:${id}`;
      if (selectedKeys.has(name)) continue;
      if (selectedKeys.size === REMEMBERED) selectedKeys.clear();
      selectedKeys.add(name);
      fresh.push({ type, id });
    }
    if (fresh.length > 0) yield fresh;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.index;
    await at(after);
  }
}
