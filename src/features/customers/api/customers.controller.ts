import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval, type Approval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  page,
  Route,
  type OperatorPrincipal,
  type SuccessEnvelope,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { CustomerApprovalsService } from '../records/customer-approvals.service.js';
import { CustomerChangesService } from '../records/customer-changes.service.js';
import { CustomerRecordsService, type CustomerDetail } from '../records/customer-records.service.js';
import {
  CustomersQuery,
  RiskLevelRequestBody,
  ProfileBody,
  RelationshipBody,
  RiskLevelBody,
  WhyBody,
} from './customer.dto.js';
import { CustomerDetailView, CustomerSummaryView, RevealedCustomerView } from './customer.view.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the customer.',
  example: 'cus_019364d0c0de7000a000000000000001',
} as const;
const STEP_ERRORS = ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'] as const;

/** Customers of the organisation. Documents are masked everywhere but in `reveal`. */
@ApiTags('Customers')
@Controller('operator/customers')
export class CustomersController {
  constructor(
    private readonly records: CustomerRecordsService,
    private readonly changes: CustomerChangesService,
    private readonly approvals: CustomerApprovalsService,
  ) {}

  @Route.get('', forOperator('customers:read'), {
    summary: 'Customers, the newest first; also by document',
    description:
      'Filtered by document, external id and level of risk, or those with the given ids. Documents are masked.',
    page: [CustomerSummaryView, 'One page of customers.'],
  })
  async listCustomers(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, document, externalCustomerId, riskLevel, ids }: CustomersQuery,
  ) {
    if (ids !== undefined) {
      const customers = await this.records.getMany(
        organisationId,
        ids.map((id) => requireUuid('cus', id, 'CUSTOMER_NOT_FOUND')),
      );
      return page(
        customers,
        customers.length,
        ({ customer }) => [customer.id],
        (row) => CustomerSummaryView.of(row),
      );
    }
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const filter = { document, externalCustomerId, riskLevel };
    const rows = await this.records.search(organisationId, filter, before, limit);
    return page(
      rows,
      limit,
      ({ customer }) => [customer.id],
      (row) => CustomerSummaryView.of(row),
    );
  }

  @Route.get(':id', forOperator('customers:read'), {
    reads: 'customer',
    summary: 'One customer, the document masked',
    description: 'The record with its profile, level of risk, legal hold and merges.',
    params: [ID],
    data: [CustomerDetailView, 'The customer.'],
    errors: ['CUSTOMER_NOT_FOUND'],
  })
  async getCustomerRecord(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return detailAnswer(await this.records.get(organisationId, await this.idOf(organisationId, id)));
  }

  @Route.post(':id/reveal', forOperator('customers:reveal'), {
    summary: 'The full document of a customer',
    description: 'Who asked, and that they had a reason, stands in the trail of the customer.',
    params: [ID],
    data: [RevealedCustomerView, 'The customer with the full document.'],
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
    description:
      'Rules read it as `profile.*` from the next transaction on; until a second person confirms it (`facts/confirm`) it ' +
      'makes no result better. What is left out stays.',
    params: [ID],
    data: [CustomerDetailView, 'The customer.'],
    errors: [...STEP_ERRORS],
  })
  async changeCustomerProfile(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: ProfileBody,
  ) {
    return detailAnswer(await this.changes.declare(ctx, await this.idOf(ctx.organisationId, id), body));
  }

  @Route.post(':id/facts/confirm', forOperator('reviews:work'), {
    summary: 'Ask a second person to confirm what one operator wrote down',
    description:
      'What one operator alone writes down (`unconfirmed` of the customer) never makes a result better. It counts in full ' +
      'when a second person approves this; transactions that waited for it are evaluated again.',
    params: [ID],
    ...requestsApproval,
    errors: [...STEP_ERRORS],
  })
  async requestFactConfirmation(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    const customer = await this.idOf(ctx.organisationId, id);
    return approvalAnswer(await this.approvals.requestConfirmation(ctx, customer, reason));
  }

  @Route.put(':id/risk-level', forOperator('reviews:decide'), {
    summary: 'Set the risk level of a customer, or a higher one',
    description: 'A lower level than the present one is asked for with `POST .../risk-level/lower`.',
    params: [ID],
    data: [CustomerDetailView, 'The customer.'],
    errors: [...STEP_ERRORS, 'FOUR_EYES_REQUIRED'],
  })
  async setCustomerRiskLevel(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { riskLevel }: RiskLevelBody,
  ) {
    return detailAnswer(
      await this.changes.raiseRiskLevel(ctx, await this.idOf(ctx.organisationId, id), riskLevel),
    );
  }

  @Route.post(':id/risk-level/lower', forOperator('reviews:decide'), {
    summary: 'Ask for a lower risk level of a customer',
    description: 'It takes effect when a second person approves it.',
    params: [ID],
    ...requestsApproval,
    errors: [...STEP_ERRORS],
  })
  async requestLowerRiskLevel(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { riskLevel, reason }: RiskLevelRequestBody,
  ) {
    const customer = await this.idOf(ctx.organisationId, id);
    return approvalAnswer(await this.approvals.requestLowerRisk(ctx, customer, riskLevel, reason));
  }

  @Route.put(':id/relationship', forOperator('customers:erase'), {
    summary: 'Write down when the relationship ended',
    description: 'Retention is counted from 1 January of the year after.',
    params: [ID],
    data: [CustomerDetailView, 'The customer.'],
    errors: [...STEP_ERRORS],
  })
  async endCustomerRelationship(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { endedOn }: RelationshipBody,
  ) {
    return detailAnswer(
      await this.changes.endRelationship(ctx, await this.idOf(ctx.organisationId, id), endedOn),
    );
  }

  @Route.post(':id/legal-hold', forOperator('customers:erase'), {
    summary: 'Keep the records whatever anybody asks, until the hold is lifted',
    description: 'An erasure is refused while the hold is on. A second person has to approve its end.',
    params: [ID],
    data: [CustomerDetailView, 'The customer.'],
    errors: [...STEP_ERRORS],
  })
  async placeLegalHold(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    return detailAnswer(await this.changes.placeHold(ctx, await this.idOf(ctx.organisationId, id), reason));
  }

  @Route.post(':id/legal-hold/lift', forOperator('customers:erase'), {
    summary: 'Ask for the end of the legal hold',
    description: 'It takes effect when a second person approves it.',
    params: [ID],
    ...requestsApproval,
    errors: [...STEP_ERRORS],
  })
  async requestLegalHoldLift(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    const customer = await this.idOf(ctx.organisationId, id);
    return approvalAnswer(await this.approvals.requestHoldLift(ctx, customer, reason));
  }

  @Route.post(':id/erase', forOperator('customers:erase'), {
    summary: 'Ask for the erasure of a person: the keys of their data are destroyed',
    description:
      'When a second person has approved it, 72 hours pass in which it can be withdrawn. Then the keys are gone within three ' +
      'minutes, and with them everything that was sealed under them, in backups too; the audit log still verifies. While the ' +
      'law or a hold requires the records, they are restricted and the answer is RETENTION_REQUIRED.',
    params: [ID],
    ...requestsApproval,
    errors: ['CUSTOMER_NOT_FOUND', 'RETENTION_REQUIRED', 'STATE_CONFLICT'],
  })
  async requestErasure(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    const customer = await this.idOf(ctx.organisationId, id);
    return approvalAnswer(await this.approvals.requestErasure(ctx, customer, reason));
  }

  /** Returns the stored id of the customer, or of the surviving customer of a merged record. */
  private async idOf(organisationId: string, id: string): Promise<string> {
    const uuid = requireUuid('cus', id, 'CUSTOMER_NOT_FOUND');
    return this.records.findSurvivingId(organisationId, uuid);
  }
}

const detailAnswer = (detail: CustomerDetail): SuccessEnvelope<CustomerDetailView> =>
  envelope(CustomerDetailView.ofDetail(detail));

const approvalAnswer = (approval: Approval): SuccessEnvelope<ApprovalView> =>
  envelope(ApprovalView.of(approval));
