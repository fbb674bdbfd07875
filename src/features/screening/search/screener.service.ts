import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { MetricsRegistry } from '../../../platform/telemetry/index.js';
import type { ListKind } from '../domain/lists/list-entry.js';
import type { Candidate, SearchQuery } from '../domain/search/list-segment.js';
import type { ListRow } from '../domain/records.js';
import { isComparable } from '../domain/names/name-query.js';
import { findExactMatches, toMatches } from '../domain/matches.js';
import type { Match, ScreenedParty } from '../domain/party.js';
import { SearchIndexService, type LoadedList, type IndexState } from './search-index.service.js';
import type { FoundCandidates } from './search-messages.js';
import { SearchUnavailableError } from './search-thread.js';

/**
 * READY: every list was searched. STALE: one of them is too old. NO_LISTS: the organisation has none to screen against.
 * LOADING and STOPPED: the index is not available. FAILED: the index did not answer. ALTERED: the entries of a list
 * differ from the published ones.
 */
export type ScreeningState = 'READY' | 'STALE' | 'NO_LISTS' | 'LOADING' | 'STOPPED' | 'FAILED' | 'ALTERED';

/** The settings of the lists that can weaken a result. */
export interface ScreeningTerms {
  readonly thresholds: Readonly<Record<string, readonly [evidence: number, mandatory: number]>>;
  /** Archived lists. */
  readonly off: readonly string[];
  /** True if one person alone set the terms of one of the lists. */
  readonly singleControl: boolean;
}

/** The result of screening an organisation's parties. */
export interface Screening {
  readonly state: ScreeningState;
  /** The lists that were searched, with snapshot and age, for people to read. */
  readonly source: string;
  /** Publication time of the oldest snapshot; null if there is none. */
  readonly asOf: Date | null;
  /** The kinds of the lists that were searched, stale ones included. */
  readonly kinds: ReadonlySet<ListKind>;
  readonly stale: readonly string[];
  readonly staleKinds: ReadonlySet<ListKind>;
  readonly terms: ScreeningTerms;
  readonly compared: ReadonlySet<ScreenedParty>;
  /** The matches of each party, in the order of the parties. */
  readonly matches: readonly (readonly Match[])[];
  /**
   * Parties with more matches on lists of these kinds than were judged or kept. Such a party may be listed although no
   * match shows it.
   */
  readonly cut: ReadonlyMap<ScreenedParty, ReadonlySet<ListKind>>;
}

const NONE_CUT: Screening['cut'] = new Map();

/** Maximum number of entries of one list for one party, beside those that a person has to decide. */
export const EVIDENCE_LIMIT = 10;
// Cached results per generation; an empty result takes about 200 bytes.
const REMEMBERED = 50_000;
const DAY_MS = 86_400_000;
const SEPARATOR = '\u0001';

/** Screens people and organisations against the lists of an organisation. */
@Injectable()
export class ScreenerService {
  private readonly screeningSeconds: Histogram;
  /**
   * Caches results by query, because the same names occur again and again. Two generations approximate LRU: a result
   * that was used lately survives one change of generation.
   */
  private recent = new Map<string, FoundCandidates>();
  private older = new Map<string, FoundCandidates>();
  private generation = -1;

  constructor(
    private readonly searchIndex: SearchIndexService,
    metrics: MetricsRegistry,
  ) {
    this.screeningSeconds = new Histogram({
      name: 'vigia_screening_seconds',
      help: 'Time to screen the parties of one batch of one organisation.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers: [metrics.registry],
    });
  }

  /**
   * Screens parties; shortly after a start it waits for the lists. If `state` reports a missing index, an empty result
   * does not mean that nobody is listed.
   */
  async screen(
    organisationId: string,
    parties: readonly ScreenedParty[],
    day: string,
    now: Date,
  ): Promise<Screening> {
    await this.searchIndex.waitUntilLoaded();
    const done = this.screeningSeconds.startTimer();
    const lists = this.searchIndex.loadedLists(organisationId).filter(({ row }) => row.kind !== 'ALLOWLIST');
    const old = lists.filter((list) => isStale(list, now));
    const stale = old.map(({ row }) => row.key);
    const terms = termsOf(lists, this.searchIndex.archivedLists(organisationId));
    const compared = new Set(parties.filter(({ name, kind }) => name !== null && isComparable(name, kind)));
    const state = stateOf(this.searchIndex.readState(organisationId), lists, stale);
    const answer = (
      state: ScreeningState,
      { matches, cut }: Pick<Screening, 'matches' | 'cut'>,
    ): Screening => ({
      state,
      source: sourceOf(lists, now),
      asOf: oldestSnapshot(lists),
      kinds: new Set(lists.map(({ row }) => row.kind)),
      stale,
      terms,
      compared,
      staleKinds: new Set(old.map(({ row }) => row.kind)),
      ...{ matches, cut },
    });
    try {
      return answer(state, await this.findMatches(parties, compared, lists, day));
    } catch (error) {
      if (!(error instanceof SearchUnavailableError)) throw error;
      // Matches by exact values need no search thread.
      return answer(error.code === 'STOPPED' ? 'STOPPED' : 'FAILED', {
        matches: parties.map((party) => findExactMatches(party, lists, day)),
        cut: NONE_CUT,
      });
    } finally {
      done();
    }
  }

  /** Searches one name for an analyst. Rejects with SearchUnavailableError. */
  async search(
    organisationId: string,
    question: SearchQuery,
    options: {
      readonly threshold: number;
      readonly limit: number;
      readonly lists?: readonly string[] | undefined;
    },
  ): Promise<{ readonly candidate: Candidate; readonly list: LoadedList }[]> {
    const lists = this.searchIndex
      .loadedLists(organisationId)
      .filter(({ row }) => !options.lists || options.lists.includes(row.key))
      .map((list) => ({
        ...list,
        terms: {
          kind: list.terms.kind,
          thresholds: { evidence: options.threshold, mandatory: list.terms.thresholds.mandatory },
        },
      }));
    const [found] = await this.searchIndex.search([question], lists, options.limit);
    return (found ?? [])
      .flatMap(({ candidates }, i) => {
        const list = lists[i];
        return list ? candidates.map((candidate) => ({ candidate, list })) : [];
      })
      .sort((a, b) => b.candidate.score - a.candidate.score)
      .slice(0, options.limit);
  }

  private async findMatches(
    parties: readonly ScreenedParty[],
    compared: ReadonlySet<ScreenedParty>,
    lists: readonly LoadedList[],
    day: string,
  ): Promise<Pick<Screening, 'matches' | 'cut'>> {
    const candidatesByParty = await this.searchNames(parties, compared, lists, day);
    const matches = parties.map((party, i) => {
      const exact = findExactMatches(party, lists, day);
      const exactIds = new Set(exact.map(({ entryId }) => entryId));
      const partyMatches = toMatches(party, lists, candidatesByParty[i] ?? null);
      return [...exact, ...partyMatches.filter(({ entryId }) => !exactIds.has(entryId))];
    });
    const cut = parties.flatMap((party, i) => {
      const kinds = lists
        .filter((_, at) => candidatesByParty[i]?.[at]?.isCut === true)
        .map(({ row }) => row.kind);
      return kinds.length > 0 ? [[party, new Set(kinds)] as const] : [];
    });
    return { matches, cut: cut.length > 0 ? new Map(cut) : NONE_CUT };
  }

  /** Returns what the search found for each party, by list. */
  private async searchNames(
    parties: readonly ScreenedParty[],
    compared: ReadonlySet<ScreenedParty>,
    lists: readonly LoadedList[],
    day: string,
  ): Promise<FoundCandidates[]> {
    if (this.generation !== this.searchIndex.generation) {
      this.recent = new Map();
      this.older = new Map();
      this.generation = this.searchIndex.generation;
    }
    const names = parties.map((party) => (compared.has(party) ? nameOf(party, lists, day) : null));
    const answers = new Map<string, FoundCandidates>();
    const missingQueries = new Map<string, SearchQuery>();
    parties.forEach(({ name, kind, facts }, i) => {
      const searchedName = names[i] ?? null;
      if (
        name === null ||
        searchedName === null ||
        answers.has(searchedName) ||
        missingQueries.has(searchedName)
      ) {
        return;
      }
      const cachedCandidates = this.recall(searchedName);
      if (cachedCandidates === undefined) missingQueries.set(searchedName, { name, kind, facts, day });
      else answers.set(searchedName, cachedCandidates);
    });
    if (missingQueries.size > 0) {
      const generation = this.generation;
      const candidates = await this.searchIndex.search([...missingQueries.values()], lists, EVIDENCE_LIMIT);
      let at = 0;
      for (const missingName of missingQueries.keys()) {
        const answer = candidates[at] ?? null;
        at += 1;
        answers.set(missingName, answer);
        // If an index was replaced meanwhile, these results may come from two snapshots and are not cached.
        if (generation === this.searchIndex.generation) this.remember(missingName, answer);
      }
    }
    return names.map((own) => answers.get(own ?? '') ?? null);
  }

  /** Returns a cached result. Null is also a result: nothing was found. */
  private recall(name: string): FoundCandidates | undefined {
    const cachedCandidates = this.recent.get(name);
    if (cachedCandidates !== undefined) return cachedCandidates;
    const old = this.older.get(name);
    if (old !== undefined) this.remember(name, old);
    return old;
  }

  private remember(name: string, answer: FoundCandidates): void {
    if (this.recent.size >= REMEMBERED) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(name, answer);
  }
}

/** Returns the cache key of a query: everything that its result depends on. Null if the party has no name. */
function nameOf(
  { name, kind, facts }: ScreenedParty,
  lists: readonly LoadedList[],
  day: string,
): string | null {
  if (name === null || lists.length === 0) return null;
  const { document, visibleDigits, birthDate, nationalities } = facts;
  return [
    lists[0]?.row.organisationId,
    day,
    kind,
    name,
    document,
    visibleDigits,
    birthDate,
    nationalities.join(),
  ].join(SEPARATOR);
}

function isStale({ row }: LoadedList, now: Date): boolean {
  if (row.staleAfterDays === null || row.publishedAt === null) return false;
  return now.getTime() - row.publishedAt.getTime() > row.staleAfterDays * DAY_MS;
}

function stateOf(index: IndexState, lists: readonly LoadedList[], stale: readonly string[]): ScreeningState {
  if (index !== 'READY') return index;
  if (!lists.some(({ row }) => row.kind === 'SANCTIONS' || row.kind === 'PEP')) return 'NO_LISTS';
  return stale.length > 0 ? 'STALE' : 'READY';
}

function termsOf(lists: readonly LoadedList[], archived: readonly ListRow[]): ScreeningTerms {
  const sorted = lists.map(({ row }) => row).sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    thresholds: Object.fromEntries(
      sorted.map(({ key, evidenceThreshold, mandatoryThreshold }) => [
        key,
        [evidenceThreshold, mandatoryThreshold],
      ]),
    ),
    off: archived.map(({ key }) => key).sort(),
    singleControl: [...sorted, ...archived].some(
      ({ singleControl, importSingleControl }) => singleControl || importSingleControl,
    ),
  };
}

const oldestSnapshot = (lists: readonly LoadedList[]): Date | null =>
  lists.reduce<Date | null>(
    (first, { row }) =>
      row.publishedAt !== null && (first === null || row.publishedAt < first) ? row.publishedAt : first,
    null,
  );

/** Describes the lists: `ofac-sdn@3 (2 d), un-consolidated@1 (0 d)` with the number and the age of each snapshot. */
const sourceOf = (lists: readonly LoadedList[], now: Date): string =>
  lists
    .map(({ row }) => {
      const days =
        row.publishedAt === null ? '?' : Math.floor((now.getTime() - row.publishedAt.getTime()) / DAY_MS);
      return `${row.key}@${row.sequence} (${days} d)`;
    })
    .sort()
    .join(', ') || 'no lists';
