import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentClient,
  envelope,
  forClient,
  Route,
  View,
  type ClientPrincipal,
} from '../../../platform/http/index.js';
import { DomainError, publicId, uuidOf } from '../../../platform/kernel/index.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { CustomersService, type CustomerWithIdentification } from '../customers.service.js';

/** A customer as an integrator sees it: enough to recognise the person, no name and no full document. */
export class ClientCustomerView {
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.textOrNull('Your id of the customer.', { example: 'customer-4711' })
  externalCustomerId: string | null;

  @View.texts('Every id of yours by which the customer is found, the first one first.', {
    example: ['customer-4711'],
  })
  externalCustomerIds: readonly string[];

  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.456.789-**' }) documentMasked: string | null;
  @View.enumOrNull(['NATURAL', 'LEGAL'], 'A natural or a legal person.') personType: string | null;
  @View.enum(['DECLARED', 'DOCUMENT', 'VERIFIED'], 'How sure it is that this is the person.')
  assurance: string;
  @View.instant('When it became known whose record this is.') identifiedAt: string;

  static of(
    customer: CustomerWithIdentification,
    externalCustomerIds: readonly string[],
  ): ClientCustomerView {
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

  @Route.get(':id', forClient('customers:read'), {
    summary: 'One customer of the organisation',
    description: 'What an application may know of a customer, with the ids by which integrators call them.',
    params: [
      { name: 'id', description: 'The id of the customer.', example: 'cus_019364d0c0de7000a000000000000001' },
    ],
    data: [ClientCustomerView, 'The customer.'],
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  async getCustomer(@CurrentClient() { organisationId }: ClientPrincipal, @Param('id') id: string) {
    const uuid = uuidOf('cus', id);
    const customer = uuid === null ? null : await this.customers.find(organisationId, uuid);
    if (!customer) throw new DomainError('CUSTOMER_NOT_FOUND');
    return envelope(ClientCustomerView.of(customer, await this.customers.findExternalIds(customer)));
  }
}
