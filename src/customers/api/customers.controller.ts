import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Patch,
  Post,
  Put,
  Query,
} from '@nestjs/common';
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
import { uuidIn } from '../../kernel/index.js';
import { CustomerDesk, type CustomerDetail } from '../customer-desk.js';
import { CustomersQuery, ProfileBody, RelationshipBody, RiskLevelBody, WhyBody } from './customer.dto.js';
import { CustomerDetailView, CustomerSummaryView, RevealedCustomerView } from './customer.view.dto.js';

const ID = { name: 'id', example: 'cus_019364d0c0de7000a000000000000001' } as const;
const STEP = ['CUSTOMER_NOT_FOUND', 'STATE_CONFLICT'] as const;

/** Customers of the organisation. Documents are masked everywhere but in `reveal`. */
@ApiTags('Customers')
@Controller('operator/customers')
export class CustomersController {
  constructor(private readonly desk: CustomerDesk) {}

  @Get()
  @ForOperator('customers:read')
  @ApiOperation({ operationId: 'listCustomers', summary: 'Customers, the newest first; also by document' })
  @ApiPage(CustomerSummaryView)
  async list(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, document, externalCustomerId, riskLevel }: CustomersQuery,
  ): Promise<Page<CustomerSummaryView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const wanted = { document, externalCustomerId, riskLevel };
    const rows = await this.desk.search(organisationId, wanted, before, limit);
    return page(
      rows,
      limit,
      ({ customer }) => [customer.id],
      (row) => CustomerSummaryView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('customers:read')
  @ApiParam(ID)
  @ApiOperation({ operationId: 'getCustomerRecord', summary: 'One customer, the document masked' })
  @ApiData(CustomerDetailView)
  @ApiErrors('CUSTOMER_NOT_FOUND')
  async one(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<CustomerDetailView>> {
    return shown(await this.desk.get(organisationId, await this.idOf(organisationId, id)));
  }

  @Post(':id/reveal')
  @ForOperator('customers:reveal')
  @HttpCode(HttpStatus.OK)
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'revealCustomer',
    summary: 'The full document of a customer',
    description: 'Who asked, and that they had a reason, stands in the trail of the customer.',
  })
  @ApiData(RevealedCustomerView)
  @ApiErrors('CUSTOMER_NOT_FOUND')
  async reveal(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ): Promise<Success<RevealedCustomerView>> {
    return envelope(
      RevealedCustomerView.of(
        await this.desk.reveal(acting, await this.idOf(acting.organisationId, id), reason),
      ),
    );
  }

  @Patch(':id/profile')
  @ForOperator('reviews:work')
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'changeCustomerProfile',
    summary: 'Write down what the customer declared or chose',
    description: 'Rules read it as `profile.*` from the next transaction on. What is left out stays.',
  })
  @ApiData(CustomerDetailView)
  @ApiErrors(...STEP)
  async declare(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() body: ProfileBody,
  ): Promise<Success<CustomerDetailView>> {
    return shown(await this.desk.declare(acting, await this.idOf(acting.organisationId, id), body));
  }

  @Put(':id/risk-level')
  @ForOperator('reviews:decide')
  @ApiParam(ID)
  @ApiOperation({ operationId: 'setCustomerRiskLevel', summary: 'Set the risk level of a customer' })
  @ApiData(CustomerDetailView)
  @ApiErrors(...STEP)
  async setRiskLevel(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { riskLevel }: RiskLevelBody,
  ): Promise<Success<CustomerDetailView>> {
    return shown(await this.desk.setRiskLevel(acting, await this.idOf(acting.organisationId, id), riskLevel));
  }

  @Put(':id/relationship')
  @ForOperator('customers:erase')
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'endCustomerRelationship',
    summary: 'Write down when the relationship ended',
    description: 'Retention is counted from 1 January of the year after.',
  })
  @ApiData(CustomerDetailView)
  @ApiErrors(...STEP)
  async endRelationship(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { endedOn }: RelationshipBody,
  ): Promise<Success<CustomerDetailView>> {
    return shown(
      await this.desk.endRelationship(acting, await this.idOf(acting.organisationId, id), endedOn),
    );
  }

  @Post(':id/legal-hold')
  @ForOperator('customers:erase')
  @HttpCode(HttpStatus.OK)
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'placeLegalHold',
    summary: 'Keep the records whatever anybody asks, until the hold is lifted',
  })
  @ApiData(CustomerDetailView)
  @ApiErrors(...STEP)
  async placeHold(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ): Promise<Success<CustomerDetailView>> {
    return shown(await this.desk.placeHold(acting, await this.idOf(acting.organisationId, id), reason));
  }

  @Delete(':id/legal-hold')
  @ForOperator('customers:erase')
  @ApiParam(ID)
  @ApiOperation({ operationId: 'liftLegalHold', summary: 'Lift the legal hold' })
  @ApiData(CustomerDetailView)
  @ApiErrors('CUSTOMER_NOT_FOUND', 'STATE_CONFLICT')
  async liftHold(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<CustomerDetailView>> {
    return shown(await this.desk.liftHold(acting, await this.idOf(acting.organisationId, id)));
  }

  @Post(':id/erase')
  @ForOperator('customers:erase')
  @HttpCode(HttpStatus.OK)
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'eraseCustomer',
    summary: 'Erase a person by destroying the keys of their data',
    description:
      'The keys are gone within three minutes, and with them everything that was sealed under them, in backups too; the audit ' +
      'log still verifies. While the law or a hold requires the records, they are restricted and the answer is RETENTION_REQUIRED.',
  })
  @ApiData(CustomerDetailView)
  @ApiErrors('CUSTOMER_NOT_FOUND', 'RETENTION_REQUIRED')
  async erase(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<CustomerDetailView>> {
    return shown(await this.desk.erase(acting, await this.idOf(acting.organisationId, id)));
  }

  /** A record that was merged leads to the one that it was merged into. */
  private async idOf(organisationId: string, id: string): Promise<string> {
    const uuid = uuidIn('cus', id, 'CUSTOMER_NOT_FOUND');
    return this.desk.survivor(organisationId, uuid);
  }
}

const shown = (detail: CustomerDetail): Success<CustomerDetailView> =>
  envelope(CustomerDetailView.ofDetail(detail));
