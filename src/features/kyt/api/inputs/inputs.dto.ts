import { Field, View } from '../../../../platform/http/index.js';
import { pick, publicId } from '../../../../platform/kernel/index.js';
import { inputNames } from '../../../../platform/kernel/reference/inputs.js';
import type { ApplicationInputs, InputReport } from '../../inputs/input-coverage.service.js';

export class InputsQuery {
  @Field.integer('Transactions that came in so many days until now.', {
    ...{ min: 1, max: 30, url: true, default: 7, optional: true },
  })
  days = 7;
}

class InputCoverageView {
  @View.enum(inputNames, 'The input.', { example: 'DICT' }) input: string;
  @View.flag('Whether the application has said that it does not send it.', { example: false }) said: boolean;
  @View.integer('Transactions in which it came, whole or in part.', { example: 0 }) came: number;
  @View.integer('Transactions for which a rule or the composition needed it in vain.', { example: 212 })
  lacked: number;
  @View.integer(
    'Transactions that go to REVIEW for want of this input alone; spared while the application has said that it does not send it.',
    { example: 80 },
  )
  costsInReview: number;
}

class ApplicationInputsView {
  @View.id('app', 'The id of the client application.') id: string;
  @View.text('What the application sends as x-client-id.', { example: 'app-5f0c2a4e2f0b4d7e9a55' })
  clientId: string;
  @View.text('The name of the client application.', { example: 'loja-checkout' }) name: string;
  @View.enums(inputNames, 'What it has said not to send.', { example: [] }) withoutInputs: readonly string[];
  @View.enums(inputNames, 'What came although it said so: it can take that out of the list.', { example: [] })
  richer: readonly string[];
  @View.integer('Transactions that were looked at: the newest, at most 300.', { example: 300 })
  transactions: number;
  @View.integer('Of these, in REVIEW by the rules of now.', { example: 84 }) inReview: number;
  @View.integer('In REVIEW if it said of all that did not come that it does not send it.', { example: 4 })
  inReviewIfAllSaid: number;
  @View.list(InputCoverageView, 'Each input.') inputs: readonly InputCoverageView[];

  static of({ application, richer, inputs, ...counts }: ApplicationInputs): ApplicationInputsView {
    const { id, clientId, name, withoutInputs } = application;
    return {
      ...{ id: publicId('app', id), clientId, name, withoutInputs, richer },
      ...pick(counts, 'transactions', 'inReview', 'inReviewIfAllSaid'),
      inputs: inputs.map((one) => ({ ...one, said: withoutInputs.includes(one.input) })),
    };
  }
}

class RulesOfInputView {
  @View.enum(inputNames, 'The input.', { example: 'DICT' }) input: string;
  @View.texts('The live rules that read it.', { example: ['BR-PIX-05'] }) rules: readonly string[];
}

export class InputReportView {
  @View.instant('Since when transactions are looked at.') since: string;
  @View.list(ApplicationInputsView, 'The applications that were used last, at most 20.')
  applications: readonly ApplicationInputsView[];
  @View.list(RulesOfInputView, 'By input what it is for: without it these rules can tell nothing.')
  rules: readonly RulesOfInputView[];

  static of({ since, applications, rules }: InputReport): InputReportView {
    return {
      since: since.toISOString(),
      applications: applications.map((one) => ApplicationInputsView.of(one)),
      rules: [...rules].map(([input, keys]) => ({ input, rules: keys })),
    };
  }
}
