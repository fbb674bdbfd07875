import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { CustomersService } from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, orThrow, pick } from '../../../platform/kernel/index.js';
import { CommunicationContents } from './communication-contents.js';
import type { Communication, CommunicationYear, Institution } from '../domain/coaf/communication.js';
import { statementDueAt, yearBounds } from '../domain/coaf/deadlines.js';
import { writeInvestigatorFiles } from '../domain/coaf/investigator-files.js';
import { writeSiscoafXml, type LocalDateTime, type DraftProblem } from '../domain/coaf/siscoaf-xml.js';
import { segments, type CommunicationKind } from '../data/siscoaf-layout.js';
import { DossierExports } from '../files/dossier-exports.js';
import type { CommunicationRow } from '../domain/records.js';
import { CommunicationRepository, type CommunicationFilter } from '../store/communication.repository.js';
import { CoafInstitutionEntity } from '../store/entities.js';

export const coafFiles = [
  'siscoaf.xml',
  'RIF_Comunicacoes.csv',
  'RIF_Envolvidos.csv',
  'RIF_Ocorrencias.csv',
] as const;
export type CoafFile = (typeof coafFiles)[number];

export type NewInstitution = Readonly<Omit<CoafInstitutionEntity, 'organisationId' | 'updatedAt'>>;

/** Reads communications to COAF. The service never transmits them. */
@Injectable()
export class CoafCommunicationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly communications: CommunicationRepository,
    private readonly communicationContents: CommunicationContents,
    private readonly exports: DossierExports,
  ) {}

  /** Returns communications, newest first; for a merged customer, the communications of the surviving customer. */
  async page(
    organisationId: string,
    filter: CommunicationFilter,
    before: string | null,
    limit: number,
  ): Promise<CommunicationRow[]> {
    const customerId = await this.customers.resolveId(organisationId, filter.customerId);
    return this.communications.page(organisationId, { ...filter, customerId }, before, limit);
  }

  async get(organisationId: string, id: string): Promise<CommunicationRow> {
    return orThrow(await this.communications.find(organisationId, id), 'COMMUNICATION_NOT_FOUND');
  }

  /** Returns a communication with its codes, and the problems to resolve before filing. */
  async inspect(
    organisationId: string,
    id: string,
  ): Promise<{ row: CommunicationRow; problems: readonly DraftProblem[]; codes: readonly number[] }> {
    const row = await this.get(organisationId, id);
    const content = await this.communicationContents.readContent(row);
    if (!content) return { row, problems: [], codes: [] };
    return {
      row,
      problems: writeSiscoafXml([content], timeOf(row.createdAt)).problems,
      codes: content.codes,
    };
  }

  /** Returns a file of a communication, in ISO-8859-1. It contains full documents, so the export is audited. */
  async readFile(ctx: ActorContext, id: string, file: CoafFile): Promise<Buffer> {
    const row = await this.get(ctx.organisationId, id);
    const content = orThrow(await this.communicationContents.readContent(row), 'COMMUNICATION_NOT_FOUND');
    const bytes = bytesOfFile(content, row, file);
    await this.exports.record(ctx, { about: 'communication', id, format: file, revealed: true });
    return bytes;
  }

  findInstitution(organisationId: string): Promise<Institution | null> {
    return this.communicationContents.findInstitution(organisationId);
  }

  /** Sets the reporting institution of all drafts. Recorded filings keep their institution. */
  async setInstitution(ctx: ActorContext, institution: NewInstitution): Promise<Institution> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      const row = { organisationId, ...institution, updatedAt: now };
      await tx.upsert(CoafInstitutionEntity, row, ['organisationId']);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'coaf_institution', organisationId, 'coaf_institution.changed', now, {
          ...pick(institution, 'taxId', 'city', 'state'),
        }),
      );
    });
    return institution;
  }

  /**
   * Counts the communications of a year in Brazil, and returns if the yearly declaration of no communications is due.
   */
  async summarizeYear(organisationId: string, year: number): Promise<CommunicationYear> {
    const { from, to } = yearBounds(year);
    const rows = await this.communications.count(organisationId, from, to);
    const kinds = Object.keys(segments) as CommunicationKind[];
    const counts = kinds.map((kind) => {
      const rowsOfKind = rows.filter((row) => row.kind === kind);
      const sum = (some: typeof rowsOfKind): number => some.reduce((total, { count }) => total + count, 0);
      return {
        kind,
        drafted: sum(rowsOfKind),
        filed: sum(rowsOfKind.filter(({ status }) => status === 'FILED')),
      };
    });
    return {
      year,
      counts,
      noOccurrence: counts.every(({ drafted }) => drafted === 0),
      statementDueAt: statementDueAt(year).toISOString(),
    };
  }
}

function bytesOfFile(content: Communication, { createdAt }: CommunicationRow, file: CoafFile): Buffer {
  switch (file) {
    case 'siscoaf.xml':
      return writeSiscoafXml([content], timeOf(createdAt)).bytes;
    case 'RIF_Comunicacoes.csv':
      return writeInvestigatorFiles([content]).communications;
    case 'RIF_Envolvidos.csv':
      return writeInvestigatorFiles([content]).parties;
    case 'RIF_Ocorrencias.csv':
      return writeInvestigatorFiles([content]).occurrences;
  }
}

// The batch name contains the creation time of the draft, so that repeated exports are identical.
const clockOf = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

function timeOf(at: Date): LocalDateTime {
  const parts = new Map(clockOf.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}
