import type { FlowDefinition } from './flow.js';
import { onboardingPj } from './shipped/company-flow.js';
import { minimal, onboardingPf, stepUp } from './shipped/person-flows.js';

/** The flows that every organisation has from the beginning, by key; a version of its own takes their place. */
export const defaultFlows: Readonly<Record<string, FlowDefinition>> = {
  minimal,
  'onboarding-pf': onboardingPf,
  'onboarding-pj': onboardingPj,
  'step-up': stepUp,
};
