import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { Settings } from '../../../platform/config/index.js';
import { CurrentOperator, forOperator, Route, type OperatorPrincipal } from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import type { Dossier } from '../domain/dossier.js';
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
const OF_CUSTOMER = {
  costly: true,
  reads: 'customer',
  params: [CUSTOMER],
  errors: ['CUSTOMER_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE'],
} as const;
const OF_REVIEW = {
  costly: true,
  reads: 'review',
  params: [REVIEW],
  errors: ['REVIEW_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE'],
} as const;
const IN_PIECES = 'It is sent piece by piece, and a dossier that ends early is no valid JSON.';
const PDF = ['application/pdf', 'The file.'] as const;

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
    ...OF_CUSTOMER,
    summary: 'The dossier of a customer, streamed',
    description: `Everything that is stored about the customer. ${IN_PIECES}`,
    data: [DossierView, 'The dossier.'],
  })
  async customerDossier(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: DossierQuery,
    @Res() response: Response,
  ) {
    const dossier = await this.dossiers.ofCustomer(ctx, customerUuid(id), optionsOf('json', query));
    await sendJson(response, dossierJson(dossier));
  }

  @Route.get('customers/:id/dossier.pdf', forOperator('customers:export'), {
    ...OF_CUSTOMER,
    summary: 'The dossier of a customer, to print',
    description: 'The same content as the JSON dossier, as PDF.',
    file: PDF,
  })
  async customerDossierPdf(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: DossierPaperQuery,
    @CurrentOperator() operator: OperatorPrincipal,
    @Res() response: Response,
  ) {
    const pictures = this.picturesFor(query, ctx, operator);
    const dossier = await this.dossiers.ofCustomer(ctx, customerUuid(id), optionsOf('pdf', query));
    await this.printDossier(response, dossier, query, pictures);
  }

  @Route.get('reviews/:id/dossier', forOperator('customers:export'), {
    ...OF_REVIEW,
    summary: 'The dossier of a case, streamed',
    description: `Everything that the case is about. ${IN_PIECES}`,
    data: [DossierView, 'The dossier.'],
  })
  async reviewDossier(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: DossierQuery,
    @Res() response: Response,
  ) {
    const dossier = await this.dossiers.ofReview(ctx, reviewUuid(id), optionsOf('json', query));
    await sendJson(response, dossierJson(dossier));
  }

  @Route.get('reviews/:id/dossier.pdf', forOperator('customers:export'), {
    ...OF_REVIEW,
    summary: 'The dossier of a case, to print',
    description: 'The same content as the JSON dossier, as PDF.',
    file: PDF,
  })
  async reviewDossierPdf(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: DossierPaperQuery,
    @CurrentOperator() operator: OperatorPrincipal,
    @Res() response: Response,
  ) {
    const pictures = this.picturesFor(query, ctx, operator);
    const dossier = await this.dossiers.ofReview(ctx, reviewUuid(id), optionsOf('pdf', query));
    await this.printDossier(response, dossier, query, pictures);
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
    file: PDF,
  })
  async subjectExportPdf(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Query() query: SubjectPaperQuery,
    @CurrentOperator() operator: OperatorPrincipal,
    @Res() response: Response,
  ) {
    const pictures = this.picturesFor(query, ctx, operator);
    const options = { format: 'pdf', language: query.lang } as const;
    const subject = await this.subjects.ofCustomer(ctx, customerUuid(id), options);
    pdfHeaders(response, subject.id);
    await writeSubjectPdf(subject, this.printOptions(response, query, pictures));
  }

  /** Returns nothing where no pictures are wanted; throws if the operator may not see them. */
  private picturesFor(query: SubjectPaperQuery, ctx: ActorContext, operator: OperatorPrincipal) {
    return query.pictures ? this.pictures.load(ctx, operator) : null;
  }

  private async printDossier(
    response: Response,
    dossier: Dossier,
    query: DossierPaperQuery,
    pictures: Pictures | null,
  ): Promise<void> {
    pdfHeaders(response, dossier.head.id);
    await writeDossierPdf(dossier, this.printOptions(response, query, pictures));
  }

  private printOptions(output: Response, { lang }: DossierLanguageQuery, pictures: Pictures | null) {
    return { language: lang, author: this.settings.serviceName, output, pictures };
  }
}

function optionsOf<Format extends 'json' | 'pdf'>(format: Format, { lang, auditReady }: DossierQuery) {
  return { format, language: lang, auditReady };
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
