import type { KeptMatches } from '../domain/search/kept-matches.js';
import type { NameKind } from '../domain/names/normalise.js';
import type {
  Candidate,
  ListSearchTerms,
  PackedSegment,
  SearchQuery,
} from '../domain/search/list-segment.js';

/** One entry for the builder thread: `content` is the JSON of a `ListEntry`. */
export interface BuilderRow {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly content: string;
}

export type BuilderMessage =
  { readonly kind: 'rows'; readonly rows: readonly BuilderRow[] } | { readonly kind: 'end' };
export type BuilderAnswer =
  { readonly kind: 'taken' } | { readonly kind: 'built'; readonly segment: PackedSegment };

export interface ListSearch {
  readonly id: string;
  readonly terms: ListSearchTerms;
}

export type SearchMessage = { readonly id: number } & (
  | { readonly kind: 'replace' | 'append'; readonly list: string; readonly segment: PackedSegment }
  | { readonly kind: 'remove'; readonly list: string; readonly ids: readonly string[] }
  | { readonly kind: 'drop'; readonly list: string }
  | {
      readonly kind: 'ask';
      readonly questions: readonly QueryCell[];
      readonly lists: readonly ListSearch[];
      readonly limit: number;
    }
);

export type SearchAnswer =
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly found: readonly FoundCandidates[] };

/** The matches of one query, by list in the given order. Null if no list has any, the most frequent case. */
export type FoundCandidates = readonly KeptMatches<Candidate>[] | null;

/** Queries for the thread, flattened into cells: copying an object costs several times as much. */
export type QueryCell = string | null;
const CELLS = 7;
const BETWEEN = ',';

export const packQueries = (questions: readonly SearchQuery[]): QueryCell[] =>
  questions.flatMap(({ name, kind, day, facts }) => [
    name,
    kind,
    day,
    facts.document,
    facts.visibleDigits,
    facts.birthDate,
    facts.nationalities.length === 0 ? null : facts.nationalities.join(BETWEEN),
  ]);

export function* unpackQueries(cells: readonly QueryCell[]): Generator<SearchQuery> {
  for (let at = 0; at < cells.length; at += CELLS) {
    const [name, kind, day, document, visibleDigits, birthDate, nationalities] = cells.slice(at, at + CELLS);
    yield {
      name: name ?? '',
      kind: kind as NameKind,
      day: day ?? '',
      facts: {
        document: document ?? null,
        visibleDigits: visibleDigits ?? null,
        birthDate: birthDate ?? null,
        nationalities: nationalities ? nationalities.split(BETWEEN) : [],
      },
    };
  }
}
