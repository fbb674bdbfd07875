import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { publicId, requireUuid } from '../../../platform/kernel/index.js';
import { SavedViewsService } from '../views/saved-views.service.js';
import { viewDraftOf, SavedIdView, SavedViewsView, SavedViewBody } from './views.dto.js';

const VIEW_ID = {
  name: 'id',
  description: 'The id of the saved view.',
  example: 'viw_019364d0c0de7000a000000000000001',
} as const;

/** Saved views: filters of the list of cases. */
@ApiTags('Workspace')
@Controller('operator/views')
export class ViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Route.get('', forOperator('reviews:read'), {
    summary: 'Saved views of the list of cases: those of the caller, and those that others share',
    description: 'A view is a set of filters under a name.',
    data: [SavedViewsView, 'The views.'],
  })
  async listViews(@CurrentOperator() operator: OperatorPrincipal) {
    return envelope(SavedViewsView.of(await this.views.listByOperator(operator)));
  }

  @Route.post('', forOperator('reviews:read'), {
    summary: 'Save a view',
    description: 'At most fifty of one person. The filter has to be one that the list of cases takes.',
    data: [SavedIdView, 'The id of the new view.'],
    status: 201,
    errors: ['STATE_CONFLICT'],
  })
  async saveView(@CurrentActor() ctx: ActorContext, @Body() body: SavedViewBody) {
    return envelope({ id: publicId('viw', await this.views.save(ctx, await viewDraftOf(body))) });
  }

  @Route.put(':id', forOperator('reviews:read'), {
    summary: 'Change a view of the caller',
    description: 'Only its owner can change a view, also a shared one.',
    params: [VIEW_ID],
    data: [SavedIdView, 'The id of the view.'],
    errors: ['VIEW_NOT_FOUND'],
  })
  async changeView(@CurrentActor() ctx: ActorContext, @Param('id') id: string, @Body() body: SavedViewBody) {
    await this.views.change(ctx, requireUuid('viw', id, 'VIEW_NOT_FOUND'), await viewDraftOf(body));
    return envelope({ id });
  }

  @Route.delete(':id', forOperator('reviews:read'), {
    summary: 'Remove a view of the caller',
    description: 'Only its owner can remove a view, also a shared one.',
    params: [VIEW_ID],
    data: [null, 'The view is removed.'],
    errors: ['VIEW_NOT_FOUND'],
  })
  async removeView(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
    await this.views.remove(ctx, requireUuid('viw', id, 'VIEW_NOT_FOUND'));
    return envelope(null);
  }
}
