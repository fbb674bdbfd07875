import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { Settings } from '../../../platform/config/index.js';
import { CurrentOperator, forOperator, Route, type OperatorPrincipal } from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import type { DossierLanguage } from '../domain/language.js';
import { dossierJson } from '../files/dossier-json.js';
import { DossierPicturesService, type Pictures } from '../files/dossier-pictures.service.js';
import { writeDossierPdf } from '../files/dossier-pdf.js';
import { DossiersService } from '../files/dossiers.service.js';
import { SubjectExportsService } from '../files/subject-exports.service.js';
import { subjectJson, writeSubjectPdf } from '../files/subject-files.js';
import {
  DossierLanguageQuery,
  DossierPaperQuery,
  DossierQuery,
  DossierView,
  SubjectPaperQuery,
} from './dossier.dto.js';
import { SubjectExportView } from './subject-export.dto.js';

const CUSTOMER = {
  name: 'id',
  description: 'The id of the customer.',
  example: 'cus_019364d0c0de7000a000000000000002',
} as const;
const REVIEW = {
  name: 'id',
  description: 'The id of the case.',
  example: 'rev_019364d0c0de7000a000000000000003',
} as const;
const PDF_FILE = {
  description: 'The file.',
  schema: { type: 'string', format: 'binary' },
} as const;

/** Dossiers of customers and cases, and subject exports, as JSON or PDF. */
@ApiTags('Dossiers')
@Controller('operator')
export class DossiersController {
  constructor(
    private readonly dossiers: DossiersService,
    private readonly subjects: SubjectExportsService,
    private readonly pictures: DossierPicturesService,
    private readonly settings: Settings,
  ) {}

  @Route.get('customers/:id/dossier', forOperator('customers:export'), {
    costly: true,
    reads: 'customer',
    summary: 'The dossier of a customer, streamed',
    description:
      'Everything that is stored about the customer. It is sent piece by piece, and a dossier that ends early is no valid JSON.',
    params: [CUSTOMER],
    data: [DossierView, 'The dossier.'],
    errors: ['CUSTOMER_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE'],
  })
  async customerDossier(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() { lang: language, auditReady }: DossierQuery,
    @Res() response: Response,
  ) {
    const options = { format: 'json', language, auditReady } as const;
    await sendJson(response, dossierJson(await this.dossiers.ofCustomer(ctx, customerUuid(id), options)));
  }

  @Route.get('customers/:id/dossier.pdf', forOperator('customers:export'), {
    costly: true,
    reads: 'customer',
    summary: 'The dossier of a customer, to print',
    description: 'The same content as the JSON dossier, as PDF.',
    params: [CUSTOMER],
    errors: ['CUSTOMER_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE'],
  })
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_FILE)
  async customerDossierPdf(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: DossierPaperQuery,
    @CurrentOperator() operator: OperatorPrincipal,
    @Res() response: Response,
  ) {
    const { lang: language, auditReady } = query;
    const options = { format: 'pdf', language, auditReady } as const;
    const pictures = query.pictures ? this.pictures.load(ctx, operator) : null;
    const dossier = await this.dossiers.ofCustomer(ctx, customerUuid(id), options);
    pdfHeaders(response, dossier.head.id);
    await writeDossierPdf(dossier, this.printOptions(response, language, pictures));
  }

  @Route.get('reviews/:id/dossier', forOperator('customers:export'), {
    costly: true,
    reads: 'review',
    summary: 'The dossier of a case, streamed',
    description:
      'Everything that the case is about. It is sent piece by piece, and a dossier that ends early is no valid JSON.',
    params: [REVIEW],
    data: [DossierView, 'The dossier.'],
    errors: ['REVIEW_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE'],
  })
  async reviewDossier(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() { lang: language, auditReady }: DossierQuery,
    @Res() response: Response,
  ) {
    const options = { format: 'json', language, auditReady } as const;
    await sendJson(response, dossierJson(await this.dossiers.ofReview(ctx, reviewUuid(id), options)));
  }

  @Route.get('reviews/:id/dossier.pdf', forOperator('customers:export'), {
    costly: true,
    reads: 'review',
    summary: 'The dossier of a case, to print',
    description: 'The same content as the JSON dossier, as PDF.',
    params: [REVIEW],
    errors: ['REVIEW_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE'],
  })
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_FILE)
  async reviewDossierPdf(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: DossierPaperQuery,
    @CurrentOperator() operator: OperatorPrincipal,
    @Res() response: Response,
  ) {
    const { lang: language, auditReady } = query;
    const options = { format: 'pdf', language, auditReady } as const;
    const pictures = query.pictures ? this.pictures.load(ctx, operator) : null;
    const dossier = await this.dossiers.ofReview(ctx, reviewUuid(id), options);
    pdfHeaders(response, dossier.head.id);
    await writeDossierPdf(dossier, this.printOptions(response, language, pictures));
  }

  @Route.get('customers/:id/subject-export', forOperator('customers:reveal'), {
    costly: true,
    reads: 'customer',
    summary: 'What a person gets who asks for the data held about them, streamed',
    description:
      'For the person (LGPD, art. 18, II): what was sent in, and nothing that was concluded from it. It has no evaluation, ' +
      'hit, case or communication.',
    params: [CUSTOMER],
    data: [SubjectExportView, 'The export.'],
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  async subjectExport(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() { lang: language }: DossierLanguageQuery,
    @Res() response: Response,
  ) {
    const options = { format: 'json', language } as const;
    await sendJson(response, subjectJson(await this.subjects.ofCustomer(ctx, customerUuid(id), options)));
  }

  @Route.get('customers/:id/subject-export.pdf', forOperator('customers:reveal'), {
    costly: true,
    reads: 'customer',
    summary: 'The same to print, for the person',
    description: 'The same content as the JSON export, as PDF, in the language that is asked for.',
    params: [CUSTOMER],
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  @ApiProduces('application/pdf')
  @ApiOkResponse(PDF_FILE)
  async subjectExportPdf(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: SubjectPaperQuery,
    @CurrentOperator() operator: OperatorPrincipal,
    @Res() response: Response,
  ) {
    const { lang: language } = query;
    const options = { format: 'pdf', language } as const;
    const pictures = query.pictures ? this.pictures.load(ctx, operator) : null;
    const subject = await this.subjects.ofCustomer(ctx, customerUuid(id), options);
    pdfHeaders(response, subject.id);
    await writeSubjectPdf(subject, this.printOptions(response, language, pictures));
  }

  private printOptions(output: Response, language: DossierLanguage, pictures: Pictures | null) {
    return { language, author: this.settings.serviceName, output, pictures };
  }
}

/** Streams the JSON. An error closes the connection, so that half a response does not look complete. */
async function sendJson(response: Response, text: AsyncGenerator<string>): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  await pipeline(Readable.from(text), response);
}

function pdfHeaders(response: Response, id: string): void {
  response.setHeader('Content-Type', 'application/pdf');
  response.setHeader('Content-Disposition', `attachment; filename="${id}.pdf"`);
}

const customerUuid = (id: string): string => requireUuid('cus', id, 'CUSTOMER_NOT_FOUND');

const reviewUuid = (id: string): string => requireUuid('rev', id, 'REVIEW_NOT_FOUND');
