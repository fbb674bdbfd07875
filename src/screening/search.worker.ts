import { parentPort, workerData } from 'node:worker_threads';
import { askedName } from './domain/asked-name.js';
import { EntryTableBuilder } from './domain/entry-table.js';
import { IndexBuilder } from './domain/index-builder.js';
import type { ListEntry } from './domain/list-entry.js';
import { buffersOfSegment, ListSegment, type Candidate, type PackedSegment } from './domain/list-segment.js';
import type { BuilderMessage, SearchAnswer, SearchMessage } from './search-messages.js';

const port = parentPort;
if (!port) throw new Error('search.worker.js runs as a worker thread only');

/** Makes a segment of the rows that come in, hands it over without copying, and ends. */
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

/** Holds the segments of all lists and answers questions, one batch after the other. */
function serve(): void {
  const lists = new Map<string, ListSegment[]>();
  const ask = (message: Extract<SearchMessage, { kind: 'ask' }>): Candidate[][][] =>
    message.questions.map((question) => {
      const asked = askedName(question.name, question.kind);
      return message.lists.map(({ id, terms }) => {
        const segments = lists.get(id) ?? [];
        const [only] = segments;
        if (only && segments.length === 1) return only.find(asked, question, terms, message.limit);
        const found = segments.flatMap((segment) => segment.find(asked, question, terms, message.limit));
        return found.sort((a, b) => b.score - a.score).slice(0, message.limit);
      });
    });
  port?.on('message', (message: SearchMessage) => {
    switch (message.kind) {
      case 'replace':
        lists.set(message.list, [new ListSegment(message.segment)]);
        break;
      case 'append':
        lists.set(message.list, [...(lists.get(message.list) ?? []), new ListSegment(message.segment)]);
        break;
      case 'bury': {
        const ids = new Set(message.ids);
        for (const segment of lists.get(message.list) ?? []) segment.bury(ids);
        break;
      }
      case 'drop':
        lists.delete(message.list);
        break;
      case 'ask': {
        const answer: SearchAnswer = { kind: 'answer', id: message.id, found: ask(message) };
        port.postMessage(answer);
        return;
      }
    }
    port.postMessage({ kind: 'done', id: message.id } satisfies SearchAnswer);
  });
}

if (workerData === 'build') build();
else serve();
