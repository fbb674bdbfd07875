import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { OperatorSearchService } from '../operator-search.service.js';
import { OperatorSearchQuery, SearchFindingsView } from './search.dto.js';

/** Serves the search for customers, cases, transactions and hits by one field. */
@ApiTags('Search')
@Controller('operator/search')
export class OperatorSearchController {
  constructor(private readonly search: OperatorSearchService) {}

  @Route.get('', forOperator('kyt:read'), {
    summary: 'Find customers, cases, transactions and hits by whatever names them',
    description:
      'Customers need `customers:read`, cases `reviews:read`, hits `screening:read`; without it those lists are empty. Names ' +
      'are found within seconds after they came. The service logs no addresses with their parameters; a proxy before it must not either.',
    data: [SearchFindingsView, 'The findings, by kind.'],
  })
  async searchEverything(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { q }: OperatorSearchQuery,
  ) {
    return envelope(SearchFindingsView.of(await this.search.find(operator, q)));
  }
}
