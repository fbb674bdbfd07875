import { checkNames, EXPIRY_MINUTES, stepTypes, type FlowDefinition } from './flow.js';
import { FlowJudge, isPlain, LIMITS, type FlowProblem } from './flow-judge.js';
import { stepKinds } from './step-types.js';

const COMMON = ['id', 'type', 'title', 'required', 'showIf'];

/** Judges a flow as it was sent; an empty list means that it is a `FlowDefinition`. */
export function judgeFlow(input: unknown): readonly FlowProblem[] {
  const judge = new FlowJudge();
  judgeWhole(judge, input);
  return judge.problems.slice(0, LIMITS.problems);
}

/** The flow, once `judgeFlow` has found nothing. */
export const asFlow = (input: unknown): FlowDefinition => input as FlowDefinition;

function judgeWhole(judge: FlowJudge, input: unknown): void {
  const flow = judge.object(input, '');
  if (!flow) return;
  judge.known(flow, '', ['name', 'expiresInMinutes', 'minimumAge', 'steps', 'requiredChecks']);
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
}

function judgeStep(judge: FlowJudge, input: unknown, at: string): void {
  const step = judge.object(input, at);
  if (!step) return;
  judge.id(step['id'], `${at}.id`);
  judge.localised(step['title'], `${at}.title`, LIMITS.label);
  judge.flag(step['required'], `${at}.required`);
  judge.condition(step['showIf'], `${at}.showIf`);
  const type = judge.oneOf(step['type'], `${at}.type`, stepTypes);
  if (type === null) return;
  const kind = stepKinds[type];
  judge.known(step, at, [...COMMON, ...kind.members]);
  kind.judge(judge, step, at);
}
