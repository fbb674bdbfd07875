import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { type ActorContext, AuditTrail, stepOf } from '../../audit/index.js';
import { CustomersService } from '../../customers/index.js';
import { UnitOfWork } from '../../database/index.js';
import { requireSecondPerson, type OperatorPrincipal } from '../../http/index.js';
import { Clock, DomainError, publicId } from '../../kernel/index.js';
import { ReviewRepository } from '../../reviews/index.js';
import type { YearView } from '../api/coaf.dto.js';
import { CoafDrafts } from './coaf-drafts.service.js';
import type { Communication, Institution } from '../domain/coaf/communication.js';
import { statementDueAt, yearBounds } from '../domain/coaf/deadlines.js';
import { investigatorFiles } from '../domain/coaf/investigator-files.js';
import { siscoafXml, type BatchTime, type DraftProblem } from '../domain/coaf/siscoaf-xml.js';
import { segments, type CommunicationKind } from '../data/siscoaf-layout.js';
import { DossierExports } from '../files/dossier-exports.service.js';
import type { CommunicationRow } from '../domain/records.js';
import { CommunicationRepository, type CommunicationFilter } from '../store/communication.repository.js';
import { CoafCommunicationEntity } from '../store/entities/coaf-communication.entity.js';
import { CoafInstitutionEntity } from '../store/entities/coaf-institution.entity.js';

export const coafFiles = [
  'siscoaf.xml',
  'RIF_Comunicacoes.csv',
  'RIF_Envolvidos.csv',
  'RIF_Ocorrencias.csv',
] as const;
export type CoafFile = (typeof coafFiles)[number];

/** The record that a person writes by hand after filing a communication. */
export interface Filing {
  readonly filingNumber: string;
  readonly acknowledgement: string | null;
  /** When COAF received it. */
  readonly receivedAt: Date;
}

export type NewInstitution = Readonly<Omit<CoafInstitutionEntity, 'organisationId' | 'updatedAt'>>;

/** A draft has none of this. */
const UNFILED = {
  status: 'DRAFT',
  filingNumber: null,
  acknowledgement: null,
  receivedAt: null,
  recordedBy: null,
  recordedAt: null,
  sealedContent: null,
  contentHash: null,
} as const;

/** Where communications to COAF are looked at, and what was filed is recorded. Nothing is ever sent from here. */
@Injectable()
export class CoafCommunicationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly communications: CommunicationRepository,
    private readonly drafts: CoafDrafts,
    private readonly reviews: ReviewRepository,
    private readonly exports: DossierExports,
  ) {}

  /** Communications, the newest first; of a merged customer, those of the one that stays. */
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
    const row = await this.communications.find(organisationId, id);
    if (!row) throw new DomainError('COMMUNICATION_NOT_FOUND');
    return row;
  }

  /** A communication with what an analyst must see to before it is filed, and the codes that it gives. */
  async inspect(
    organisationId: string,
    id: string,
  ): Promise<{ row: CommunicationRow; problems: readonly DraftProblem[]; codes: readonly number[] }> {
    const row = await this.get(organisationId, id);
    const content = await this.drafts.contentOf(row);
    if (!content) return { row, problems: [], codes: [] };
    return { row, problems: siscoafXml([content], timeOf(row.createdAt)).problems, codes: content.codes };
  }

  /** One of the files of a communication, in ISO-8859-1. Whoever takes it sees full documents, so that is audited. */
  async file(ctx: ActorContext, id: string, file: CoafFile): Promise<Buffer> {
    const row = await this.get(ctx.organisationId, id);
    const content = await this.drafts.contentOf(row);
    if (!content) throw new DomainError('COMMUNICATION_NOT_FOUND');
    const bytes = written(content, row, file);
    await this.exports.record(ctx, { about: 'communication', id, format: file, revealed: true });
    return bytes;
  }

  /** Records that a person filed the communication; what it says is frozen. Another person confirms it. */
  async recordFiling(ctx: ActorContext, id: string, filing: Filing): Promise<CommunicationRow> {
    const { organisationId, actor } = ctx;
    const row = await this.get(organisationId, id);
    const { sealed, hash } = await this.drafts.freeze(row);
    const at = new Date(this.clock.now());
    if (filing.receivedAt.getTime() > at.getTime()) throw inFuture();
    await this.uow.run(organisationId, async (tx) => {
      const { filingNumber, acknowledgement, receivedAt } = filing;
      const { affected } = await tx.update(
        CoafCommunicationEntity,
        { organisationId, id, status: 'DRAFT' },
        {
          status: 'RECORDED',
          filingNumber,
          acknowledgement,
          receivedAt,
          recordedBy: actor.id,
          recordedAt: at,
          sealedContent: sealed,
          contentHash: hash,
        },
      );
      if (affected !== 1) throw new DomainError('STATE_CONFLICT');
      await this.audit.record(tx, [
        stepOf(ctx, 'communication', id, 'communication.filing_recorded', at, {
          filingNumber,
          acknowledged: acknowledgement !== null,
          receivedAt: receivedAt.toISOString(),
          contentHash: hash.toString('hex'),
        }),
      ]);
    });
    return this.get(organisationId, id);
  }

  /** A second person confirms what was recorded, or takes the communication back to a draft. */
  async decideFiling(
    ctx: ActorContext,
    operator: OperatorPrincipal,
    id: string,
    decision: 'CONFIRM' | 'REFUSE',
  ): Promise<CommunicationRow> {
    const { organisationId } = ctx;
    const row = await this.get(organisationId, id);
    if (row.status !== 'RECORDED' || row.recordedBy === null) throw new DomainError('STATE_CONFLICT');
    requireSecondPerson(row.recordedBy, operator);
    const at = new Date(this.clock.now());
    const action = decision === 'CONFIRM' ? 'communication.filed' : 'communication.filing_refused';
    await this.uow.run(organisationId, async (tx) => {
      const recorded = { organisationId, id, status: 'RECORDED' } as const;
      const { affected } = await (decision === 'CONFIRM'
        ? tx.update(
            CoafCommunicationEntity,
            { ...recorded, recordedBy: Not(operator.id) },
            { status: 'FILED', confirmedBy: operator.id, confirmedAt: at },
          )
        : tx.update(CoafCommunicationEntity, recorded, UNFILED));
      if (affected !== 1) throw new DomainError('STATE_CONFLICT');
      const steps = [stepOf(ctx, 'communication', id, action, at, { filingNumber: row.filingNumber })];
      const { reviewId, receivedAt } = row;
      // The clock of the case stops when COAF knows.
      if (decision === 'CONFIRM' && reviewId !== null && receivedAt !== null) {
        if (await this.reviews.reported(tx, organisationId, reviewId, receivedAt)) {
          const content = { communication: publicId('com', id), receivedAt: receivedAt.toISOString() };
          steps.push(stepOf(ctx, 'review', reviewId, 'review.reported', at, content));
        }
      }
      await this.audit.record(tx, steps);
    });
    return this.get(organisationId, id);
  }

  institution(organisationId: string): Promise<Institution | null> {
    return this.drafts.institution(organisationId);
  }

  /** Says who communicates. Drafts use it from now on; what was recorded as filed stays as it was. */
  async setInstitution(ctx: ActorContext, institution: NewInstitution): Promise<Institution> {
    const { organisationId } = ctx;
    const at = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      const row = { organisationId, ...institution, updatedAt: at };
      await tx.upsert(CoafInstitutionEntity, row, ['organisationId']);
      await this.audit.record(tx, [
        stepOf(ctx, 'coaf_institution', organisationId, 'coaf_institution.changed', at, {
          taxId: institution.taxId,
          city: institution.city,
          state: institution.state,
        }),
      ]);
    });
    return institution;
  }

  /** How much was communicated in a local year, and whether it has to be stated that nothing was. */
  async year(organisationId: string, year: number): Promise<YearView> {
    const { from, to } = yearBounds(year);
    const rows = await this.communications.count(organisationId, from, to);
    const kinds = Object.keys(segments) as CommunicationKind[];
    const counts = kinds.map((kind) => {
      const own = rows.filter((row) => row.kind === kind);
      const sum = (some: typeof own): number => some.reduce((total, { count }) => total + count, 0);
      return { kind, drafted: sum(own), filed: sum(own.filter(({ status }) => status === 'FILED')) };
    });
    return {
      year,
      counts,
      noOccurrence: counts.every(({ drafted }) => drafted === 0),
      statementDueAt: statementDueAt(year).toISOString(),
    };
  }
}

function written(content: Communication, { createdAt }: CommunicationRow, file: CoafFile): Buffer {
  switch (file) {
    case 'siscoaf.xml':
      return siscoafXml([content], timeOf(createdAt)).bytes;
    case 'RIF_Comunicacoes.csv':
      return investigatorFiles([content]).communications;
    case 'RIF_Envolvidos.csv':
      return investigatorFiles([content]).parties;
    case 'RIF_Ocorrencias.csv':
      return investigatorFiles([content]).occurrences;
  }
}

// The batch is named after the time at which the draft was made, so that the file is the same whenever it is written.
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

function timeOf(at: Date): BatchTime {
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

const inFuture = (): DomainError =>
  new DomainError('VALIDATION_FAILED', {
    details: [{ path: 'receivedAt', code: 'IN_THE_FUTURE', message: 'Must not be in the future.' }],
  });
