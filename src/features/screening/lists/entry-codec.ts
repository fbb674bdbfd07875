import { Injectable } from '@nestjs/common';
import { required } from '../../../platform/kernel/index.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { BlindIndex, encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { contentHashOf, type ListEntry, type ListKind } from '../domain/lists/list-entry.js';
import type { ScreeningEntryEntity } from '../store/entities.js';
import type { StagedEntry } from '../store/snapshot.repository.js';

export interface DecodedEntry {
  readonly id: string;
  readonly entry: ListEntry;
  /** The sequence number of the snapshot that brought this version of the entry. */
  readonly since: number;
}

// Lists of authorities are public. Other lists name people whom the organisation knows: encrypted.
const PUBLISHED: ReadonlySet<ListKind> = new Set<ListKind>(['SANCTIONS', 'PEP', 'DEBARMENT']);

/** Encodes entries for storage, and decodes them. */
@Injectable()
export class EntryCodec {
  constructor(
    private readonly vault: Vault,
    private readonly index: BlindIndex,
  ) {}

  /** Loads the keys of the organisation; must be awaited before `encode`. */
  async prepare(organisationId: string): Promise<void> {
    await this.vault.prepare([this.vault.organisationSubject(organisationId)]);
  }

  encode(organisationId: string, kind: ListKind, id: string, entry: ListEntry): StagedEntry {
    const content = canonicalJson({ ...entry });
    // Keyed per organisation: a plain hash of a document could be reversed by trying all documents.
    const contentHash = contentHashOf(
      entry,
      this.index.computeForOrganisation(organisationId, 'list-entries'),
    );
    if (PUBLISHED.has(kind)) return { id, entryKey: entry.key, contentHash, content, sealed: null };
    const subject = this.vault.organisationSubject(organisationId);
    const sealed = this.vault.seal(
      content,
      subject,
      encryptionContextOf('screening_entries', id, organisationId),
    );
    return { id, entryKey: entry.key, contentHash, content: null, sealed };
  }

  /** Returns the JSON of each entry, in order. Throws SealBrokenError if an encrypted one was changed. */
  async decodeContents(
    organisationId: string,
    rows: readonly Pick<ScreeningEntryEntity, 'id' | 'content' | 'sealed'>[],
  ): Promise<string[]> {
    const sealed = rows.flatMap(({ id, sealed }) =>
      sealed === null
        ? []
        : [{ id, sealed, context: encryptionContextOf('screening_entries', id, organisationId) }],
    );
    const plaintexts = await this.vault.openMany(sealed);
    const byId = new Map(sealed.map((row, i) => [row.id, plaintexts[i]?.toString('utf8')]));
    return rows.map((row) => {
      const content = row.content ?? byId.get(row.id);
      if (content === undefined) throw new Error('an entry of a list has lost its content');
      return content;
    });
  }

  async decodeEntries(
    organisationId: string,
    rows: readonly ScreeningEntryEntity[],
  ): Promise<DecodedEntry[]> {
    const contents = await this.decodeContents(organisationId, rows);
    return rows.map(({ id, fromSequence }, i) => {
      const entry = JSON.parse(required(contents[i], 'the content of an entry')) as ListEntry;
      return { id, entry, since: fromSequence };
    });
  }
}
