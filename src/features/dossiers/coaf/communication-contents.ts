import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SummaryCommunication } from '../../approvals/index.js';
import { CustomerFilesService, type CustomerFile } from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { ExchangeRatesService } from '../../fx/index.js';
import { orThrow, pick } from '../../../platform/kernel/index.js';
import type { CalendarDay } from '../../../platform/kernel/values/local-day.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { TransactionArchiveService, type ArchivedTransaction } from '../../kyt/index.js';
import { encryptionContextOf, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import { ReviewNotesService, ReviewQueries } from '../../reviews/index.js';
import { HitDispositionService } from '../../screening/index.js';
import type { Communication, Institution } from '../domain/coaf/communication.js';
import { localDay } from '../domain/coaf/deadlines.js';
import { draftOf } from '../domain/coaf/drafting.js';
import { communicationNumberOf } from '../domain/coaf/filing.js';
import { withEdits, type StoredEdit } from '../domain/coaf/editing.js';
import type { CommunicationRow } from '../domain/records.js';
import { CoafEditEntity, CoafInstitutionEntity } from '../store/entities.js';

// Maximum number of described transactions, because a Siscoaf file has at most 1 MB.
const MAX_TRANSACTIONS = 1_000;
const HITS = 200;

/** A decrypted edit, with the changed fields and the reason. */
export type DecryptedEdit = StoredEdit &
  Readonly<Pick<CoafEditEntity, 'revision' | 'editedBy' | 'editedAt' | 'fields'>>;

/** Composes the content of a communication: current data for a draft, else the content frozen with the filing. */
@Injectable()
export class CommunicationContents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly archive: TransactionArchiveService,
    private readonly customers: CustomerFilesService,
    private readonly reviews: ReviewQueries,
    private readonly notes: ReviewNotesService,
    private readonly hits: HitDispositionService,
    private readonly rates: ExchangeRatesService,
    private readonly vault: Vault,
  ) {}

  /** Returns the content of a communication; null if its person was erased after the content was frozen. */
  async readContent(row: CommunicationRow): Promise<Communication | null> {
    const filing =
      row.filingNumber === null || row.receivedAt === null
        ? null
        : { number: row.filingNumber, receivedOn: localDay(row.receivedAt) };
    if (row.sealedContent === null) {
      const content = await this.composeEdited(row);
      return content && { ...content, filing };
    }
    const [opened] = await this.vault.openMany([{ sealed: row.sealedContent, context: contextOf(row) }]);
    return opened ? { ...(JSON.parse(opened.toString('utf8')) as Communication), filing } : null;
  }

  /**
   * Returns what a communication says and what people changed in it, for the person who approves its filing; null if
   * its person was erased.
   */
  async summarize(row: CommunicationRow): Promise<SummaryCommunication | null> {
    const [content, edits] = [await this.readContent(row), await this.listEdits(row)];
    if (content === null || edits === null) return null;
    const { from, to, credit, debit, codes, details, parties } = content;
    return {
      ...{ from: isoDay(from), to: isoDay(to), credit, debit, codes, details },
      parties: parties.map(({ name, taxId, role }) => {
        const parsed = taxId === null ? null : TaxId.parse(taxId);
        return { name, role, documentMasked: parsed?.ok === true ? parsed.id.maskedText : null };
      }),
      edits: edits.map((edit) => pick(edit, 'revision', 'editedBy', 'editedAt', 'fields', 'reason')),
    };
  }

  /** Returns the reporting institution; null until it is set. */
  findInstitution(organisationId: string): Promise<Institution | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOne(CoafInstitutionEntity, {
        select: { taxId: true, name: true, branchNumber: true, branchName: true, city: true, state: true },
        where: { organisationId },
      }),
    );
  }

  /** Returns the current content, encrypted, with the hash of its canonical JSON. */
  async sealContent(row: CommunicationRow): Promise<{ readonly sealed: Buffer; readonly hash: Buffer }> {
    const content = orThrow(await this.composeEdited(row), 'COMMUNICATION_NOT_FOUND');
    const text = canonicalJson(content);
    return {
      sealed: await this.vault.sealOne(text, await this.subjectOf(row), contextOf(row)),
      hash: createHash('sha256').update(text).digest(),
    };
  }

  /** Returns all edits, the oldest first; null if the person was erased. */
  async listEdits({ organisationId, id }: CommunicationRow): Promise<readonly DecryptedEdit[] | null> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(CoafEditEntity, {
        where: { organisationId, communicationId: id },
        order: { revision: 'ASC' },
      }),
    );
    const plaintexts = await this.vault.openMany(
      rows.map(({ revision, sealed }) => ({
        sealed,
        context: editContext({ organisationId, id }, revision),
      })),
    );
    const edits = rows.flatMap((row, i) => {
      const plaintext = plaintexts[i];
      return plaintext ? [Object.assign(row, JSON.parse(plaintext.toString('utf8')) as StoredEdit)] : [];
    });
    return edits.length === rows.length ? edits : null;
  }

  async sealEdit(row: CommunicationRow, revision: number, edit: StoredEdit): Promise<Buffer> {
    return this.vault.sealOne(JSON.stringify(edit), await this.subjectOf(row), editContext(row, revision));
  }

  /** Returns the draft with all edits applied. */
  private async composeEdited(row: CommunicationRow): Promise<Communication | null> {
    const edits = await this.listEdits(row);
    return edits && withEdits(await this.composeDraft(row), edits);
  }

  private async subjectOf({ organisationId, customerId }: CommunicationRow): Promise<SubjectRef> {
    const customer = customerId === null ? null : await this.customers.readFile(organisationId, customerId);
    return customer
      ? { organisationId, index: customer.subjectIndex }
      : this.vault.organisationSubject(organisationId);
  }

  private async composeDraft(row: CommunicationRow): Promise<Communication> {
    const { organisationId, kind, customerId, transactionRef, reviewId } = row;
    const books = await this.rates.readTables([organisationId]);
    const book = books.get(organisationId);
    const review = reviewId === null ? null : await this.reviews.find(organisationId, reviewId);
    const refs =
      transactionRef === null
        ? reviewId === null
          ? []
          : (await this.reviews.listTransactions(organisationId, reviewId, null, MAX_TRANSACTIONS)).map(
              (linked) => linked.transactionRef,
            )
        : [transactionRef];
    const inReais = ({ amount, currency, occurredAt }: ArchivedTransaction): string | null => {
      if (currency === 'BRL') return amount;
      const converted = book?.toBrl(Number(amount), currency, occurredAt.getTime()) ?? null;
      return converted === null ? null : String(converted);
    };
    return draftOf({
      kind,
      number: communicationNumberOf(row.id),
      institution: await this.findInstitution(organisationId),
      customer: customerId === null ? null : await this.customers.readFile(organisationId, customerId),
      people: await this.readPeople(organisationId, reviewId),
      pep: await this.isPep(organisationId, customerId),
      transactions: await this.archive.findByIds(organisationId, refs),
      inReais,
      codes: row.code === null ? [] : [row.code],
      justification: review && (await this.notes.readJustification(review)),
      decidedAt: row.decidedAt,
    });
  }

  private async readPeople(organisationId: string, reviewId: string | null): Promise<CustomerFile[]> {
    const people = reviewId === null ? [] : await this.reviews.listPeople(organisationId, reviewId);
    const files = people.map(({ customerId }) => this.customers.readFile(organisationId, customerId));
    return (await Promise.all(files)).filter((file) => file !== null);
  }

  /** True if a PEP hit is confirmed, otherwise null (unknown): PEP lists lack families and associates. */
  private async isPep(organisationId: string, customerId: string | null): Promise<boolean | null> {
    if (customerId === null) return null;
    const hits = await this.hits.page(organisationId, { customerId, status: 'CONFIRMED' }, null, HITS);
    return hits.some(({ listKind }) => listKind === 'PEP') ? true : null;
  }
}

const isoDay = ({ year, month, day }: CalendarDay): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const contextOf = ({ id, organisationId }: Pick<CommunicationRow, 'id' | 'organisationId'>): string =>
  encryptionContextOf('coaf_communications', id, organisationId);

const editContext = (of: Pick<CommunicationRow, 'id' | 'organisationId'>, revision: number): string =>
  `${contextOf(of)}|edit ${revision}`;
