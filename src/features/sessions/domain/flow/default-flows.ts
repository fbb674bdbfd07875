import { table } from '../../../../platform/kernel/table.js';
import type { FlowDefinition } from './flow.js';
import { onboardingPj } from './shipped/company-flow.js';
import { minimal, onboardingPf, stepUp } from './shipped/person-flows.js';

/** The initial flows of every organisation, keyed by flow key. An organisation's own version replaces the default. */
export const defaultFlows: Readonly<Record<string, FlowDefinition>> = table({
  minimal,
  'onboarding-pf': onboardingPf,
  'onboarding-pj': onboardingPj,
  'step-up': stepUp,
});
