import { parentPort, workerData } from 'node:worker_threads';
import { parseNameQuery } from '../domain/names/name-query.js';
import { keepMatches } from '../domain/search/kept-matches.js';
import { EntryTableBuilder } from '../domain/search/entry-table.js';
import { IndexBuilder } from '../domain/search/index-builder.js';
import type { ListEntry } from '../domain/lists/list-entry.js';
import {
  buffersOfSegment,
  ListSegment,
  type PackedSegment,
  type SearchQuery,
} from '../domain/search/list-segment.js';
import {
  unpackQueries,
  type BuilderMessage,
  type FoundCandidates,
  type SearchAnswer,
  type SearchMessage,
} from './search-messages.js';

type Asking = Extract<SearchMessage, { kind: 'ask' }>;

const port = parentPort;
if (!port) throw new Error('search.worker.js runs as a worker thread only');

/** Builds a segment from the received rows, transfers it without copying, and exits. */
function build(): void {
  const names = new IndexBuilder();
  const entries = new EntryTableBuilder();
  port?.on('message', (message: BuilderMessage) => {
    if (message.kind === 'rows') {
      for (const { id, hash, content } of message.rows) {
        const entry = JSON.parse(content) as ListEntry;
        const number = entries.add(id, hash, entry);
        for (const name of entry.names) names.add(name, entry.kind, number);
      }
      port.postMessage({ kind: 'taken' });
      return;
    }
    const segment: PackedSegment = { index: names.build(), entries: entries.build() };
    port.postMessage({ kind: 'built', segment }, buffersOfSegment(segment));
    port.close();
  });
}

/** Holds the segments of all lists and answers queries, one batch after another. */
function serve(): void {
  const lists = new Map<string, ListSegment[]>();
  const search = (question: SearchQuery, { lists: wanted, limit }: Asking): FoundCandidates => {
    const query = parseNameQuery(question.name, question.kind);
    const keptMatches = wanted.map(({ id, terms }) => {
      const segments = lists.get(id) ?? [];
      const parts = segments.map((segment) => segment.find(query, question, terms, limit));
      const [only] = parts;
      if (only && parts.length === 1) return only;
      const kept = keepMatches(
        parts.flatMap(({ candidates }) => candidates),
        terms.kind,
        limit,
      );
      return { ...kept, isCut: kept.isCut || parts.some(({ isCut }) => isCut) };
    });
    return keptMatches.some(({ candidates, isCut }) => candidates.length > 0 || isCut) ? keptMatches : null;
  };
  port?.on('message', (message: SearchMessage) => {
    switch (message.kind) {
      case 'replace':
        lists.set(message.list, [new ListSegment(message.segment)]);
        break;
      case 'append':
        lists.set(message.list, [...(lists.get(message.list) ?? []), new ListSegment(message.segment)]);
        break;
      case 'remove': {
        const ids = new Set(message.ids);
        for (const segment of lists.get(message.list) ?? []) segment.remove(ids);
        break;
      }
      case 'drop':
        lists.delete(message.list);
        break;
      case 'ask': {
        const found: FoundCandidates[] = [];
        for (const question of unpackQueries(message.questions)) found.push(search(question, message));
        port.postMessage({ kind: 'answer', id: message.id, found } satisfies SearchAnswer);
        return;
      }
    }
    port.postMessage({ kind: 'done', id: message.id } satisfies SearchAnswer);
  });
}

if (workerData === 'build') build();
else serve();
