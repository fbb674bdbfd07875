import { View } from '../../../platform/http/index.js';
import { MAGIC_DOCUMENTS } from '../../../platform/kernel/index.js';
import { eventTypes } from '../../webhooks/index.js';
import { scenarioNames, scenarioOf, type ScenarioName } from '../domain/sandbox/scenarios.js';
import { verdicts } from '../domain/verdict.js';

export class ScenarioView {
  @View.text('What `metadata.sandboxScenario` has to be.', { example: 'release' }) name: string;
  @View.text('What it stands for.', { example: 'Nothing speaks against it.' }) what: string;

  @View.enum(['COMPLETED', 'DEAD_LETTERED'], 'The status once it is over.', { example: 'COMPLETED' })
  status: string;

  @View.enumOrNull(verdicts, 'What to do, once it is over; null where it is never decided.', {
    example: 'RELEASE',
  })
  verdict: string | null;
  @View.flagOrNull('Whether the score can be defended.', { example: true }) defensible: boolean | null;

  @View.texts('Reason codes, or reasons against the defence, that its result has among others.', {
    example: ['DICT_FRAUD_MARKERS'],
  })
  reasons: readonly string[];

  @View.enums(eventTypes, 'The events about it, in their order.') events: readonly string[];
  @View.textOrNull('What to do next.', { example: null }) then: string | null;

  static of(name: ScenarioName): ScenarioView {
    const { what, promises, events, then = null } = scenarioOf(name);
    return { name, what, reasons: [], ...promises, events, then };
  }
}

export class MagicDocumentView {
  @View.text('How the CPF begins.', { example: MAGIC_DOCUMENTS.PASS }) prefix: string;
  @View.text('What the checks of a session say of it, where no provider is configured.', {
    example: 'Every check passes.',
  })
  what: string;
}

const DOCUMENTS: readonly MagicDocumentView[] = [
  { prefix: MAGIC_DOCUMENTS.PASS, what: 'Every check passes.' },
  { prefix: MAGIC_DOCUMENTS.FAIL, what: 'The face is another person\u2019s, and a document is not genuine.' },
  { prefix: MAGIC_DOCUMENTS.AWAY, what: 'The provider of the checks does not answer.' },
];

export class ScenariosView {
  @View.list(ScenarioView, 'What can be named in a submission.') scenarios: readonly ScenarioView[];
  @View.list(MagicDocumentView, 'CPFs that decide how a session ends.')
  documents: readonly MagicDocumentView[];

  @View.text('What an endpoint has in its address whose first attempts are to fail, each with 500.', {
    example: '?sandboxFailures=1',
  })
  webhookFailures: string;

  @View.texts('What the organisation lacks of what the promises need.', { example: [] })
  missing: readonly string[];

  static of(missing: readonly string[]): ScenariosView {
    return {
      scenarios: scenarioNames.map((name) => ScenarioView.of(name)),
      documents: DOCUMENTS,
      webhookFailures: '?sandboxFailures=1',
      missing,
    };
  }
}
