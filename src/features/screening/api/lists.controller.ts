import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listBy,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { orThrow, requireUuid } from '../../../platform/kernel/index.js';
import { SearchIndexService } from '../search/search-index.service.js';
import { ListEntriesService } from '../lists/list-entries.service.js';
import { ScreeningListsService } from '../lists/screening-lists.service.js';
import { ListBody, ListChangeBody, ListNameBody } from './screening.dto.js';
import { EntryView, ListView } from './screening.view.dto.js';

export const LIST_ID = {
  name: 'id',
  description: 'The id of the list.',
  example: 'lst_019364d0c0de7000a000000000000001',
};

/** Returns the UUID of a list. Throws LIST_NOT_FOUND if the text is not the id of a list. */
export const listUuid = (id: string): string => requireUuid('lst', id, 'LIST_NOT_FOUND');

@ApiTags('Screening')
@Controller('operator/lists')
export class ListsController {
  constructor(
    private readonly lists: ScreeningListsService,
    private readonly entries: ListEntriesService,
    private readonly searchIndex: SearchIndexService,
  ) {}

  @Route.get('', forOperator('screening:read'), {
    summary: 'The lists that are screened against and that rules ask',
    description: 'With kind, thresholds, age and number of entries.',
    page: [ListView, 'One page of lists.'],
  })
  async listLists(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listBy(
      'text',
      query,
      (after, limit) => this.entries.page(operator.organisationId, after, limit),
      (row) => row.key,
      (row) => ListView.of(row, this.searchIndex.get(row.id)),
    );
  }

  @Route.post('', forOperator('lists:manage'), {
    summary: 'Make a list; its entries come by import',
    description: 'A list without a snapshot finds nobody and counts as missing.',
    data: [ListView, 'The new list.'],
    status: 201,
    errors: ['FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
    idempotent: true,
  })
  async createList(@CurrentActor() ctx: ActorContext, @Body() body: ListBody) {
    const row = await this.lists.create(ctx, body);
    return envelope(ListView.of(row, undefined));
  }

  @Route.get(':id', forOperator('screening:read'), {
    summary: 'One list, with the snapshot in force',
    description: 'Its thresholds, the snapshot in force and how old that is.',
    params: [LIST_ID],
    data: [ListView, 'The list.'],
    errors: ['LIST_NOT_FOUND'],
  })
  async getList(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    const row = await this.lists.get(operator.organisationId, listUuid(id));
    return envelope(ListView.of(row, this.searchIndex.get(row.id)));
  }

  @Route.patch(':id', forOperator('lists:manage'), {
    summary: 'Rename a list',
    description: 'Only the name that people read changes; rules name a list by its key.',
    params: [LIST_ID],
    data: [ListView, 'The list.'],
    errors: ['LIST_NOT_FOUND'],
  })
  async renameList(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { name }: ListNameBody,
  ) {
    const row = await this.lists.rename(ctx, listUuid(id), name);
    return envelope(ListView.of(row, this.searchIndex.get(row.id)));
  }

  @Route.post(':id/changes', forOperator('lists:manage'), {
    summary: 'Ask for other thresholds, another age at which the list is stale, or its end',
    description: 'Takes effect when a second person approves it. What is left out stays.',
    params: [LIST_ID],
    ...requestsApproval,
    errors: ['LIST_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async requestListChange(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: ListChangeBody,
  ) {
    return envelope(ApprovalView.of(await this.lists.requestChange(ctx, listUuid(id), body)));
  }

  @Route.get(':id/entries', forOperator('screening:read'), {
    summary: 'The entries of the snapshot in force',
    description: 'In the order of their keys.',
    params: [LIST_ID],
    page: [EntryView, 'One page of entries.'],
    errors: ['LIST_NOT_FOUND'],
  })
  async listEntries(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ) {
    const list = listUuid(id);
    return listBy(
      'text',
      query,
      (after, limit) => this.entries.listCurrentEntries(operator.organisationId, list, after, limit),
      ({ entry }) => entry.key,
      ({ entry, since }) => EntryView.of(entry, since),
    );
  }

  @Route.get(':id/entries/:key', forOperator('screening:read'), {
    summary: 'One entry of the snapshot in force, by the key that the list gives it',
    description: 'Names, documents and dates as the list has them.',
    params: [LIST_ID, { name: 'key', description: 'The key of the entry.', example: '2674' }],
    data: [EntryView, 'The entry.'],
    errors: ['LIST_NOT_FOUND', 'ENTRY_NOT_FOUND'],
  })
  async getEntry(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
    @Param('key') key: string,
  ) {
    const decodedEntry = orThrow(
      await this.entries.findByKey(organisationId, listUuid(id), key),
      'ENTRY_NOT_FOUND',
    );
    return envelope(EntryView.of(decodedEntry.entry, decodedEntry.since));
  }
}
