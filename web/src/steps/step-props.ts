import type { Problem, Step } from '../api.js';
import type { Drafts } from '../answers.js';
import type { StepAnswer, Answers } from '../conditions.js';

/** The properties that every kind of step is given. */
export interface StepProps {
  readonly sessionId: string;
  readonly step: Step;
  readonly drafts: Drafts;
  /** The answers of the steps before, as they will be sent. */
  readonly answers: Answers;
  /** Faults that the service found, by the key of the answer. */
  readonly refused: Readonly<Record<string, string>>;
  /** Uploads that the service has confirmed, as `step/document/side`. */
  readonly received: readonly string[];
  readonly first: boolean;
  /** A draft is looked at: nothing has to be given, and nothing is kept. */
  readonly preview: boolean;
  readonly quiet: boolean;
  readonly onDraft: (key: string, value: StepAnswer | undefined) => void;
  readonly onReceived: (upload: string) => void;
  /** Goes on; false when the service refused something, which is then in `refused`. */
  readonly onDone: () => Promise<boolean>;
  readonly onSkip: () => void;
  readonly onBack: () => void;
  readonly onOver: (problem: Problem) => void;
}
