import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  Field,
  forOperator,
  Route,
  View,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { CurrentActor, type SessionActorContext } from '../actor-context.js';
import { SessionReaderService } from '../link/session-reader.service.js';
import { SessionRoundsService } from '../outcome/session-rounds.service.js';
import { SessionPeopleService, type CompanyTreePerson } from '../people/session-people.service.js';
import { SESSION_PATH_ID } from './session.dto.js';

export class StepAgainBody {
  @Field.text('The id of the step.', { maxLength: 40, example: 'document' }) stepId: string;

  @Field.string('What the person reads: why, and what to do differently.', {
    minLength: 5,
    maxLength: 300,
    example: 'O verso do documento não aparece. Envie a foto do verso.',
  })
  reason: string;
}

export class ResubmissionBody {
  @Field.list(() => StepAgainBody, 'The steps, in their order.', { min: 1, max: 20 }) steps: StepAgainBody[];
}

export class RoundStartedView {
  @View.id('kys', 'Names it without opening it.') reference: string;
  @View.enum(['PENDING'], 'The status of the session.') status: 'PENDING';
  @View.texts('The steps that the person is asked for.', { example: ['document'] }) steps: readonly string[];
}

export class TreePersonView {
  @View.enum(['OWNER', 'REPRESENTATIVE'], 'Who they are to the company.', { example: 'OWNER' }) as: string;
  @View.textOrNull('The name of the person.', { example: 'Ana Exemplo' }) name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.idOrNull('cus', 'The record of the person; null for somebody without a tax id.')
  customerId: string | null;

  @View.numberOrNull('In percent, as the company said.', { example: 60 }) share: number | null;
  @View.flag('Whether the share makes them a beneficial owner: more than 25 %.', { example: true })
  beneficial: boolean;

  @View.texts('What stands about them on lists.', { example: ['hit_019364d0c0de7000a000000000000001'] })
  hits: readonly string[];

  @View.idOrNull('kys', 'The session that they were sent.') session: string | null;

  @View.textOrNull('How far their session is.', { example: 'COMPLETED' }) sessionStatus: string | null;
  @View.textOrNull('How it ended.', { example: 'APPROVED' }) sessionOutcome: string | null;

  static of({ person, name, documentMasked, session }: CompanyTreePerson): TreePersonView {
    const share = person.share === null ? null : Number(person.share);
    return {
      ...{ as: person.kind, name, documentMasked, share },
      customerId: person.customerId === null ? null : publicId('cus', person.customerId),
      beneficial: person.kind === 'OWNER' && share !== null && share > 25,
      hits: person.hitIds.map((id) => publicId('hit', id)),
      session: session ? publicId('kys', session.id) : null,
      sessionStatus: session?.status ?? null,
      sessionOutcome: session?.outcome ?? null,
    };
  }
}

/** A company with its owners and representatives. */
export class CompanyTreeView {
  @View.id('kys', 'Names it without opening it.') reference: string;
  @View.id('cus', 'The company.') customerId: string;
  @View.list(TreePersonView, 'The people.') people: readonly TreePersonView[];
}

/** Serves resubmissions, and the people of a company. */
@ApiTags('Verification sessions')
@Controller('operator/kyc-sessions')
export class SessionRoundsController {
  constructor(
    private readonly reader: SessionReaderService,
    private readonly rounds: SessionRoundsService,
    private readonly people: SessionPeopleService,
  ) {}

  @Route.post(':id/resubmissions', forOperator('reviews:work'), {
    summary: 'Ask for single steps again, on the same link',
    description:
      'Of a session that is under review and that nobody has decided about. It is PENDING for these steps alone; the ' +
      'integrator gets `session.reopened`. At most three times; in time or not, the checks run again afterwards.',
    params: [SESSION_PATH_ID],
    data: [RoundStartedView, 'The session, which is open again.'],
    status: 202,
    errors: ['SESSION_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async askAgain(
    @CurrentActor() ctx: SessionActorContext,
    @Param('id') id: string,
    @Body() { steps }: ResubmissionBody,
  ) {
    const session = await this.reader.find(ctx.organisationId, id);
    const requestedSteps = steps.map(({ stepId, reason }) => ({ stepId, code: 'REVIEWER', message: reason }));
    await this.rounds.requestResubmission(ctx, session, requestedSteps);
    return envelope({
      reference: publicId('kys', session.id),
      status: 'PENDING' as const,
      steps: steps.map(({ stepId }) => stepId),
    });
  }

  @Route.get(':id/people', forOperator('sessions:read'), {
    reads: 'session',
    summary: 'The owners and representatives that the session of a company names',
    description: 'With the state of the session that each of them was sent.',
    params: [SESSION_PATH_ID],
    data: [CompanyTreeView, 'The company and its people.'],
    errors: ['SESSION_NOT_FOUND'],
  })
  async readPeople(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    const session = await this.reader.find(organisationId, id);
    return envelope({
      reference: publicId('kys', session.id),
      customerId: publicId('cus', session.customerId),
      people: (await this.people.readTree(session)).map((one) => TreePersonView.of(one)),
    });
  }
}
