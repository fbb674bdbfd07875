import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  CurrentClient,
  envelope,
  ForClient,
  type ClientPrincipal,
  type Success,
} from '../../http/index.js';
import { DomainError, publicId, uuidOf } from '../../kernel/index.js';
import { TaxId } from '../../kernel/tax-id.js';
import { CustomersService, type FoundCustomer } from '../customers.service.js';

/** A customer as an integrator sees it: enough to recognise the person, no name and no full document. */
export class ClientCustomerView {
  @ApiProperty({ example: 'cus_019364d0c0de7000a000000000000001' })
  customerId: string;

  @ApiProperty({ type: String, nullable: true, example: 'customer-4711' })
  externalCustomerId: string | null;

  @ApiProperty({
    type: [String],
    example: ['customer-4711'],
    description: 'Every id of yours by which the customer is found, the first one first.',
  })
  externalCustomerIds: readonly string[];

  @ApiProperty({ type: String, nullable: true, example: '***.456.789-**' })
  documentMasked: string | null;

  @ApiProperty({ enum: ['NATURAL', 'LEGAL', null], type: String, nullable: true })
  personType: string | null;

  @ApiProperty({ enum: ['DECLARED', 'DOCUMENT', 'VERIFIED'] })
  assurance: string;

  @ApiProperty({ format: 'date-time' })
  identifiedAt: string;

  static of(customer: FoundCustomer, externalCustomerIds: readonly string[]): ClientCustomerView {
    const { id, profile, personType, assurance, identifiedAt } = customer;
    const document = profile.document ?? profile.documentMasked;
    const parsed = document === null ? null : TaxId.parse(document);
    return {
      customerId: publicId('cus', id),
      externalCustomerId: profile.externalCustomerId,
      externalCustomerIds,
      documentMasked: parsed?.ok === true ? parsed.id.maskedText : null,
      personType,
      assurance,
      identifiedAt: identifiedAt.toISOString(),
    };
  }
}

@ApiTags('Customers')
@Controller('customers')
export class ClientCustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get(':id')
  @ForClient('customers:read')
  @ApiOperation({ operationId: 'getCustomer', summary: 'One customer of the organisation' })
  @ApiParam({ name: 'id', example: 'cus_019364d0c0de7000a000000000000001' })
  @ApiData(ClientCustomerView)
  @ApiErrors('CUSTOMER_NOT_FOUND')
  async one(
    @CurrentClient() { organisationId }: ClientPrincipal,
    @Param('id') id: string,
  ): Promise<Success<ClientCustomerView>> {
    const uuid = uuidOf('cus', id);
    const customer = uuid === null ? null : await this.customers.find(organisationId, uuid);
    if (!customer) throw new DomainError('CUSTOMER_NOT_FOUND');
    return envelope(ClientCustomerView.of(customer, await this.customers.externalIdsOf(customer)));
  }
}
