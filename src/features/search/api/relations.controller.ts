import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CustomerRecordsService } from '../../customers/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { RelationsService } from '../relations.service.js';
import { RelationsView } from './relations.dto.js';

/** Serves the map of the relations between customers. */
@ApiTags('Customers')
@Controller('operator/customers')
export class RelationsController {
  constructor(
    private readonly customers: CustomerRecordsService,
    private readonly relations: RelationsService,
  ) {}

  @Route.get(':id/relations', forOperator('customers:read'), {
    reads: 'customer',
    summary: 'Who shares devices, accounts, addresses, payees or documents with a customer, two steps far',
    description:
      'Nodes and edges of a drawing. What only one customer uses is not in it. The newest 500 transactions of a customer and ' +
      'of a thing are looked at in the first step, 100 in the second; at most 60 customers are drawn.',
    params: [
      { name: 'id', description: 'The id of the customer.', example: 'cus_019364d0c0de7000a000000000000001' },
    ],
    data: [RelationsView, 'The customer and who is connected.'],
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  async getCustomerRelations(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ) {
    const customerId = requireUuid('cus', id, 'CUSTOMER_NOT_FOUND');
    const customer = await this.customers.findSurvivingId(organisationId, customerId);
    return envelope(RelationsView.of(await this.relations.findRelations(organisationId, customer)));
  }
}
