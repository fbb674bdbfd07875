import { Controller, Get, HttpCode, HttpStatus, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  listById,
  PageQuery,
  StreamsBody,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { ImportUploads } from '../import-uploads.service.js';
import { ListEntries } from '../list-entries.service.js';
import { ListImporter } from '../list-importer.service.js';
import { ScreeningLists } from '../screening-lists.service.js';
import { LIST_ID, listUuid } from './lists.controller.js';
import { ImportDetailView, ImportView } from './screening.view.dto.js';

const IMPORT_ID = { name: 'importId', example: 'imp_019364d0c0de7000a000000000000002' };

const importUuid = (id: string): string => uuidIn('imp', id, 'IMPORT_NOT_FOUND');

/** Files that become snapshots of a list. */
@ApiTags('Screening')
@Controller('operator/lists')
export class ImportsController {
  constructor(
    private readonly lists: ScreeningLists,
    private readonly uploads: ImportUploads,
    private readonly importer: ListImporter,
    private readonly entries: ListEntries,
  ) {}

  @Post(':id/imports')
  @ForOperator('lists:manage')
  @StreamsBody()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'importList',
    summary: 'Import a file as the next snapshot of a list',
    description:
      'Answers as soon as the file has arrived; read the import for its progress. Lines that cannot be read are counted and ' +
      'named, the rest is imported. A list that would lose more than 20 % of its entries waits for a confirmation; with ' +
      '`confirmation=ALWAYS` every import does. The same content again changes nothing but the age of the list.',
  })
  @ApiParam(LIST_ID)
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: { type: 'string', format: 'binary' },
        aliases: { type: 'string', format: 'binary', description: 'OFAC: the file of aliases.' },
        confirmation: { type: 'string', enum: ['ON_SHRINK', 'ALWAYS'], default: 'ON_SHRINK' },
      },
    },
  })
  @ApiData(ImportView, { status: HttpStatus.ACCEPTED })
  @ApiErrors('LIST_NOT_FOUND', 'STATE_CONFLICT', 'FILE_TOO_LARGE')
  async start(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Success<ImportView>> {
    const list = await this.lists.get(acting.organisationId, listUuid(id));
    const snapshot = await this.uploads.receive(acting, list, request);
    return envelope(ImportView.of(snapshot));
  }

  @Get(':id/imports')
  @ForOperator('screening:read')
  @ApiOperation({ operationId: 'listImports', summary: 'The imports of a list, newest first' })
  @ApiParam(LIST_ID)
  @ApiPage(ImportView)
  @ApiErrors('LIST_NOT_FOUND')
  async all(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<Page<ImportView>> {
    const list = listUuid(id);
    return listById(
      query,
      (before, limit) => this.entries.imports(operator.organisationId, list, before, limit),
      (row) => ImportView.of(row),
    );
  }

  @Get(':id/imports/:importId')
  @ForOperator('screening:read')
  @ApiOperation({
    operationId: 'getImport',
    summary: 'One import: progress, what it changes, and the screening of known customers against it',
  })
  @ApiParam(LIST_ID)
  @ApiParam(IMPORT_ID)
  @ApiData(ImportDetailView)
  @ApiErrors('LIST_NOT_FOUND', 'IMPORT_NOT_FOUND')
  async one(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Param('importId') importId: string,
  ): Promise<Success<ImportDetailView>> {
    const list = await this.lists.get(operator.organisationId, listUuid(id));
    const snapshot = await this.importer.get(operator.organisationId, list.id, importUuid(importId));
    const { preview, round } = await this.entries.detail(snapshot);
    return envelope(ImportDetailView.detailOf(snapshot, preview, round));
  }

  @Post(':id/imports/:importId/confirm')
  @ForOperator('lists:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'confirmImport', summary: 'Publish an import that waits' })
  @ApiParam(LIST_ID)
  @ApiParam(IMPORT_ID)
  @ApiData(ImportView)
  @ApiErrors('LIST_NOT_FOUND', 'IMPORT_NOT_FOUND', 'STATE_CONFLICT')
  async confirm(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Param('importId') importId: string,
  ): Promise<Success<ImportView>> {
    const list = await this.lists.get(acting.organisationId, listUuid(id));
    return envelope(ImportView.of(await this.importer.confirm(acting, list, importUuid(importId))));
  }

  @Post(':id/imports/:importId/reject')
  @ForOperator('lists:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'rejectImport', summary: 'Throw an import that waits away' })
  @ApiParam(LIST_ID)
  @ApiParam(IMPORT_ID)
  @ApiData(ImportView)
  @ApiErrors('LIST_NOT_FOUND', 'IMPORT_NOT_FOUND', 'STATE_CONFLICT')
  async reject(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Param('importId') importId: string,
  ): Promise<Success<ImportView>> {
    const list = await this.lists.get(acting.organisationId, listUuid(id));
    return envelope(ImportView.of(await this.importer.reject(acting, list, importUuid(importId))));
  }
}
