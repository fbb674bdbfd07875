import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { Clock, DomainError, requireUuid, uuidInFilter } from '../../../platform/kernel/index.js';
import { CoafCommunicationsService, coafFiles, type CoafFile } from '../coaf/coaf-communications.service.js';
import { CoafFilingsService } from '../coaf/coaf-filings.service.js';
import type { CommunicationRow } from '../domain/records.js';
import {
  CommunicationDetailView,
  CommunicationsQuery,
  CommunicationView,
  communicationDetailOf,
  FilingBody,
  InstitutionBody,
  InstitutionView,
  YearQuery,
  YearView,
} from './coaf.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the communication.',
  example: 'com_019364d0c0de7000a000000000000011',
} as const;
const FILE = {
  name: 'file',
  description: 'The name of the file.',
  enum: coafFiles,
  example: 'siscoaf.xml',
} as const;

/** Communications to COAF: drafts, files, and records of what a person filed. The service transmits nothing. */
@ApiTags('COAF')
@Controller('operator/coaf')
export class CoafController {
  constructor(
    private readonly coaf: CoafCommunicationsService,
    private readonly filings: CoafFilingsService,
    private readonly clock: Clock,
  ) {}

  @Route.get('communications', forOperator('reviews:read'), {
    summary: 'Communications to COAF, the newest first',
    description: 'Drafts and filed ones, filtered by kind, status and customer.',
    page: [CommunicationView, 'One page of communications.'],
  })
  async listCommunications(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() query: CommunicationsQuery,
  ) {
    const { kind, status, customerId, overdue } = query;
    const customer = uuidInFilter('cus', customerId, 'customerId');
    const filter = { kind, status, customerId: customer, overdue };
    const now = this.clock.now();
    return listById(
      query,
      { of: (row: CommunicationRow) => CommunicationView.of(row, now) },
      (before, limit) => this.coaf.page(organisationId, filter, before, limit),
    );
  }

  @Route.get('communications/:id', forOperator('reviews:read'), {
    reads: 'communication',
    summary: 'One communication, with what must be seen to before it is filed',
    description: 'The problems that it names have to be seen to before a filing can be recorded.',
    params: [ID],
    data: [CommunicationDetailView, 'The communication.'],
    errors: ['COMMUNICATION_NOT_FOUND'],
  })
  async getCommunication(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    const { row, problems, codes } = await this.coaf.inspect(organisationId, communicationUuid(id));
    return envelope(communicationDetailOf(row, this.clock.now(), { codes, problems }));
  }

  @Route.get('communications/:id/files/:file', forOperator('customers:reveal'), {
    reads: 'communication',
    summary:
      'A file of the communication: DRAFT of the Siscoaf batch, or one of the three files of investigators',
    description:
      'In ISO-8859-1. It shows full documents, so it needs the permission for them and is audited.',
    params: [ID, FILE],
    errors: ['COMMUNICATION_NOT_FOUND'],
    file: [['application/xml', 'text/csv'], 'The file.'],
  })
  async getCommunicationFile(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Param('file') file: string,
    @Res() response: Response,
  ) {
    if (!isFile(file)) throw new DomainError('COMMUNICATION_NOT_FOUND');
    const bytes = await this.coaf.readFile(ctx, communicationUuid(id), file);
    const type = file.endsWith('.xml') ? 'application/xml' : 'text/csv';
    response.setHeader('Content-Type', `${type}; charset=ISO-8859-1`);
    response.setHeader('Content-Disposition', `attachment; filename="${file}"`);
    response.end(bytes);
  }

  @Route.post('communications/:id/filing', forOperator('reviews:decide'), {
    summary: 'Record that the communication was filed',
    description: 'What it says is frozen. It counts as filed when another person approves the request.',
    params: [ID],
    ...requestsApproval,
    errors: ['COMMUNICATION_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async recordFiling(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { filingNumber, acknowledgement, receivedAt }: FilingBody,
  ) {
    const filing = {
      filingNumber,
      acknowledgement: acknowledgement ?? null,
      receivedAt: new Date(receivedAt),
    };
    return envelope(ApprovalView.of(await this.filings.record(ctx, communicationUuid(id), filing)));
  }

  @Route.get('year', forOperator('reviews:read'), {
    summary: 'How much was communicated in a year, and whether it has to be stated that nothing was',
    description: 'Counted by kind. An institution that communicated nothing in a year states so to COAF.',
    data: [YearView, 'The year.'],
  })
  async yearOfCommunications(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { year }: YearQuery,
  ) {
    return envelope(await this.coaf.summarizeYear(organisationId, year));
  }

  @Route.get('institution', forOperator('reviews:read'), {
    summary: 'Who communicates',
    description: 'The institution as the files for COAF name it.',
    data: [InstitutionView, 'The institution.'],
  })
  async getInstitution(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    return envelope(InstitutionView.of(await this.coaf.findInstitution(organisationId)));
  }

  @Route.put('institution', forOperator('settings:manage'), {
    summary: 'Say who communicates',
    description: 'Stands in files that are made from now on.',
    data: [InstitutionView, 'The institution.'],
  })
  async setInstitution(@CurrentActor() ctx: ActorContext, @Body() body: InstitutionBody) {
    const { branchNumber = null, branchName = null, city = null, state = null, name } = body;
    const taxId = body.taxId.replace(/[.\-/ ]/g, '').toUpperCase();
    const institution = { taxId, name, branchNumber, branchName, city, state };
    return envelope(InstitutionView.of(await this.coaf.setInstitution(ctx, institution)));
  }
}

const isFile = (file: string): file is CoafFile => (coafFiles as readonly string[]).includes(file);

const communicationUuid = (id: string): string => requireUuid('com', id, 'COMMUNICATION_NOT_FOUND');
