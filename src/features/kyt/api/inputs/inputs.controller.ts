import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { InputCoverageService } from '../../inputs/input-coverage.service.js';
import { InputReportView, InputsQuery } from './inputs.dto.js';

/** Shows which inputs applications send. */
@ApiTags('Rules')
@Controller('operator/inputs')
export class InputsController {
  constructor(private readonly coverage: InputCoverageService) {}

  @Route.get('', forOperator('rules:read'), {
    summary: 'Which inputs came in the last days, and what the missing ones cost',
    description:
      'Of each application the newest transactions are judged again by the rules of now, as they are and as if the ' +
      'application had said of a missing input that it does not send it. Worked out when it is asked; nothing is stored.',
    data: [InputReportView, 'By application and input how often it came, and what it costs.'],
  })
  async readInputs(@CurrentOperator() { organisationId }: OperatorPrincipal, @Query() { days }: InputsQuery) {
    return envelope(InputReportView.of(await this.coverage.report(organisationId, days)));
  }
}
