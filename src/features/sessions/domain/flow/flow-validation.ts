import { findDefensibilityObstacles } from '../checks/defensibility.js';
import { PROVIDER_NAME, providerChecks } from '../../../providers/index.js';
import { checkNames, EXPIRY_MINUTES, flowSubjects, stepTypes, type FlowDefinition } from './flow.js';
import { FlowValidator, isPlain, LIMITS, type FlowProblem } from './flow-validator.js';
import { stepKinds } from './step-types.js';

const COMMON_MEMBERS = ['id', 'type', 'title', 'required', 'showIf', 'when'];
const MEMBERS = ['name', 'subject', 'expiresInMinutes', 'minimumAge', 'steps', 'requiredChecks'];
const LATER_MEMBERS = ['providers', 'resubmitOn'];

/** Validates a flow as the client sent it. An empty list means that it is a `FlowDefinition`. */
export function validateFlow(input: unknown): readonly FlowProblem[] {
  const judge = new FlowValidator();
  judgeWhole(judge, input);
  return judge.problems.slice(0, LIMITS.problems);
}

/** Casts the input to a flow, after `validateFlow` has found no problem. */
export const asFlow = (input: unknown): FlowDefinition => input as FlowDefinition;

function judgeWhole(judge: FlowValidator, input: unknown): void {
  const flow = judge.object(input, '');
  if (!flow) return;
  judge.refuseUnknownKeys(flow, '', [...MEMBERS, ...LATER_MEMBERS]);
  if (flow['subject'] !== undefined) judge.oneOf(flow['subject'], 'subject', flowSubjects);
  judge.localised(flow['name'], 'name', LIMITS.label);
  judge.integer(flow['expiresInMinutes'], 'expiresInMinutes', EXPIRY_MINUTES.min, EXPIRY_MINUTES.max);
  judge.integer(flow['minimumAge'], 'minimumAge', 0, 120);
  const steps = judge.list(flow['steps'], 'steps', 1, LIMITS.steps);
  steps.forEach((step, i) => {
    judgeStep(judge, step, `steps[${i}]`);
  });
  if (steps.length > 0 && !steps.some((step) => isPlain(step) && step['type'] !== 'INFO')) {
    judge.add('steps', 'NOTHING_TO_DO', 'At least one step has to ask for something.');
  }
  const checks = judge.list(flow['requiredChecks'], 'requiredChecks', 0, checkNames.length);
  checks.forEach((name, i) => {
    judge.oneOf(name, `requiredChecks[${i}]`, checkNames);
  });
  if (new Set(checks).size !== checks.length) {
    judge.add('requiredChecks', 'ITEMS_NOT_UNIQUE', 'The items must differ from each other.');
  }
  judgeProviders(judge, flow['providers']);
  judgeResubmissions(judge, flow['resubmitOn'], steps);
  // Whether results can be defensible is checked only for a flow that is otherwise valid.
  if (judge.problems.length === 0) {
    for (const problem of findDefensibilityObstacles(asFlow(flow))) {
      judge.add(problem.path, problem.code, problem.message);
    }
  }
}

function judgeResubmissions(judge: FlowValidator, input: unknown, steps: readonly unknown[]): void {
  if (input === undefined) return;
  judge.each(input, 'resubmitOn', 20, (one, at) => {
    const rule = judge.object(one, at);
    if (!rule) return;
    judge.refuseUnknownKeys(rule, at, ['check', 'reason', 'step', 'message']);
    judge.oneOf(rule['check'], `${at}.check`, checkNames);
    if (rule['reason'] !== undefined) judge.text(rule['reason'], `${at}.reason`, 200);
    if (!steps.some((step) => isPlain(step) && step['id'] === rule['step'] && step['type'] !== 'INFO')) {
      judge.add(`${at}.step`, 'VALUE_NOT_ALLOWED', 'The flow has no such step that asks for something.');
    }
    judge.localised(rule['message'], `${at}.message`, LIMITS.label);
  });
}

function judgeProviders(judge: FlowValidator, input: unknown): void {
  if (input === undefined) return;
  const providers = judge.object(input, 'providers');
  if (!providers) return;
  judge.refuseUnknownKeys(providers, 'providers', providerChecks);
  for (const check of providerChecks) {
    if (providers[check] === undefined) continue;
    judge.each(providers[check], `providers.${check}`, 5, (name, path) => {
      if (typeof name !== 'string' || !PROVIDER_NAME.test(name)) {
        judge.add(path, 'PATTERN_MISMATCH', 'Must be the name of a provider.');
      }
    });
  }
}

function judgeStep(judge: FlowValidator, input: unknown, at: string): void {
  const step = judge.object(input, at);
  if (!step) return;
  judge.validateId(step['id'], `${at}.id`);
  judge.localised(step['title'], `${at}.title`, LIMITS.label);
  judge.flag(step['required'], `${at}.required`);
  judge.validateCondition(step['showIf'], `${at}.showIf`);
  judge.validateWhen(step['when'], `${at}.when`);
  const type = judge.oneOf(step['type'], `${at}.type`, stepTypes);
  if (type === null) return;
  const kind = stepKinds[type];
  judge.refuseUnknownKeys(step, at, [...COMMON_MEMBERS, ...kind.members]);
  kind.judge(judge, step, at);
  judge.addReadableStep(step);
}
