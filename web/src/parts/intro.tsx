import type { VNode } from 'preact';
import type { SessionView, Step } from '../api.js';
import { useTexts } from '../texts/language.js';

/** How long people take, in minutes: for each input, and for each step of a type. */
const PER_INPUT = 0.2;
const PER_STEP: Readonly<Record<Step['type'], number>> = {
  INFO: 0.2,
  CONSENT: 0.4,
  DATA_FORM: 0.2,
  QUESTIONNAIRE: 0.2,
  REPEATED_GROUP: 1,
  ONE_TIME_CODE: 0.6,
  DOCUMENT_CAPTURE: 1,
  SELFIE: 0.4,
  PROOF_OF_ADDRESS: 0.8,
};

const minutesFor = (steps: readonly Step[]): number =>
  Math.max(
    1,
    Math.round(
      steps.reduce(
        (sum, { type, fields = [], questions = [] }) =>
          sum + PER_STEP[type] + PER_INPUT * (fields.length + questions.length),
        0,
      ),
    ),
  );

/** The first thing that the person reads: who asks, what for, and how long it takes. */
export function Intro({
  view,
  steps,
}: {
  readonly view: SessionView;
  readonly steps: readonly Step[];
}): VNode {
  const { intro } = useTexts();
  // Without an application of its own, a session is asked for by who decides about the data.
  const who = [view.branding.name, view.privacyNotice?.controller.name].find(Boolean) ?? '';
  return <p class="text">{intro(who, view.flowName, minutesFor(steps))}</p>;
}
