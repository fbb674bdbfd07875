import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  View,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { WaitingCountsService, MAX_COUNT } from '../cases/waiting-counts.service.js';

export class CountsView {
  @View.integerOrNull('Cases that are not closed. Null without `reviews:read`, as the next four.', {
    example: 23,
  })
  open: number | null;
  @View.integerOrNull('How many are of the operator who asks.', { example: 5 }) mine: number | null;
  @View.integerOrNull('How many are of nobody.', { example: 12 }) unassigned: number | null;
  @View.integerOrNull('Not closed, and a clock has run out.', { example: 2 }) overdue: number | null;
  @View.integerOrNull('How many of the operator who asks are past their time limit.', { example: 1 })
  myOverdue: number | null;
  @View.integerOrNull('Hits that nobody has closed. Null without `screening:read`.', { example: 7 })
  hits: number | null;
  @View.integer('Requests of others that the caller may approve.', { example: 4 }) toApprove: number;
  @View.integer('Open requests of the caller.', { example: 1 }) asked: number;
  @View.integer('A count that stands here means this many or more.', { example: MAX_COUNT }) most: number;
}

export class PersonView {
  @View.id('opr', 'The id of the person.') id: string;
  @View.text('The name that others see.', { example: 'Marina Alves' }) displayName: string;
  @View.enum(['PERSON', 'MACHINE'], 'The kind of person.') kind: string;
  @View.flag('Whether cases can be given to them.', { example: true }) worksOnCases: boolean;
}

export class PeopleView {
  @View.list(PersonView, 'The people.') people: readonly PersonView[];
}

/** Badge counts for the caller, and the names of the organisation's operators. */
@ApiTags('Workspace')
@Controller('operator')
export class CountsController {
  constructor(private readonly counts: WaitingCountsService) {}

  @Route.get('counts', forOperator(), {
    summary: 'How much waits: for badges',
    description:
      'One cheap call for all badges. A count is null where the caller may not read what it counts.',
    data: [CountsView, 'The counts.'],
  })
  async getCounts(@CurrentOperator() operator: OperatorPrincipal) {
    return envelope({ ...(await this.counts.countWaiting(operator)), most: MAX_COUNT });
  }

  @Route.get('people', forOperator(), {
    summary: 'Who works here: names for ids, and to whom a case can be given',
    description: 'Everybody who is not disabled, without addresses or roles.',
    data: [PeopleView, 'The people.'],
  })
  async listPeople(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const people = await this.counts.listAssignees(organisationId);
    return envelope({
      people: people.map(({ id, name, kind, permissions }) => ({
        id: publicId('opr', id),
        displayName: name,
        kind,
        worksOnCases: kind === 'PERSON' && permissions.has('reviews:work'),
      })),
    });
  }
}
