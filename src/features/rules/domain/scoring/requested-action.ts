import type { FactSheet, RuleAction } from '../../language/index.js';

/**
 * The action that a hit asks for. REQUESTED: sessions or reviews have to do it. NOT_NEEDED: the customer's last
 * approved verification is recent enough.
 */
export interface RequestedAction {
  readonly ruleId: string;
  readonly action: RuleAction;
  readonly status: 'REQUESTED' | 'NOT_NEEDED';
}

/** Returns the actions of counted hits. Of step-ups with the same flow, the first REQUESTED counts, else the first. */
export function requestedActions(
  asked: readonly { readonly ruleId: string; readonly action: RuleAction }[],
  sheet: FactSheet,
): readonly RequestedAction[] {
  const requests = new Map<string, RequestedAction>();
  for (const { ruleId, action } of asked) {
    const target = action.type === 'STEP_UP_SESSION' ? action.flowKey : action.queue;
    const name = `${action.type}:${target}`;
    const existingAction = requests.get(name);
    if (existingAction?.status === 'REQUESTED') continue;
    const status = isStepUpCovered(action, sheet) ? 'NOT_NEEDED' : 'REQUESTED';
    if (!existingAction || status === 'REQUESTED') requests.set(name, { ruleId, action, status });
  }
  return [...requests.values()];
}

/** True if the customer was verified recently enough for the action. */
export function isStepUpCovered(action: RuleAction, sheet: FactSheet): boolean {
  if (action.type !== 'STEP_UP_SESSION') return false;
  const { schema, numbers, lists } = sheet;
  const flows = lists[schema.get('kyc.approvedFlows').slot];
  // Facts that were stored before flows were told apart have only the newest approval.
  const last = flows
    ? lastOf(flows, action.flowKey)
    : (numbers[schema.get('kyc.lastApprovedAt').slot] ?? NaN);
  const now = numbers[schema.get('occurredAt').slot] ?? NaN;
  // Without a verification, NaN compares as false.
  return now - last <= millisOf(action.onlyIfNoneWithin);
}

/** Returns when the newest approved session ended that answers the flow; NaN if none does. */
function lastOf(flows: readonly (number | string)[], flowKey: string): number {
  const answered = flows.find((flow) => String(flow).startsWith(`${flowKey}@`));
  return answered === undefined ? NaN : Number(String(answered).slice(flowKey.length + 1));
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The milliseconds of an ISO 8601 duration of days, hours, minutes and seconds; NaN for anything else. */
export function millisOf(duration: string): number {
  const match = DURATION.exec(duration);
  if (!match || duration.endsWith('P') || duration.endsWith('T')) return NaN;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
}
