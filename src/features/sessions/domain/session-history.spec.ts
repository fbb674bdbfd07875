import { expect, it } from '@jest/globals';
import type { CheckName } from './flow/flow.js';
import { flowsAnsweredBy } from './session-history.js';

const asking = (...requiredChecks: CheckName[]): { readonly requiredChecks: readonly CheckName[] } => ({
  requiredChecks,
});

it('a session answers its own flow, whatever that asks for by now, and flows that require no other checks', () => {
  const current = new Map([
    ['own', asking('TAX_ID', 'LISTS', 'FACE_MATCH')],
    ['less', asking('TAX_ID')],
    ['more', asking('TAX_ID', 'LISTS', 'LIVENESS')],
  ]);
  const passed = { key: 'own', definition: asking('TAX_ID', 'LISTS') };
  expect(flowsAnsweredBy(passed, current)).toEqual(['own', 'less']);
});
