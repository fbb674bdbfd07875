import type { FlowDefinition } from './flow.js';
import { onboardingPj } from './shipped/company-flow.js';
import { minimal, onboardingPf, stepUp } from './shipped/person-flows.js';

/** The initial flows of every organisation, by key. A version of the organisation's own replaces one. */
export const defaultFlows: Readonly<Record<string, FlowDefinition>> = {
  minimal,
  'onboarding-pf': onboardingPf,
  'onboarding-pj': onboardingPj,
  'step-up': stepUp,
};
