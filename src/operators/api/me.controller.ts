import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  CurrentOperator,
  envelope,
  ForOperator,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { OperatorQueries } from '../store/operator.queries.js';
import { MeView } from './me.view.dto.js';

@ApiTags('Me')
@Controller('operator/me')
export class MeController {
  constructor(private readonly operators: OperatorQueries) {}

  @Get()
  @ForOperator()
  @ApiOperation({ operationId: 'me', summary: 'Who is logged in, and what this session may do' })
  @ApiData(MeView)
  async me(@CurrentOperator() operator: OperatorPrincipal): Promise<Success<MeView>> {
    const account = await this.operators.own(operator.organisationId, operator.id);
    if (!account) throw new DomainError('OPERATOR_NOT_FOUND');
    return envelope(MeView.of(operator, account));
  }
}
