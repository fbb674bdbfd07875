import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Settings } from '../../../platform/config/index.js';
import { CommitMarks, isDatabaseUnavailable } from '../../../platform/database/index.js';
import { Readiness } from '../../../platform/http/index.js';
import { newUuid, required } from '../../../platform/kernel/index.js';
import { MetricsRegistry } from '../../../platform/telemetry/index.js';
import { ExactIndex } from '../domain/search/exact-index.js';
import type { ListEntry } from '../domain/lists/list-entry.js';
import type { ListSearchTerms, SearchQuery } from '../domain/search/list-segment.js';
import { findExactMatches, toMatches } from '../domain/matches.js';
import type { Match, ScreenedParty } from '../domain/party.js';
import { EntryCodec } from '../lists/entry-codec.js';
import { buildSegment, SearchThread, SearchUnavailableError } from './search-thread.js';
import type { BuilderRow, FoundCandidates } from './search-messages.js';
import type { ListRow } from '../domain/records.js';
import { ListIntegrityService } from '../lists/list-integrity.service.js';
import { EntryRepository } from '../store/entry.repository.js';

/** A list that this process has loaded, with its values for exact lookups. */
export interface LoadedList {
  readonly row: ListRow;
  readonly terms: ListSearchTerms;
  readonly exact: ExactIndex;
  /** The ids of entries with values that one operator alone added: they make no result better. */
  readonly ofOne: ReadonlySet<string>;
  readonly segments: number;
}

/** Searches the new entries of a snapshot for parties. */
export type DeltaSearch = (parties: readonly ScreenedParty[], day: string, limit: number) => Promise<Match[]>;

/** ALTERED: the entries of a list differ from the published entries. The copy in memory is still searched. */
export type IndexState = 'READY' | 'LOADING' | 'STOPPED' | 'ALTERED';

// A snapshot that another process published is used after about this time.
const POLL_MS = 1_000;
// Rows that are read, decrypted and sent to the builder in one turn of the event loop.
const ROWS = 1_000;
// A delta is a segment of its own. With more segments, searching costs more than rebuilding the list.
const MAX_SEGMENTS = 4;
const SMALL_DELTA = 2_000;
const DELTA_SHARE = 0.1;
const RESTART_MS = 1_000;
const ROUND_TIMEOUT_MS = 60_000;
const MAX_RESTART_MS = 30_000;
// The longest time that a screening waits for the lists after a start.
const FIRST_LOAD_MS = 30_000;

/**
 * Keeps the indexes of the search thread equal to the published snapshots. Builds them at the start, then the whole
 * list or a delta for each new snapshot. The old index is searched until the new index replaces it.
 */
@Injectable()
export class SearchIndexService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SearchIndexService.name);
  private readonly loaded = new Map<string, LoadedList>();
  private listRows: readonly ListRow[] = [];
  private alteredIds: ReadonlySet<string> = new Set();
  private thread: SearchThread | null = null;
  private hasPolled = false;
  private stopped = true;
  private hasAllLists = false;
  private roundMark = '';
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private restartMs = RESTART_MS;
  private restartAt = 0;
  private endFirstLoad: () => void = () => undefined;
  private firstLoad: Promise<void> = Promise.resolve();
  /** Grows whenever a result could change; cached results of older generations are dropped. */
  generation = 0;

  constructor(
    private readonly entries: EntryRepository,
    private readonly codec: EntryCodec,
    private readonly settings: Settings,
    private readonly listIntegrity: ListIntegrityService,
    private readonly marks: CommitMarks,
    readiness: Readiness,
    metrics: MetricsRegistry,
  ) {
    readiness.watch('screening', () => this.settings.screeningIndex && this.readState() !== 'READY');
    const registers = [metrics.registry];
    const indexed: Gauge = new Gauge({
      name: 'vigia_screening_entries',
      help: 'Entries of lists that this process can search, over all organisations.',
      registers,
      collect: () => {
        indexed.set([...this.loaded.values()].reduce((sum, { row }) => sum + row.entries, 0));
      },
    });
    const ready: Gauge = new Gauge({
      name: 'vigia_screening_ready',
      help: '1 when every published snapshot is in the index, 0 while one is not.',
      registers,
      collect: () => {
        ready.set(this.readState() === 'READY' ? 1 : 0);
      },
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.screeningIndex) this.start();
  }

  /** Stops after the queue has finished its running jobs, which search until their end. */
  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  start(): void {
    this.stopped = false;
    this.firstLoad = new Promise((resolve) => {
      this.endFirstLoad = resolve;
    });
    setTimeout(this.endFirstLoad, FIRST_LOAD_MS).unref();
    this.schedule(0);
  }

  /** True if the last round left every list of every organisation in the index, or known as altered. */
  get isLoaded(): boolean {
    return this.hasAllLists;
  }

  /** Resolves after the first load of the lists, or after 30 seconds without one. */
  async waitUntilLoaded(): Promise<void> {
    return this.firstLoad;
  }

  /** Stops the thread. Later queries are rejected as STOPPED. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.hasAllLists = false;
    this.endFirstLoad();
    clearTimeout(this.timer);
    await this.thread?.stop();
    // Ends soon: running work fails at its next call of the thread.
    await this.running;
    this.thread = null;
    this.loaded.clear();
    this.generation += 1;
  }

  /** Loads new snapshots now instead of within a second, and resolves when they are in use. */
  async refresh(): Promise<void> {
    if (this.stopped) return;
    clearTimeout(this.timer);
    await this.running;
    this.schedule(0);
    await this.running;
  }

  /** Returns the state of all lists, or of the lists of one organisation. */
  readState(organisationId?: string): IndexState {
    if (this.stopped) return 'STOPPED';
    if (!this.hasPolled) return 'LOADING';
    const rowsToLoad = this.listRows.filter(
      (row) => isUsed(row) && (organisationId === undefined || row.organisationId === organisationId),
    );
    if (rowsToLoad.length === 0) return 'READY';
    if (rowsToLoad.some(({ id }) => this.alteredIds.has(id))) return 'ALTERED';
    if (!this.thread) return 'STOPPED';
    // An older snapshot is searched while the index of a newer snapshot is built.
    return rowsToLoad.every(({ id }) => this.loaded.has(id)) ? 'READY' : 'LOADING';
  }

  loadedLists(organisationId: string): LoadedList[] {
    return [...this.loaded.values()].filter(({ row }) => row.organisationId === organisationId);
  }

  archivedLists(organisationId: string): ListRow[] {
    return this.listRows.filter((row) => row.organisationId === organisationId && !isUsed(row));
  }

  get(listId: string): LoadedList | undefined {
    return this.loaded.get(listId);
  }

  /** Searches the lists for each query, in order. Rejects with SearchUnavailableError. */
  async search(
    questions: readonly SearchQuery[],
    lists: readonly LoadedList[],
    limit: number,
  ): Promise<readonly FoundCandidates[]> {
    if (!this.thread) {
      if (this.stopped || lists.length > 0) throw new SearchUnavailableError('STOPPED');
      return questions.map(() => null);
    }
    return this.thread.search(
      questions,
      lists.map(({ row, terms }) => ({ id: row.id, terms })),
      limit,
      this.settings.screeningTimeoutMs,
    );
  }

  /**
   * Runs `work` with a temporary index of only the entries that are new in snapshot `sequence`, so that customers are
   * not compared with the older entries again.
   */
  async withDelta<T>(row: ListRow, sequence: number, work: (ask: DeltaSearch) => Promise<T>): Promise<T> {
    if (this.stopped) throw new SearchUnavailableError('STOPPED');
    const name = `delta:${row.id}:${sequence}:${newUuid()}`;
    const exact = new ExactIndex();
    const deltaRow = { ...row, sequence };
    const segment = await buildSegment(this.readRows(deltaRow, { exact, ofOne: new Set() }, sequence - 1));
    const thread = this.ensureThread();
    await thread.put('replace', name, segment);
    const list = { row: deltaRow, terms: termsOf(row), exact, ofOne: new Set<string>() };
    try {
      return await work(async (parties, day, limit) => {
        const named = parties.flatMap((party) =>
          party.name === null ? [] : [{ ...party, name: party.name }],
        );
        const questions = named.map(({ name: asked, kind, facts }) => ({ name: asked, kind, facts, day }));
        const candidates = await thread.search(
          questions,
          [{ id: name, terms: list.terms }],
          limit,
          ROUND_TIMEOUT_MS,
        );
        return [
          ...parties.flatMap((party) => findExactMatches(party, [list], day)),
          ...named.flatMap((party, i) => toMatches(party, [list], candidates[i] ?? null)),
        ];
      });
    } finally {
      await thread.drop(name).catch(() => undefined);
    }
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    const round = (): void => {
      this.running = this.round(delayMs === 0).finally(() => {
        this.running = undefined;
        if (!this.stopped) this.schedule(POLL_MS);
      });
    };
    if (delayMs === 0) round();
    else this.timer = setTimeout(round, delayMs).unref();
  }

  private async round(isAsked: boolean): Promise<void> {
    try {
      const mark = await this.marks.read();
      const isSettled =
        mark === this.roundMark && this.listIntegrity.isSettledAt(mark, this.listRows.filter(isUsed));
      if (!isAsked && this.hasAllLists && isSettled) return;
      const rows = (await this.entries.listLists()).filter((row) => row.sequence > 0);
      this.alteredIds = await this.listIntegrity.findAltered(rows.filter(isUsed));
      // Until the first index of a new list is ready, payments are judged as before its import, and not held.
      const usedListIds = new Set(this.listRows.filter(isUsed).map(({ id }) => id));
      this.listRows = rows.filter((row) => !isUsed(row) || usedListIds.has(row.id));
      for (const row of rows) {
        if (this.stopped) return;
        // An altered list must not enter the index.
        if (this.alteredIds.has(row.id)) continue;
        await this.updateList(row).catch((error: unknown) => {
          if (isDatabaseUnavailable(error)) throw error;
          // A list that cannot be built must not block the others. It is tried again in the next poll.
          if (!this.stopped) this.logger.error(`a list is not in the index: ${nameOfError(error)}`);
        });
      }
      // A new list that could not be built holds payments from here on.
      this.listRows = rows;
      this.hasPolled = true;
      this.hasAllLists = rows.every(
        (row) => !isUsed(row) || this.loaded.has(row.id) || this.alteredIds.has(row.id),
      );
      this.roundMark = mark;
      this.endFirstLoad();
    } catch (error) {
      if (isDatabaseUnavailable(error) || this.stopped) return;
      this.logger.error(`the screening index was not brought up to date: ${nameOfError(error)}`);
    }
  }

  /** Updates the index of one list to its newest snapshot. */
  private async updateList(row: ListRow): Promise<void> {
    const loaded = this.loaded.get(row.id);
    if (!isUsed(row)) {
      if (loaded) {
        await this.thread?.drop(row.id);
        this.loaded.delete(row.id);
        this.generation += 1;
      }
      return;
    }
    if (!loaded && performance.now() < this.restartAt) return;
    if (loaded?.row.sequence === row.sequence) {
      if (termsChanged(loaded.row, row)) {
        this.loaded.set(row.id, { ...loaded, row, terms: termsOf(row) });
        this.generation += 1;
      }
      return;
    }
    const thread = this.ensureThread();
    const isDelta =
      loaded !== undefined && loaded.segments < MAX_SEGMENTS && (await this.isSmall(loaded.row, row));
    const next = isDelta ? await this.appendDelta(thread, loaded, row) : await this.build(thread, row);
    this.loaded.set(row.id, next);
    this.generation += 1;
    this.restartMs = RESTART_MS;
  }

  private async isSmall(before: ListRow, row: ListRow): Promise<boolean> {
    const page = { since: before.sequence, after: null, limit: SMALL_DELTA + 1 };
    const added = await this.entries.listPage(row.organisationId, row.id, row.sequence, page);
    return added.length <= SMALL_DELTA && added.length <= Math.max(100, before.entries * DELTA_SHARE);
  }

  private async build(thread: SearchThread, row: ListRow): Promise<LoadedList> {
    const [exact, ofOne] = [new ExactIndex(), new Set<string>()];
    const segment = await buildSegment(this.readRows(row, { exact, ofOne }, undefined));
    await thread.put('replace', row.id, segment);
    return { row, terms: termsOf(row), exact, ofOne, segments: 1 };
  }

  /** Appends a segment of the new entries, and marks the removed entries. */
  private async appendDelta(thread: SearchThread, held: LoadedList, row: ListRow): Promise<LoadedList> {
    const { exact } = held;
    const [from, to] = [held.row.sequence, row.sequence];
    const removed = await this.entries.findRemoved(row.organisationId, row.id, from, to);
    const [added, ofOne] = [new ExactIndex(), new Set(held.ofOne)];
    const segment = await buildSegment(this.readRows(row, { exact: added, ofOne }, from));
    // Read before the transfer, which empties the arrays.
    const hasNew = segment.entries.gone.length > 0;
    if (hasNew) await thread.put('append', row.id, segment);
    if (removed.length > 0) await thread.remove(row.id, removed);
    for (const id of removed) {
      exact.remove(id);
      ofOne.delete(id);
    }
    exact.addAll(added);
    return { row, terms: termsOf(row), exact, ofOne, segments: held.segments + (hasNew ? 1 : 0) };
  }

  /** Reads the rows of a snapshot in batches. Adds entries with values to `exact` and `ofOne`. */
  private async *readRows(
    row: ListRow,
    { exact, ofOne }: { readonly exact: ExactIndex; readonly ofOne: Set<string> },
    since: number | undefined,
  ): AsyncGenerator<readonly BuilderRow[]> {
    const alone = await this.entries.findSequencesOfOne(row);
    for (let after: string | null = null; ;) {
      if (this.stopped) throw new SearchUnavailableError('STOPPED');
      const page = { after, limit: ROWS, ...(since === undefined ? {} : { since }) };
      const rows = await this.entries.listPage(row.organisationId, row.id, row.sequence, page);
      const contents = await this.codec.decodeContents(row.organisationId, rows);
      yield rows.map(({ id, hash, sequence }, i) => {
        const content = required(contents[i], 'the content of an entry');
        // Most entries have names only; their JSON need not be parsed here.
        if (content.includes('"values":[{')) {
          exact.add(id, hash.toString('hex'), JSON.parse(content) as ListEntry);
          if (alone.has(sequence)) ofOne.add(id);
        }
        return { id, hash, content };
      });
      if (rows.length < ROWS) return;
      after = rows.at(-1)?.id ?? null;
    }
  }

  private ensureThread(): SearchThread {
    if (this.stopped) throw new SearchUnavailableError('STOPPED');
    this.thread ??= new SearchThread(() => {
      this.logger.error('the search thread ended; it is started again');
      this.thread = null;
      this.hasAllLists = false;
      this.loaded.clear();
      this.generation += 1;
      this.restartAt = performance.now() + this.restartMs;
      this.restartMs = Math.min(2 * this.restartMs, MAX_RESTART_MS);
    });
    return this.thread;
  }
}

/** Returns the name of an error, never the message, which may quote an entry. */
const nameOfError = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');

const isUsed = ({ archivedAt }: ListRow): boolean => archivedAt === null;

const termsOf = ({ kind, evidenceThreshold, mandatoryThreshold }: ListRow): ListSearchTerms => ({
  kind,
  thresholds: { evidence: evidenceThreshold, mandatory: mandatoryThreshold },
});

const termsChanged = (one: ListRow, other: ListRow): boolean =>
  one.evidenceThreshold !== other.evidenceThreshold ||
  one.mandatoryThreshold !== other.mandatoryThreshold ||
  one.staleAfterDays !== other.staleAfterDays ||
  one.singleControl !== other.singleControl ||
  one.importSingleControl !== other.importSingleControl ||
  one.publishedAt?.getTime() !== other.publishedAt?.getTime();
