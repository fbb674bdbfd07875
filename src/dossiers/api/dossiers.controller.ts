import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Acting } from '../../audit/index.js';
import { Settings } from '../../config/index.js';
import { ApiData, ApiErrors, ForOperator } from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { dossierJson } from '../dossier-json.js';
import { writeDossierPdf } from '../dossier-pdf.js';
import { Dossiers } from '../dossiers.service.js';
import { SubjectExports } from '../subject-exports.js';
import { subjectJson, writeSubjectPdf } from '../subject-files.js';
import { DossierQuery, DossierView, LanguageQuery, SubjectExportView } from './dossier.dto.js';

const CUSTOMER = { name: 'id', example: 'cus_019364d0c0de7000a000000000000002' } as const;
const REVIEW = { name: 'id', example: 'rev_019364d0c0de7000a000000000000003' } as const;
const PDF_FILE = {
  description: 'The file.',
  schema: { type: 'string', format: 'binary' },
} as const;

/** Everything that is known about a customer or a case, to read, to print, or to give to the person. */
@ApiTags('Dossiers')
@Controller('operator')
export class DossiersController {
  constructor(
    private readonly dossiers: Dossiers,
    private readonly subjects: SubjectExports,
    private readonly settings: Settings,
  ) {}

  @Get('customers/:id/dossier')
  @ForOperator('customers:export')
  @ApiOperation({ operationId: 'customerDossier', summary: 'The dossier of a customer, streamed' })
  @ApiParam(CUSTOMER)
  @ApiData(DossierView)
  @ApiErrors('CUSTOMER_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE')
  async ofCustomer(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { lang: language, auditReady }: DossierQuery,
    @Res() response: Response,
  ): Promise<void> {
    const wish = { format: 'json', language, auditReady } as const;
    await sendJson(response, dossierJson(await this.dossiers.ofCustomer(acting, customerUuid(id), wish)));
  }

  @Get('customers/:id/dossier.pdf')
  @ForOperator('customers:export')
  @ApiOperation({ operationId: 'customerDossierPdf', summary: 'The dossier of a customer, to print' })
  @ApiParam(CUSTOMER)
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_FILE)
  @ApiErrors('CUSTOMER_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE')
  async pdfOfCustomer(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { lang: language, auditReady }: DossierQuery,
    @Res() response: Response,
  ): Promise<void> {
    const wish = { format: 'pdf', language, auditReady } as const;
    const dossier = await this.dossiers.ofCustomer(acting, customerUuid(id), wish);
    pdfHeaders(response, dossier.head.id);
    await writeDossierPdf(dossier, { language, author: this.settings.serviceName, output: response });
  }

  @Get('reviews/:id/dossier')
  @ForOperator('customers:export')
  @ApiOperation({ operationId: 'reviewDossier', summary: 'The dossier of a case, streamed' })
  @ApiParam(REVIEW)
  @ApiData(DossierView)
  @ApiErrors('REVIEW_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE')
  async ofReview(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { lang: language, auditReady }: DossierQuery,
    @Res() response: Response,
  ): Promise<void> {
    const wish = { format: 'json', language, auditReady } as const;
    await sendJson(response, dossierJson(await this.dossiers.ofReview(acting, reviewUuid(id), wish)));
  }

  @Get('reviews/:id/dossier.pdf')
  @ForOperator('customers:export')
  @ApiOperation({ operationId: 'reviewDossierPdf', summary: 'The dossier of a case, to print' })
  @ApiParam(REVIEW)
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_FILE)
  @ApiErrors('REVIEW_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE')
  async pdfOfReview(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { lang: language, auditReady }: DossierQuery,
    @Res() response: Response,
  ): Promise<void> {
    const wish = { format: 'pdf', language, auditReady } as const;
    const dossier = await this.dossiers.ofReview(acting, reviewUuid(id), wish);
    pdfHeaders(response, dossier.head.id);
    await writeDossierPdf(dossier, { language, author: this.settings.serviceName, output: response });
  }

  @Get('customers/:id/subject-export')
  @ForOperator('customers:reveal')
  @ApiOperation({
    operationId: 'subjectExport',
    summary: 'What a person gets who asks for the data held about them, streamed',
    description:
      'For the person (LGPD, art. 18, II): what was sent in, and nothing that was concluded from it. It has no evaluation, ' +
      'hit, case or communication.',
  })
  @ApiParam(CUSTOMER)
  @ApiData(SubjectExportView)
  @ApiErrors('CUSTOMER_NOT_FOUND')
  async subject(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { lang: language }: LanguageQuery,
    @Res() response: Response,
  ): Promise<void> {
    const wish = { format: 'json', language } as const;
    await sendJson(response, subjectJson(await this.subjects.ofCustomer(acting, customerUuid(id), wish)));
  }

  @Get('customers/:id/subject-export.pdf')
  @ForOperator('customers:reveal')
  @ApiOperation({
    operationId: 'subjectExportPdf',
    summary: 'The same to print, for the person',
  })
  @ApiParam(CUSTOMER)
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_FILE)
  @ApiErrors('CUSTOMER_NOT_FOUND')
  async subjectPdf(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Query() { lang: language }: LanguageQuery,
    @Res() response: Response,
  ): Promise<void> {
    const wish = { format: 'pdf', language } as const;
    const subject = await this.subjects.ofCustomer(acting, customerUuid(id), wish);
    pdfHeaders(response, subject.id);
    await writeSubjectPdf(subject, { language, author: this.settings.serviceName, output: response });
  }
}

/** An error on the way ends the connection: half an answer must not look like a whole one. */
async function sendJson(response: Response, text: AsyncGenerator<string>): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  await pipeline(Readable.from(text), response);
}

function pdfHeaders(response: Response, id: string): void {
  response.setHeader('Content-Type', 'application/pdf');
  response.setHeader('Content-Disposition', `attachment; filename="${id}.pdf"`);
}

const customerUuid = (id: string): string => uuidIn('cus', id, 'CUSTOMER_NOT_FOUND');

const reviewUuid = (id: string): string => uuidIn('rev', id, 'REVIEW_NOT_FOUND');
