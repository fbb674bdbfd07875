import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  listById,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { Clock, DomainError, uuidIn, uuidInFilter } from '../../kernel/index.js';
import { CoafDesk, coafFiles, type CoafFile } from '../coaf-desk.service.js';
import {
  CommunicationDetailView,
  CommunicationsQuery,
  CommunicationView,
  detailOf,
  FilingBody,
  FilingDecisionBody,
  InstitutionBody,
  InstitutionView,
  YearQuery,
  YearView,
} from './coaf.dto.js';

const ID = { name: 'id', example: 'com_019364d0c0de7000a000000000000011' } as const;
const FILE = { name: 'file', enum: coafFiles, example: 'siscoaf.xml' } as const;

/** Communications to COAF: drafts, their files, and what a person filed. The service never transmits one. */
@ApiTags('COAF')
@Controller('operator/coaf')
export class CoafController {
  constructor(
    private readonly desk: CoafDesk,
    private readonly clock: Clock,
  ) {}

  @Get('communications')
  @ForOperator('reviews:read')
  @ApiOperation({ operationId: 'listCommunications', summary: 'Communications to COAF, the newest first' })
  @ApiPage(CommunicationView)
  async list(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() query: CommunicationsQuery,
  ): Promise<Page<CommunicationView>> {
    const { kind, status, customerId, overdue } = query;
    const customer = uuidInFilter('cus', customerId, 'customerId');
    const filter = { kind, status, customerId: customer, overdue };
    const now = this.clock.now();
    return listById(
      query,
      (before, limit) => this.desk.page(organisationId, filter, before, limit),
      (row) => CommunicationView.of(row, now),
    );
  }

  @Get('communications/:id')
  @ForOperator('reviews:read')
  @ApiOperation({
    operationId: 'getCommunication',
    summary: 'One communication, with what must be seen to before it is filed',
  })
  @ApiParam(ID)
  @ApiData(CommunicationDetailView)
  @ApiErrors('COMMUNICATION_NOT_FOUND')
  async one(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<CommunicationDetailView>> {
    const { row, problems, codes } = await this.desk.inspect(organisationId, stored(id));
    return envelope(detailOf(row, this.clock.now(), { codes, problems }));
  }

  @Get('communications/:id/files/:file')
  @ForOperator('customers:reveal')
  @ApiOperation({
    operationId: 'getCommunicationFile',
    summary:
      'A file of the communication: DRAFT of the Siscoaf batch, or one of the three files of investigators',
    description:
      'In ISO-8859-1. It shows full documents, so it needs the permission for them and is audited.',
  })
  @ApiParam(ID)
  @ApiParam(FILE)
  @ApiProduces('application/xml', 'text/csv')
  @ApiOkResponse({ description: 'The file.', schema: { type: 'string', format: 'binary' } })
  @ApiErrors('COMMUNICATION_NOT_FOUND')
  async file(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Param('file') file: string,
    @Res() response: Response,
  ): Promise<void> {
    if (!isFile(file)) throw new DomainError('COMMUNICATION_NOT_FOUND');
    const bytes = await this.desk.file(acting, stored(id), file);
    const type = file.endsWith('.xml') ? 'application/xml' : 'text/csv';
    response.setHeader('Content-Type', `${type}; charset=ISO-8859-1`);
    response.setHeader('Content-Disposition', `attachment; filename="${file}"`);
    response.end(bytes);
  }

  @Post('communications/:id/filing')
  @ForOperator('reviews:decide')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'recordFiling',
    summary: 'Record that the communication was filed',
    description: 'What it says is frozen. Another person confirms the record.',
  })
  @ApiParam(ID)
  @ApiData(CommunicationView)
  @ApiErrors('COMMUNICATION_NOT_FOUND', 'STATE_CONFLICT')
  async recordFiling(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { filingNumber, acknowledgement, receivedAt }: FilingBody,
  ): Promise<Success<CommunicationView>> {
    const filing = {
      filingNumber,
      acknowledgement: acknowledgement ?? null,
      receivedAt: new Date(receivedAt),
    };
    const row = await this.desk.recordFiling(acting, stored(id), filing);
    return envelope(CommunicationView.of(row, this.clock.now()));
  }

  @Post('communications/:id/filing/decision')
  @ForOperator('reviews:approve')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'decideFiling',
    summary: 'Confirm, as a second person, what was recorded; or take it back',
  })
  @ApiParam(ID)
  @ApiData(CommunicationView)
  @ApiErrors('COMMUNICATION_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED')
  async decideFiling(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { decision }: FilingDecisionBody,
  ): Promise<Success<CommunicationView>> {
    const row = await this.desk.decideFiling(acting, operator, stored(id), decision);
    return envelope(CommunicationView.of(row, this.clock.now()));
  }

  @Get('year')
  @ForOperator('reviews:read')
  @ApiOperation({
    operationId: 'yearOfCommunications',
    summary: 'How much was communicated in a year, and whether it has to be stated that nothing was',
  })
  @ApiData(YearView)
  async year(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { year }: YearQuery,
  ): Promise<Success<YearView>> {
    return envelope(YearView.of(await this.desk.year(organisationId, year)));
  }

  @Get('institution')
  @ForOperator('reviews:read')
  @ApiOperation({ operationId: 'getInstitution', summary: 'Who communicates' })
  @ApiData(InstitutionView)
  async institution(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
  ): Promise<Success<InstitutionView>> {
    return envelope(InstitutionView.of(await this.desk.institution(organisationId)));
  }

  @Put('institution')
  @ForOperator('settings:manage')
  @ApiOperation({ operationId: 'setInstitution', summary: 'Say who communicates' })
  @ApiData(InstitutionView)
  async setInstitution(
    @Acting() acting: Acting,
    @Body() body: InstitutionBody,
  ): Promise<Success<InstitutionView>> {
    const { branchNumber = null, branchName = null, city = null, state = null, name } = body;
    const taxId = body.taxId.replace(/[.\-/ ]/g, '').toUpperCase();
    const institution = { taxId, name, branchNumber, branchName, city, state };
    return envelope(InstitutionView.of(await this.desk.setInstitution(acting, institution)));
  }
}

const isFile = (file: string): file is CoafFile => (coafFiles as readonly string[]).includes(file);

const stored = (id: string): string => uuidIn('com', id, 'COMMUNICATION_NOT_FOUND');
