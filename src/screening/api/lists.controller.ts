import { Body, Controller, Get, HttpCode, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  listBy,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { IndexKeeper } from '../index-keeper.js';
import { ListEntries } from '../list-entries.service.js';
import { ScreeningLists } from '../screening-lists.service.js';
import { ListBody, ListChangeBody } from './screening.dto.js';
import { EntryView, ListView } from './screening.view.dto.js';

export const LIST_ID = { name: 'id', example: 'lst_019364d0c0de7000a000000000000001' };

/** The UUID of a list; one that cannot be a list's is as unknown as any other. */
export const listUuid = (id: string): string => uuidIn('lst', id, 'LIST_NOT_FOUND');

@ApiTags('Screening')
@Controller('operator/lists')
export class ListsController {
  constructor(
    private readonly lists: ScreeningLists,
    private readonly entries: ListEntries,
    private readonly keeper: IndexKeeper,
  ) {}

  @Get()
  @ForOperator('screening:read')
  @ApiOperation({
    operationId: 'listLists',
    summary: 'The lists that are screened against and that rules ask',
  })
  @ApiPage(ListView)
  async all(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<ListView>> {
    return listBy(
      'text',
      query,
      (after, limit) => this.entries.page(operator.organisationId, after, limit),
      (row) => row.key,
      (row) => ListView.of(row, this.keeper.get(row.id)),
    );
  }

  @Post()
  @ForOperator('lists:manage')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({ operationId: 'createList', summary: 'Make a list; its entries come by import' })
  @ApiData(ListView, { status: HttpStatus.CREATED })
  @ApiErrors('STATE_CONFLICT')
  async create(@Acting() acting: Acting, @Body() body: ListBody): Promise<Success<ListView>> {
    const row = await this.lists.create(acting, body);
    return envelope(ListView.of(row, undefined));
  }

  @Get(':id')
  @ForOperator('screening:read')
  @ApiOperation({ operationId: 'getList', summary: 'One list, with the snapshot in force' })
  @ApiParam(LIST_ID)
  @ApiData(ListView)
  @ApiErrors('LIST_NOT_FOUND')
  async one(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<ListView>> {
    const row = await this.lists.get(operator.organisationId, listUuid(id));
    return envelope(ListView.of(row, this.keeper.get(row.id)));
  }

  @Patch(':id')
  @ForOperator('lists:manage')
  @ApiOperation({
    operationId: 'changeList',
    summary: 'Change thresholds or name, or take a list out of use',
  })
  @ApiParam(LIST_ID)
  @ApiData(ListView)
  @ApiErrors('LIST_NOT_FOUND')
  async change(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: ListChangeBody,
  ): Promise<Success<ListView>> {
    const row = await this.lists.change(acting, listUuid(id), body);
    return envelope(ListView.of(row, this.keeper.get(row.id)));
  }

  @Get(':id/entries')
  @ForOperator('screening:read')
  @ApiOperation({ operationId: 'listEntries', summary: 'The entries of the snapshot in force' })
  @ApiParam(LIST_ID)
  @ApiPage(EntryView)
  @ApiErrors('LIST_NOT_FOUND')
  async current(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<Page<EntryView>> {
    const list = listUuid(id);
    return listBy(
      'text',
      query,
      (after, limit) => this.entries.current(operator.organisationId, list, after, limit),
      ({ entry }) => entry.key,
      ({ entry, since }) => EntryView.of(entry, since),
    );
  }
}
