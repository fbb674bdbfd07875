import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  cursorKeys,
  envelope,
  ForOperator,
  page,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn, uuidInFilter } from '../../kernel/index.js';
import { HitDesk } from '../hit-desk.service.js';
import type { HitRow } from '../domain/records.js';
import { DispositionBody, HitsQuery } from './screening.dto.js';
import { HitView } from './screening.view.dto.js';

const HIT_ID = { name: 'id', example: 'hit_019364d0c0de7000a000000000000004' };

/** What screening found, and what is decided about it. */
@ApiTags('Screening')
@Controller('operator/hits')
export class HitsController {
  constructor(private readonly desk: HitDesk) {}

  @Get()
  @ForOperator('screening:read')
  @ApiOperation({ operationId: 'listHits', summary: 'Hits, newest first' })
  @ApiPage(HitView)
  async all(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, status, mandatory, listId, customerId }: HitsQuery,
  ): Promise<Page<HitView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const filter = {
      status,
      mandatory,
      listId: uuidInFilter('lst', listId, 'listId'),
      customerId: uuidInFilter('cus', customerId, 'customerId'),
    };
    const rows = await this.desk.page(organisationId, filter, before, limit);
    const views = await this.views(rows);
    const byRow = new Map(rows.map((row, i) => [row, views[i]]));
    return page(
      rows,
      limit,
      (row) => [row.id],
      (row) => byRow.get(row) ?? HitView.of(row, null, null),
    );
  }

  @Get(':id')
  @ForOperator('screening:read')
  @ApiOperation({ operationId: 'getHit', summary: 'One hit, with the explanation of its score' })
  @ApiParam(HIT_ID)
  @ApiData(HitView)
  @ApiErrors('HIT_NOT_FOUND')
  async one(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<HitView>> {
    return this.shown(await this.desk.get(organisationId, hitUuid(id)));
  }

  @Post(':id/disposition')
  @ForOperator('hits:decide')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'decideHit',
    summary: 'Decide whether a hit is the person',
    description:
      'CONFIRMED, DISMISSED_FALSE_POSITIVE, or ESCALATED, after which one of the other two follows. A decision is remembered: ' +
      'the same person and entry are no new hit, until the content of the entry changes.',
  })
  @ApiParam(HIT_ID)
  @ApiData(HitView)
  @ApiErrors('HIT_NOT_FOUND', 'STATE_CONFLICT')
  async decide(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: DispositionBody,
  ): Promise<Success<HitView>> {
    return this.shown(await this.desk.decide(acting, hitUuid(id), body));
  }

  private async shown(row: HitRow): Promise<Success<HitView>> {
    const [view] = await this.views([row]);
    return envelope(view ?? HitView.of(row, null, null));
  }

  private async views(rows: readonly HitRow[]): Promise<HitView[]> {
    const explanations = await this.desk.explanations(rows);
    const justifications = await this.desk.justifications(rows);
    return rows.map((row, i) => HitView.of(row, explanations[i] ?? null, justifications[i] ?? null));
  }
}

const hitUuid = (id: string): string => uuidIn('hit', id, 'HIT_NOT_FOUND');
