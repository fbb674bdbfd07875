import { Injectable } from '@nestjs/common';
import {
  millisOf,
  type ChallengeFlow,
  type ChallengeFlows,
  type Evaluation,
  type RequestedAction,
} from '../../rules/index.js';
import {
  StepUpsService,
  type RequestedStepUp,
  type OpenLink,
  type PreparedStepUp,
  type StepUpRequest,
} from '../../sessions/index.js';
import { allowsSandboxScenarios, Settings } from '../../../platform/config/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { scenarioIn } from '../domain/sandbox/scenarios.js';

/** A transaction with the result of its rules, before the states of its step-up sessions are known. */
export interface StepUpCandidate {
  readonly transaction: DecryptedTransaction;
  readonly subject: { readonly index: Buffer };
  readonly evidence: { readonly parties: { readonly customerId: string | null } };
  readonly trigger: { readonly evaluationVersion: number };
  readonly evaluation: Evaluation;
  /** The evaluations of shadow rulesets, which decide nothing. */
  readonly shadows: readonly { readonly evaluation: Evaluation }[];
}

export interface ResolvedStepUp {
  readonly flows: ChallengeFlows;
  /** The session that the commit of the evaluation opens or joins. */
  readonly stepUp: PreparedStepUp | null;
  /** The open session that the customer has to complete. */
  readonly link: OpenLink | null;
}

type StepUp = Extract<RequestedAction['action'], { readonly type: 'STEP_UP_SESSION' }>;

const UNAVAILABLE: ChallengeFlow = { state: 'UNAVAILABLE', session: null };
// Only the first evaluation opens a session: a later evaluation may be the result of that session.
const FIRST_VERSION = 1;

/** Finds the states of the sessions that rules request, and prepares the sessions that have to be opened. */
@Injectable()
export class StepUpResolver {
  private readonly isSandbox: boolean;

  constructor(
    private readonly stepUps: StepUpsService,
    settings: Settings,
  ) {
    this.isSandbox = allowsSandboxScenarios(settings);
  }

  /** Returns the transactions that request a session, each with the states of its flows. */
  async resolve(batch: readonly StepUpCandidate[]): Promise<ReadonlyMap<StepUpCandidate, ResolvedStepUp>> {
    const first = batch.filter(
      (one) => one.trigger.evaluationVersion === FIRST_VERSION && hasOwedStepUp(one),
    );
    const later = batch.filter((one) => one.trigger.evaluationVersion !== FIRST_VERSION && hasStepUp(one));
    return new Map([...(await this.prepareSessions(first)), ...(await this.readStates(later))]);
  }

  /** Prepares a session of the first requested flow that exists: one verification is enough for all requests. */
  private async prepareSessions(
    batch: readonly StepUpCandidate[],
  ): Promise<Map<StepUpCandidate, ResolvedStepUp>> {
    const flows = new Map<StepUpCandidate, Record<string, ChallengeFlow>>();
    const requests: { readonly one: StepUpCandidate; readonly request: StepUpRequest }[] = [];
    for (const one of batch) {
      const states: Record<string, ChallengeFlow> = {};
      for (const { flowKey } of stepUpsOf(one)) states[flowKey] = await this.stateOf(one, flowKey);
      flows.set(one, states);
      const chosen = stepUpsIn(one.evaluation).find(({ flowKey }) => states[flowKey]?.state === 'OPEN');
      const { customerId } = one.evidence.parties;
      if (chosen && customerId !== null) {
        const exactlyMs = this.isSandbox
          ? scenarioIn(one.transaction.submission.metadata)?.linkLivesMs
          : undefined;
        requests.push({ one, request: requestOf(one, customerId, chosen, exactlyMs) });
      }
    }
    const prepared = await this.stepUps.prepareStepUps(requests.map(({ request }) => request));
    const sessionByCandidate = new Map(requests.map(({ one }, i) => [one, prepared[i] ?? null]));
    return new Map(
      [...flows].map(([one, states]) => {
        const stepUp = sessionByCandidate.get(one) ?? null;
        if (stepUp) states[stepUp.request.flowKey] = { state: 'OPEN', session: stepUp.sessionRef };
        return [one, { flows: states, stepUp, link: stepUp?.link ?? null }];
      }),
    );
  }

  private async readStates(batch: readonly StepUpCandidate[]): Promise<Map<StepUpCandidate, ResolvedStepUp>> {
    const requestsByCustomer = new Map<string, RequestedStepUp[]>();
    const owners = batch.map(({ transaction: { organisationId, id } }) => ({ organisationId, ref: id }));
    for (const flow of await this.stepUps.findRequestedFlows(owners)) {
      requestsByCustomer.set(flow.transactionRef, [
        ...(requestsByCustomer.get(flow.transactionRef) ?? []),
        flow,
      ]);
    }
    return new Map(
      batch.map((one) => {
        const stepUpsOfCustomer = requestsByCustomer.get(one.transaction.id) ?? [];
        const states = stepUpsOf(one).map(({ flowKey }) => {
          const flow = stepUpsOfCustomer.find((candidate) => candidate.flowKey === flowKey);
          return [flowKey, flow ? { state: flow.state, session: flow.sessionRef } : UNAVAILABLE] as const;
        });
        const requestedFlows = stepUpsIn(one.evaluation).map(({ flowKey }) => flowKey);
        const link =
          stepUpsOfCustomer.find((flow) => flow.link && requestedFlows.includes(flow.flowKey))?.link ?? null;
        return [one, { flows: Object.fromEntries(states), stepUp: null, link }];
      }),
    );
  }

  private async stateOf({ transaction, evidence }: StepUpCandidate, flowKey: string): Promise<ChallengeFlow> {
    const isAvailable =
      evidence.parties.customerId !== null &&
      (await this.stepUps.hasFlow(transaction.organisationId, flowKey));
    return isAvailable ? { state: 'OPEN', session: null } : UNAVAILABLE;
  }
}

const isStepUp = ({ action }: RequestedAction): boolean => action.type === 'STEP_UP_SESSION';
const isOwed = (one: RequestedAction): boolean => isStepUp(one) && one.status === 'REQUESTED';

const hasAction = (
  { evaluation, shadows }: StepUpCandidate,
  matches: (action: RequestedAction) => boolean,
): boolean =>
  evaluation.actions.some(matches) || shadows.some((shadow) => shadow.evaluation.actions.some(matches));
const hasStepUp = (one: StepUpCandidate): boolean => hasAction(one, isStepUp);
const hasOwedStepUp = (one: StepUpCandidate): boolean => hasAction(one, isOwed);

const stepUpsOf = ({ evaluation, shadows }: StepUpCandidate): StepUp[] =>
  [evaluation, ...shadows.map((shadow) => shadow.evaluation)].flatMap(({ actions }) =>
    actions.flatMap(({ action }) => (action.type === 'STEP_UP_SESSION' ? [action] : [])),
  );

/** Returns the step-ups that the customer has not done yet. */
const stepUpsIn = ({ actions }: Evaluation): StepUp[] =>
  actions.flatMap(({ action, status }) =>
    status === 'REQUESTED' && action.type === 'STEP_UP_SESSION' ? [action] : [],
  );

const requestOf = (
  { transaction, subject }: StepUpCandidate,
  customerId: string,
  { flowKey, expiresIn, expiresInAtNight }: StepUp,
  exactlyMs: number | undefined,
): StepUpRequest => ({
  organisationId: transaction.organisationId,
  clientAppId: transaction.clientAppId,
  customerId,
  subjectIndex: subject.index,
  transactionRef: transaction.id,
  evaluationVersion: FIRST_VERSION,
  flowKey,
  expiresInMs: millisOf(expiresIn),
  expiresAtNightMs: millisOf(expiresInAtNight),
  exactlyMs,
  requestId: transaction.requestId,
  correlationId: transaction.correlationId,
  traceparent: transaction.traceparent,
});
