import { Body, Controller, Param, Query, Req } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  PageQuery,
  Route,
  StreamsBody,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { ImportUploadsService } from '../lists/import-uploads.service.js';
import { ListEntriesService } from '../lists/list-entries.service.js';
import { ListImporterService } from '../lists/list-importer.service.js';
import { ScreeningListsService } from '../lists/screening-lists.service.js';
import { LIST_ID, listUuid } from './lists.controller.js';
import { ImportReasonBody } from './screening.dto.js';
import { ImportDetailView, ImportView } from './screening.view.dto.js';

const IMPORT_ID = {
  name: 'importId',
  description: 'The id of the import.',
  example: 'imp_019364d0c0de7000a000000000000002',
};

const importUuid = (id: string): string => requireUuid('imp', id, 'IMPORT_NOT_FOUND');

/** Serves the imports of files that become snapshots of a list. */
@ApiTags('Screening')
@Controller('operator/lists')
export class ImportsController {
  constructor(
    private readonly lists: ScreeningListsService,
    private readonly uploads: ImportUploadsService,
    private readonly importer: ListImporterService,
    private readonly entries: ListEntriesService,
  ) {}

  @Route.post(':id/imports', forOperator('lists:manage'), {
    summary: 'Import a file as the next snapshot of a list',
    description:
      'Answers as soon as the file has arrived; read the import for its progress. Lines that cannot be read are counted and ' +
      'named, the rest is imported. A list that would lose more than 20 % of its entries, counted over 30 days, waits for a confirmation, and so does an ' +
      'allow list that would grow or change, and the import that begins a list of sanctions or of politically exposed persons; with ' +
      '`confirmation=ALWAYS` every import does. The same content again changes nothing but the age of the list.',
    params: [LIST_ID],
    body: {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: { type: 'string', format: 'binary' },
          aliases: { type: 'string', format: 'binary', description: 'OFAC: the file of aliases.' },
          confirmation: { type: 'string', enum: ['ON_SHRINK', 'ALWAYS'], default: 'ON_SHRINK' },
        },
      },
    },
    data: [ImportView, 'The import, which runs in the background.'],
    status: 202,
    errors: ['LIST_NOT_FOUND', 'STATE_CONFLICT', 'FILE_TOO_LARGE'],
  })
  @StreamsBody()
  @ApiConsumes('multipart/form-data')
  async importList(@CurrentActor() ctx: ActorContext, @Param('id') id: string, @Req() request: Request) {
    const list = await this.lists.get(ctx.organisationId, listUuid(id));
    const snapshot = await this.uploads.receive(ctx, list, request);
    return envelope(ImportView.of(snapshot));
  }

  @Route.get(':id/imports', forOperator('screening:read'), {
    summary: 'The imports of a list, newest first',
    description: 'Each with its counts: new, changed and removed entries.',
    params: [LIST_ID],
    page: [ImportView, 'One page of imports.'],
    errors: ['LIST_NOT_FOUND'],
  })
  async listImports(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ) {
    const list = listUuid(id);
    return listById(query, ImportView, (before, limit) =>
      this.entries.listImports(operator.organisationId, list, before, limit),
    );
  }

  @Route.get(':id/imports/:importId', forOperator('screening:read'), {
    summary: 'One import: progress, what it changes, and the screening of known customers against it',
    description: 'Ask again until it is published or waits for a confirmation.',
    params: [LIST_ID, IMPORT_ID],
    data: [ImportDetailView, 'The import.'],
    errors: ['LIST_NOT_FOUND', 'IMPORT_NOT_FOUND'],
  })
  async getImport(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Param('importId') importId: string,
  ) {
    const list = await this.lists.get(operator.organisationId, listUuid(id));
    const snapshot = await this.importer.get(operator.organisationId, list.id, importUuid(importId));
    const { preview, round } = await this.entries.readImportDetail(snapshot);
    return envelope(ImportDetailView.detailOf(snapshot, preview, round));
  }

  @Route.post(':id/imports/:importId/confirm', forOperator('lists:manage'), {
    summary: 'Ask for an import that waits to be published',
    description: 'It is published when a second person approves it.',
    params: [LIST_ID, IMPORT_ID],
    ...requestsApproval,
    errors: ['LIST_NOT_FOUND', 'IMPORT_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async confirmImport(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Param('importId') importId: string,
    @Body() { reason }: ImportReasonBody,
  ) {
    const list = await this.lists.get(ctx.organisationId, listUuid(id));
    return envelope(ApprovalView.of(await this.importer.request(ctx, list, importUuid(importId), reason)));
  }

  @Route.post(':id/imports/:importId/reject', forOperator('lists:manage'), {
    summary: 'Throw an import that waits away',
    description: 'The snapshot in force stays as it is.',
    params: [LIST_ID, IMPORT_ID],
    data: [ImportView, 'The import.'],
    errors: ['LIST_NOT_FOUND', 'IMPORT_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async rejectImport(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Param('importId') importId: string,
  ) {
    const list = await this.lists.get(ctx.organisationId, listUuid(id));
    return envelope(ImportView.of(await this.importer.reject(ctx, list, importUuid(importId))));
  }
}
