import { formatValue, type FactSheet, type Localised } from '../../language/index.js';
import type { Reason, RuleVerdict } from './evaluate-rules.js';
import { challengeFlowOf, type ChallengeFlows, type ChallengeState } from './outcome.js';
import type { RequestedAction } from './requested-action.js';

const VERIFIED_MESSAGE: Localised = {
  'pt-BR': 'O cliente foi verificado: a regra não impede a aprovação.',
  en: 'The customer was verified: the rule does not stand in the way of an approval.',
};

// PASSED: the session passed and the customer is still not verified, so another customer did it.
const LOST: Readonly<Record<Exclude<ChallengeState, 'OPEN'>, readonly [code: string, message: Localised]>> = {
  PASSED: [
    'STEP_UP_OF_ANOTHER_CUSTOMER',
    {
      'pt-BR': 'A verificação pedida foi feita por outro cliente.',
      en: 'Another customer did the verification.',
    },
  ],
  FAILED: [
    'STEP_UP_FAILED',
    { 'pt-BR': 'A verificação pedida não foi aprovada.', en: 'The verification was not approved.' },
  ],
  CANCELLED: [
    'STEP_UP_CANCELLED',
    { 'pt-BR': 'A verificação pedida foi cancelada.', en: 'The verification was cancelled.' },
  ],
  EXPIRED: [
    'STEP_UP_EXPIRED',
    {
      'pt-BR': 'A verificação pedida expirou sem resposta.',
      en: 'The verification expired without an answer.',
    },
  ],
  UNAVAILABLE: [
    'STEP_UP_UNAVAILABLE',
    {
      'pt-BR': 'A regra pede uma verificação que não pode ser feita.',
      en: 'The rule asks for a verification that is not possible.',
    },
  ],
};

const GROUP = 'STEP_UP';

/**
 * Returns a reason without points for each step-up of a counted hit that is done or can no longer be done. An open
 * step-up has none: the customer can still do it.
 */
export function challengeReasons(
  counted: readonly RuleVerdict[],
  actions: readonly RequestedAction[],
  flows: ChallengeFlows | undefined,
  sheet: FactSheet,
): Reason[] {
  const stepUps = actions.filter(({ action }) => action.type === 'STEP_UP_SESSION');
  const verdictOf = (key: string): RuleVerdict | undefined =>
    counted.find(({ rule }) => rule.definition.key === key);
  if (stepUps.length === 0) {
    return counted
      .filter(({ rule }) => rule.definition.effect.recommend === 'STEP_UP')
      .map((verdict) => reasonOf(verdict, ...LOST.UNAVAILABLE, null));
  }
  const isOpen = stepUps.some(
    (one) => one.status === 'REQUESTED' && challengeFlowOf(one, flows).state === 'OPEN',
  );
  return stepUps.flatMap((one) => {
    const verdict = verdictOf(one.ruleId);
    if (!verdict) return [];
    const { state, session } = challengeFlowOf(one, flows);
    if (one.status === 'NOT_NEEDED') {
      return [
        reasonOf(verdict, 'LIMIT_EXCEEDED_VERIFIED', VERIFIED_MESSAGE, observedApproval(sheet, session)),
      ];
    }
    if (isOpen || state === 'OPEN') return [];
    return [reasonOf(verdict, ...LOST[state], session === null ? null : `session = ${session}`)];
  });
}

function observedApproval(sheet: FactSheet, session: string | null): string {
  const feature = sheet.schema.get('kyc.lastApprovedAt');
  const at = `${feature.name} = ${formatValue(sheet.valueAt(feature) ?? '', 'en', feature.unit, feature.type)}`;
  return session === null ? at : `${at}, session = ${session}`;
}

const reasonOf = (
  { rule: { definition } }: RuleVerdict,
  reasonCode: string,
  message: Localised,
  observed: string | null,
): Reason => ({
  ruleId: definition.key,
  version: definition.version,
  name: definition.name,
  reasonCode,
  severity: 'LOW',
  points: 0,
  group: GROUP,
  observed,
  threshold: '',
  window: null,
  saturated: false,
  flags: [],
  message,
  legalBasis: [],
});
