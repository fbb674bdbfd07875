import { ApiProperty } from '@nestjs/swagger';
import { View, viewOf } from '../../../platform/http/index.js';
import { publicId, toPublicActor } from '../../../platform/kernel/index.js';
import type { HitExplanation } from '../hits/hit-disposition.service.js';
import { hitStatuses } from '../domain/hit.js';
import { listKinds, valueTypes, type ListEntry } from '../domain/lists/list-entry.js';
import { listFormats } from '../domain/lists/list-formats.js';
import { partyRoles } from '../domain/party-role.js';
import type { Candidate } from '../domain/search/list-segment.js';
import type { AlignmentLine } from '../domain/names/unmatched-cost.js';
import type { LoadedList } from '../search/search-index.service.js';
import type { HitRow, ListRow, SnapshotRow } from '../domain/records.js';

const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000;

export class ListView {
  @View.id('lst', 'The id of the list.') id: string;
  @View.text('The key of the list, which never changes.', { example: 'ofac-sdn' }) key: string;
  @View.text('The name of the list.', { example: 'OFAC Specially Designated Nationals' }) name: string;
  @View.enum(listKinds, 'The kind of list.', { example: 'SANCTIONS' }) kind: string;
  @View.enum(listFormats, 'The format in which it is written.', { example: 'OFAC_SDN_CSV' }) format: string;
  @View.number('The score from which a hit counts as evidence.', { example: 0.8 }) evidenceThreshold: number;
  @View.number('The score from which a person has to decide about a hit.', { example: 0.85 })
  mandatoryThreshold: number;
  @View.integerOrNull('After how many days the list counts as too old.', { example: 7 }) staleAfterDays:
    number | null;
  @View.integer('Number of the snapshot in force; 0 before the first.', { example: 12 }) sequence: number;
  @View.idOrNull('imp', 'The id of the state of the list.') snapshotId: string | null;
  @View.instantOrNull(
    'As of when it is: the day on which its file says that it was made, and where it says none when it went live or came again.',
  )
  publishedAt: string | null;
  @View.integer('How many entries.', { example: 8976 }) entries: number;
  @View.flag('Whether this process has the snapshot in its index.', { example: true }) indexed: boolean;
  @View.instantOrNull('When it went out of use.') archivedAt: string | null;

  static of(row: ListRow, held: LoadedList | undefined): ListView {
    return viewOf(ListView, row, {
      evidenceThreshold: roundScore(row.evidenceThreshold),
      mandatoryThreshold: roundScore(row.mandatoryThreshold),
      snapshotId: row.snapshotId === null ? null : publicId('imp', row.snapshotId),
      indexed: held?.row.sequence === row.sequence,
    });
  }
}

export class BrokenLineView {
  @View.integer('Counted from 1; of OFAC, that of the file of aliases where the problem begins with ALIAS.', {
    example: 4711,
  })
  line: number;

  @View.textOrNull('The column to blame, where it is one.', { example: null }) column: string | null;
  @View.text('What is wrong.', { example: 'TOO_FEW_COLUMNS' }) problem: string;
}

export class DroppedFieldView {
  @View.integer('Counted from 1.', { example: 4711 }) line: number;
  @View.text('The column, counted from 1.', { example: 'countries' }) column: string;
  @View.text('What is wrong.', { example: 'COUNTRY_UNKNOWN' }) problem: string;
}

export class RoundView {
  @View.enum(['RUNNING', 'FINISHED'], 'The status of the round.', { example: 'FINISHED' }) status: string;
  @View.integer('Customers known when the snapshot was published.', { example: 100_000 }) total: number;
  @View.integer('How many are done.', { example: 100_000 }) done: number;
  @View.integer('Hits found, those that were known included.', { example: 3 }) hits: number;
}

export class ChangedEntryView {
  @View.text('The key of the entry, which never changes.', { example: '2674' }) key: string;
  @View.enum(['ADDED', 'CHANGED', 'REMOVED'], 'What became of the entry: added, changed or removed.', {
    example: 'REMOVED',
  })
  change: string;
  @View.text('The name that the list gives; the key if it gives none.', { example: 'Ana Exemplo' })
  name: string;
}

const REPORTED_IN_PAGES = 20;

export class ImportView {
  @View.id('imp', 'The id of the import.') id: string;

  @View.enum(
    ['READING', 'AWAITING_CONFIRMATION', 'PUBLISHED', 'UNCHANGED', 'REJECTED', 'FAILED'],
    'The status of the import.',
    {
      example: 'PUBLISHED',
    },
  )
  status: string;

  @View.textOrNull(
    'LIST_SHRINKS, LIST_LOSES, LIST_BEGINS, LIST_ALLOWS, PREVIEW, NOT_THIS_FORMAT, NO_ENTRIES, READING_FAILED or INTERRUPTED.',
    {
      example: null,
    },
  )
  reason: string | null;

  @View.integerOrNull('The number of the snapshot that it became; null before.', { example: 12 })
  sequence: number | null;
  @View.textOrNull('SHA-256 of the bytes of the file or files.') sha256: string | null;
  @View.integerOrNull('How many bytes there are.', { example: 2_013_896 }) bytesTotal: number | null;
  @View.integer('How many bytes were read.', { example: 2_013_896 }) bytesRead: number;
  @View.integer('Records of the files: as many as entries, linesMerged and linesBroken together.', {
    example: 29_152,
  })
  lines: number;

  @View.integer('How many entries.', { example: 8976 }) entries: number;
  @View.integer('How many names the list has.', { example: 20_886 }) names: number;
  @View.integerOrNull('How many are new.', { example: 12 }) added: number | null;
  @View.integerOrNull('How many have changed.', { example: 3 }) changed: number | null;
  @View.integerOrNull('How many are gone.', { example: 1 }) removed: number | null;
  @View.integerOrNull('How many are as before.', { example: 8960 }) unchanged: number | null;
  @View.integer('Lines that add to an entry of another line, or say the same again.', { example: 20_176 })
  linesMerged: number;

  @View.integer('Lines that could not be read; the rest is imported.', { example: 0 }) linesBroken: number;
  @View.list(BrokenLineView, 'The first 1,000 of them; in a page of imports the first 20.')
  broken: readonly BrokenLineView[];

  @View.integer('Fields that could not be read, of lines that were.', { example: 1 }) fieldsDropped: number;
  @View.list(DroppedFieldView, 'The first 1,000 of them; in a page of imports the first 20.')
  dropped: readonly DroppedFieldView[];

  @View.id('opr', 'Who asked for the import.') requestedBy: string;
  @View.textOrNull('Who decided about the import; null before.', { example: null }) decidedBy: string | null;
  @View.instant('When the import was created.') createdAt: string;
  @View.instantOrNull('When the import ended; null while it is open.') endedAt: string | null;

  static of(row: SnapshotRow, shown = REPORTED_IN_PAGES): ImportView {
    return viewOf(ImportView, row, {
      bytesTotal: row.bytesTotal === null ? null : Number(row.bytesTotal),
      bytesRead: Number(row.bytesRead),
      broken: row.broken.slice(0, shown),
      dropped: row.dropped.slice(0, shown).map(({ column, ...one }) => ({ ...one, column: column ?? '' })),
      requestedBy: toPublicActor(row.requestedBy),
      decidedBy: row.decidedBy === null ? null : toPublicActor(row.decidedBy),
    });
  }
}

export class ImportDetailView extends ImportView {
  @View.list(ChangedEntryView, 'While it waits: up to 100 of the entries that would change.')
  preview: readonly ChangedEntryView[];

  @View.objectOrNull(RoundView, 'The screening of known customers against it.') round: RoundView | null;

  static detailOf(
    row: SnapshotRow,
    preview: readonly ChangedEntryView[],
    round: RoundView | null,
  ): ImportDetailView {
    return Object.assign(ImportView.of(row, Infinity), {
      preview,
      round: round && {
        status: round.status === 'FINISHED' ? 'FINISHED' : 'RUNNING',
        total: round.total,
        done: round.done,
        hits: round.hits,
      },
    });
  }
}

export class ListedValueView {
  @View.enum(valueTypes, 'The type of the value.', { example: 'IP' }) type: string;

  @View.text('The value, as text.', { example: '10.0.0.0/8' }) value: string;
}

export class EntryView {
  @View.text('The key of the entry, which never changes.', { example: '2674' }) key: string;
  @View.enum(['PERSON', 'ORGANISATION', 'OTHER', 'UNKNOWN'], 'The kind of entry.', { example: 'PERSON' })
  kind: string;
  @View.texts('The names.', { example: ['EXEMPLO, Ali', 'ABU EXEMPLO'] }) names: readonly string[];
  @View.list(ListedValueView, 'The values.') values: readonly ListedValueView[];
  @View.textOrNull('The document of the entry, with characters hidden.', { example: '***.456.789-**' })
  maskedDocument: string | null;
  @View.texts('The dates of birth that the list names.', { example: ['1970-01-31', '1971'] })
  birthDates: readonly string[];
  @View.texts('The countries, as ISO 3166 alpha-2 codes.', { example: ['BR'] }) countries: readonly string[];
  @View.textOrNull('From when it holds.', { format: 'date' }) validFrom: string | null;
  @View.textOrNull('The last day on which it counts.', { format: 'date' }) validUntil: string | null;
  @View.textOrNull('What the list says besides.', { example: 'SDGT' }) remarks: string | null;
  @View.integer('The snapshot that this version of the entry came with.', { example: 3 }) since: number;

  static of(entry: ListEntry, since: number): EntryView {
    const digits = entry.maskedDocument;
    return {
      ...entry,
      maskedDocument: digits === null ? null : `***.${digits.slice(0, 3)}.${digits.slice(3)}-**`,
      since,
    };
  }
}

export class AlignedView implements AlignmentLine {
  @View.textOrNull('The word of the one name.', { example: 'souza' }) left: string | null;
  @View.textOrNull('The word of the other name.', { example: 'sousa' }) right: string | null;

  @ApiProperty({
    type: String,
    example: 'PHONETIC',
    description: 'How the two were found to be alike, or what speaks against.',
  })
  how: AlignmentLine['how'];

  @View.number('How much the two words resemble each other, from 0 to 1.', { example: 0.95 })
  similarity: number;
  @View.number('How much the word counts.', { example: 0.88 }) weight: number;
}

export class SearchResultView {
  @View.text('The list, by its key.', { example: 'ofac-sdn' }) list: string;
  @View.enum(listKinds, 'The kind of list.', { example: 'SANCTIONS' }) listKind: string;
  @View.number('The score, from 0 to 100.', { example: 0.9312 }) score: number;
  @View.number('Of the names alone.', { example: 0.9312 }) nameScore: number;
  @View.enum(['DOCUMENT', 'STRONG', 'NAME', 'CONTRADICTED'], 'How strong the hit is.', { example: 'NAME' })
  strength: string;
  @View.flag('Whether it would force a review.', { example: true }) mandatory: boolean;
  @View.texts('What speaks for or against the hit.', { example: ['NAME_RARE'] })
  qualifiers: readonly string[];
  @View.list(AlignedView, 'Word by word, how the score came about.') alignment: readonly AlignedView[];
  @View.object(EntryView, 'The entry of the list.') entry: EntryView;

  static of(candidate: Candidate, { row }: LoadedList, entry: ListEntry, since: number): SearchResultView {
    return viewOf(SearchResultView, candidate, {
      list: row.key,
      listKind: row.kind,
      entry: EntryView.of(entry, since),
    });
  }
}

export class HitView {
  @View.id('hit', 'The id of the hit.') id: string;
  @View.enum(hitStatuses, 'The status of the hit.', { example: 'PENDING' }) status: string;
  @View.idOrNull('cus', 'The id of the customer; null while nobody is identified.') customerId: string | null;
  @View.idOrNull('txn', 'The id of the transaction in this service.') transactionRef: string | null;
  @View.enum(partyRoles, 'What the party is in it.', { example: 'CUSTOMER' }) role: string;
  @View.id('lst', 'The id of the list.') listId: string;
  @View.text('The list, by its key.', { example: 'ofac-sdn' }) list: string;
  @View.enum(listKinds, 'The kind of list.', { example: 'SANCTIONS' }) listKind: string;
  @View.text('What the list calls the entry.', { example: '2674' }) entryKey: string;
  @View.text('Of the content of the entry; a decision stands as long as it is the same.') entryHash: string;
  @View.id('imp', 'The id of the state of the list.') snapshotId: string;
  @View.text('The version of the comparison.', { example: '1' }) scorerVersion: string;
  @View.number('The score, from 0 to 100.', { example: 0.9312 }) score: number;
  @View.number('How much the names resemble each other, from 0 to 100.', { example: 0.9312 })
  nameScore: number;
  @View.enum(['DOCUMENT', 'STRONG', 'NAME', 'CONTRADICTED'], 'How strong the hit is.', { example: 'NAME' })
  strength: string;
  @View.flag('Whether a person has to decide about it.', { example: true }) mandatory: boolean;
  @View.texts('What speaks for or against the hit.', { example: ['NAME_RARE'] })
  qualifiers: readonly string[];
  @View.textOrNull('The name that was screened; null once erased.') asked: string | null;
  @View.textOrNull('The name of the entry, as its words.') found: string | null;
  @View.list(AlignedView, 'Which word of one name was compared with which of the other.')
  alignment: readonly AlignedView[];
  @View.texts('Kinds of values that are equal.', { example: [] }) equal: readonly string[];
  @View.integer('How often a change of the entry has reopened it.', { example: 0 }) reopened: number;
  @View.textOrNull('Who decided about the hit; null before.', { example: null }) decidedBy: string | null;
  @View.instantOrNull('When the hit was decided; null before.') decidedAt: string | null;
  @View.textOrNull('Why it was decided.', { example: null }) justification: string | null;
  @View.textOrNull('The customer who deals with this person; the disposition holds for the two.')
  forCustomerId: string | null;

  @View.instantOrNull('When a dismissal is forgotten.') expiresAt: string | null;
  @View.flag('Whether one person alone decided, as nobody independent was there.') singleControl: boolean;
  @View.instant('When the hit was created.') createdAt: string;

  static of(row: HitRow, explanation: HitExplanation | null, justification: string | null): HitView {
    return viewOf(HitView, row, {
      customerId: row.customerId === null ? null : publicId('cus', row.customerId),
      transactionRef: row.transactionRef === null ? null : publicId('txn', row.transactionRef),
      list: row.listKey,
      score: roundScore(row.score),
      nameScore: roundScore(row.nameScore),
      asked: explanation?.asked ?? null,
      found: explanation?.found ?? null,
      alignment: explanation?.alignment ?? [],
      equal: explanation?.equal ?? [],
      decidedBy: row.decidedBy === null ? null : toPublicActor(row.decidedBy),
      justification,
      forCustomerId: row.forCustomerId === null ? null : publicId('cus', row.forCustomerId),
    });
  }
}
