import { blankMembers, type Flow, type Step } from './data.js';

/** The members that a step of any type has. */
const BARE_STEP: Step = { id: 'welcome', type: 'INFO', title: { 'pt-BR': '' }, required: false };

export const BLANK: Flow = {
  name: { 'pt-BR': '' },
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [{ ...BARE_STEP, text: { 'pt-BR': '' } }],
  requiredChecks: ['TAX_ID'],
};

/** A draft holds whatever somebody kept by the API: what the editor cannot do without is put in. */
export const whole = (kept: Partial<Flow>): Flow => ({
  ...BLANK,
  ...kept,
  steps: (Array.isArray(kept.steps) ? kept.steps : []).map((step: Partial<Step>) => ({
    ...BARE_STEP,
    ...(step.type && blankMembers[step.type]),
    ...step,
  })),
  ...(!Array.isArray(kept.requiredChecks) && { requiredChecks: [] }),
});

/** The members that a step of a type must have. */
export function blankStep(type: Step['type'], taken: readonly string[]): Step {
  const base = type.toLowerCase().replace(/_\w/g, (part) => part.charAt(1).toUpperCase());
  let id = base;
  for (let next = 2; taken.includes(id); next += 1) id = `${base}${next}`;
  return { id, type, title: { 'pt-BR': '' }, required: true, ...blankMembers[type] };
}
