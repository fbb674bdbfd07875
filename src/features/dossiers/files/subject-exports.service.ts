import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../../audit/index.js';
import { CustomerFilesService, type CustomerFile } from '../../customers/index.js';
import { throttlePages } from '../../../platform/kernel/work/long-work.js';
import { Clock, orThrow, publicId } from '../../../platform/kernel/index.js';
import { TransactionArchiveService, type ArchiveCursor } from '../../kyt/index.js';
import { SessionEvidenceReaderService } from '../../sessions/index.js';
import { ArtifactsService } from '../../uploads/index.js';
import {
  declarationsOf,
  toSubjectSession,
  toSubjectTransaction,
  subjectPersonOf,
  type SubjectTransaction,
  type SubjectExport,
} from '../domain/subject-export.js';
import { DossierExports } from './dossier-exports.js';
import { DossierOperators } from './dossier-operators.js';
import type { DossierLanguage } from '../domain/language.js';

const PAGE = 250;

/**
 * Exports the data held about a person, at their request (LGPD, art. 18, II). The export consists of data that the
 * person or the integrator sent. It has no conclusions, and no evaluation is even read (Lei 9.613/1998, art. 11, II).
 */
@Injectable()
export class SubjectExportsService {
  constructor(
    private readonly customers: CustomerFilesService,
    private readonly archive: TransactionArchiveService,
    private readonly artifacts: ArtifactsService,
    private readonly sessions: SessionEvidenceReaderService,
    private readonly exports: DossierExports,
    private readonly dossierOperators: DossierOperators,
    private readonly clock: Clock,
  ) {}

  /** Returns the subject export of a customer by stored id. */
  async ofCustomer(
    ctx: ActorContext,
    id: string,
    { format, language }: { readonly format: 'json' | 'pdf'; readonly language: DossierLanguage },
  ): Promise<SubjectExport> {
    const { organisationId } = ctx;
    const customer = orThrow(await this.customers.readFile(organisationId, id), 'CUSTOMER_NOT_FOUND');
    const artifacts = await this.artifacts.listByCustomer(organisationId, customer.id);
    const statements = await this.sessions.statementsOf(organisationId, customer.id);
    const exportId = await this.exports.record(ctx, {
      ...{ about: 'subject', id: customer.id, format, language },
      revealed: true,
    });
    return {
      id: exportId,
      generatedAt: new Date(this.clock.now()).toISOString(),
      institution: await this.dossierOperators.findInstitution(organisationId),
      person: subjectPersonOf(customer),
      declared: declarationsOf(customer),
      sessions: statements.map(toSubjectSession),
      files: artifacts.map(({ id: file, kind, side, mimeType, createdAt }) => ({
        ...{ id: publicId('art', file), kind, side, mimeType },
        receivedAt: createdAt.toISOString(),
      })),
      iterateTransactions: () => throttlePages(customer.organisationId, this.iterateTransactions(customer)),
    };
  }

  private async *iterateTransactions({
    organisationId,
    transactionKeys,
    profile,
  }: CustomerFile): AsyncGenerator<readonly SubjectTransaction[]> {
    for (let after: ArchiveCursor | null = null; ;) {
      const page = await this.archive.pageByCustomer(organisationId, transactionKeys, after, PAGE, {
        evaluations: false,
      });
      yield page.transactions.flatMap((one) => toSubjectTransaction(one, profile?.document ?? null) ?? []);
      if (!page.next) return;
      after = page.next;
    }
  }
}
