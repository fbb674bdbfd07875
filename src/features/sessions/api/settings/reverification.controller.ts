import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  Field,
  forOperator,
  Route,
  View,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { CurrentActor, type SessionActorContext } from '../../actor-context.js';
import { ReverificationService, type ReverificationSettings } from '../../verified/reverification.service.js';

const MONTHS = { min: 1, max: 120 } as const;

/** How often customers are verified again. */
export class ReverificationBody {
  @Field.text('The flow that they go through.', {
    max: 63,
    pattern: /^[a-z0-9][a-z0-9-]{1,62}$/,
    form: 'small letters, digits and hyphens',
    example: 'onboarding-pf',
  })
  flowKey: string;

  @Field.integer('Months from one verification to the next, at low risk.', { ...MONTHS, example: 60 })
  lowMonths: number;

  @Field.integer('The same at medium risk.', { ...MONTHS, example: 24 }) mediumMonths: number;
  @Field.integer('The same at high risk, and for customers whom nobody has classified.', {
    ...MONTHS,
    example: 12,
  })
  highMonths: number;

  @Field.integer('So many days before their document ends they are asked for the next one.', {
    min: 0,
    max: 365,
    example: 30,
  })
  documentDays: number;

  @Field.flag('Whether anybody is asked again.', { example: true }) enabled: boolean;
}

export class ReverificationView {
  @View.text('The key of the flow.', { example: 'onboarding-pf' }) flowKey: string;
  @View.integer('Months from one verification to the next, at low risk.', { example: 60 }) lowMonths: number;
  @View.integer('The same at medium risk.', { example: 24 }) mediumMonths: number;
  @View.integer('The same at high risk.', { example: 12 }) highMonths: number;
  @View.integer('Days before the end of a document.', { example: 30 }) documentDays: number;
  @View.flag('Whether anybody is asked again.', { example: true }) enabled: boolean;
}

export class ReverificationTermsView {
  @View.objectOrNull(ReverificationView, 'Null while the organisation has none: nobody is asked again.')
  terms: ReverificationView | null;
}

const viewOf = ({
  flowKey,
  lowMonths,
  mediumMonths,
  highMonths,
  documentDays,
  enabled,
}: ReverificationSettings): ReverificationView => ({
  ...{ flowKey, lowMonths, mediumMonths, highMonths, documentDays, enabled },
});

/** Serves the terms of re-verification. */
@ApiTags('Re-verification')
@Controller('operator/reverification')
export class ReverificationController {
  constructor(private readonly reverification: ReverificationService) {}

  @Route.get('', forOperator('sessions:read'), {
    summary: 'How often customers are verified again',
    description: 'Per level of risk, with the flow that is used.',
    data: [ReverificationTermsView, 'The terms in force; null where there are none.'],
  })
  async readReverification(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const terms = await this.reverification.readTerms(organisationId);
    return envelope({ terms: terms && viewOf(terms) });
  }

  @Route.put('', forOperator('flows:manage'), {
    summary: 'Set how often customers are verified again, by their level of risk',
    description:
      'Whoever is due gets a session; the integrator gets `session.created` with the trigger REVERIFICATION.',
    data: [ReverificationView, 'The terms in force.'],
    errors: ['FLOW_NOT_FOUND'],
  })
  async setReverification(@CurrentActor() ctx: SessionActorContext, @Body() body: ReverificationBody) {
    return envelope(viewOf(await this.reverification.setTerms(ctx, body)));
  }
}
