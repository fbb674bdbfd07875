import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  page,
  Route,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { CustomerChanges } from '../records/customer-changes.service.js';
import { CustomerErasure } from '../records/customer-erasure.service.js';
import { CustomerRecordsService, type CustomerDetail } from '../records/customer-records.service.js';
import { CustomersQuery, ProfileBody, RelationshipBody, RiskLevelBody, WhyBody } from './customer.dto.js';
import { CustomerDetailView, CustomerSummaryView, RevealedCustomerView } from './customer.view.dto.js';

const ID = { name: 'id', example: 'cus_019364d0c0de7000a000000000000001' } as const;
const STEP = ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'] as const;

/** Customers of the organisation. Documents are masked everywhere but in `reveal`. */
@ApiTags('Customers')
@Controller('operator/customers')
export class CustomersController {
  constructor(
    private readonly records: CustomerRecordsService,
    private readonly changes: CustomerChanges,
    private readonly erasure: CustomerErasure,
  ) {}

  @Route.get('', forOperator('customers:read'), {
    summary: 'Customers, the newest first; also by document',
    page: CustomerSummaryView,
  })
  async listCustomers(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, document, externalCustomerId, riskLevel }: CustomersQuery,
  ) {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const wanted = { document, externalCustomerId, riskLevel };
    const rows = await this.records.search(organisationId, wanted, before, limit);
    return page(
      rows,
      limit,
      ({ customer }) => [customer.id],
      (row) => CustomerSummaryView.of(row),
    );
  }

  @Route.get(':id', forOperator('customers:read'), {
    summary: 'One customer, the document masked',
    params: [ID],
    data: CustomerDetailView,
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  async getCustomerRecord(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return shown(await this.records.get(organisationId, await this.idOf(organisationId, id)));
  }

  @Route.post(':id/reveal', forOperator('customers:reveal'), {
    summary: 'The full document of a customer',
    description: 'Who asked, and that they had a reason, stands in the trail of the customer.',
    params: [ID],
    data: RevealedCustomerView,
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  async revealCustomer(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    return envelope(
      RevealedCustomerView.of(
        await this.changes.reveal(ctx, await this.idOf(ctx.organisationId, id), reason),
      ),
    );
  }

  @Route.patch(':id/profile', forOperator('reviews:work'), {
    summary: 'Write down what the customer declared or chose',
    description: 'Rules read it as `profile.*` from the next transaction on. What is left out stays.',
    params: [ID],
    data: CustomerDetailView,
    errors: [...STEP],
  })
  async changeCustomerProfile(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: ProfileBody,
  ) {
    return shown(await this.changes.declare(ctx, await this.idOf(ctx.organisationId, id), body));
  }

  @Route.put(':id/risk-level', forOperator('reviews:decide'), {
    summary: 'Set the risk level of a customer',
    params: [ID],
    data: CustomerDetailView,
    errors: [...STEP],
  })
  async setCustomerRiskLevel(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { riskLevel }: RiskLevelBody,
  ) {
    return shown(await this.changes.setRiskLevel(ctx, await this.idOf(ctx.organisationId, id), riskLevel));
  }

  @Route.put(':id/relationship', forOperator('customers:erase'), {
    summary: 'Write down when the relationship ended',
    description: 'Retention is counted from 1 January of the year after.',
    params: [ID],
    data: CustomerDetailView,
    errors: [...STEP],
  })
  async endCustomerRelationship(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { endedOn }: RelationshipBody,
  ) {
    return shown(await this.changes.endRelationship(ctx, await this.idOf(ctx.organisationId, id), endedOn));
  }

  @Route.post(':id/legal-hold', forOperator('customers:erase'), {
    summary: 'Keep the records whatever anybody asks, until the hold is lifted',
    params: [ID],
    data: CustomerDetailView,
    errors: [...STEP],
  })
  async placeLegalHold(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    return shown(await this.changes.placeHold(ctx, await this.idOf(ctx.organisationId, id), reason));
  }

  @Route.delete(':id/legal-hold', forOperator('customers:erase'), {
    summary: 'Lift the legal hold',
    params: [ID],
    data: CustomerDetailView,
    errors: ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async liftLegalHold(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
    return shown(await this.changes.liftHold(ctx, await this.idOf(ctx.organisationId, id)));
  }

  @Route.post(':id/erase', forOperator('customers:erase'), {
    summary: 'Erase a person by destroying the keys of their data',
    description:
      'The keys are gone within three minutes, and with them everything that was sealed under them, in backups too; the audit ' +
      'log still verifies. While the law or a hold requires the records, they are restricted and the answer is RETENTION_REQUIRED.',
    params: [ID],
    data: CustomerDetailView,
    errors: ['CUSTOMER_NOT_FOUND', 'RETENTION_REQUIRED'],
  })
  async eraseCustomer(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
    return shown(await this.erasure.erase(ctx, await this.idOf(ctx.organisationId, id)));
  }

  /** A record that was merged leads to the one that it was merged into. */
  private async idOf(organisationId: string, id: string): Promise<string> {
    const uuid = uuidIn('cus', id, 'CUSTOMER_NOT_FOUND');
    return this.records.survivor(organisationId, uuid);
  }
}

const shown = (detail: CustomerDetail): Success<CustomerDetailView> =>
  envelope(CustomerDetailView.ofDetail(detail));
