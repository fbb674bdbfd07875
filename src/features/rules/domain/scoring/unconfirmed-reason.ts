import type { Localised } from '../../language/index.js';
import type { Reason } from './evaluate-rules.js';

const NAME: Localised = { 'pt-BR': 'Dado sem segunda pessoa', en: 'Fact without a second person' };
const MESSAGE: Localised = {
  'pt-BR':
    'Só uma pessoa responde por este dado, e por isso ele não conta a favor. Quem aprova decisões pode confirmá-lo.',
  en: 'One person alone stands behind this, so it does not count in favour. Whoever approves decisions may confirm it.',
};

/** Returns a reason without points for each fact that was left out because one operator alone stands behind it. */
export const unconfirmedReasons = (names: readonly string[]): Reason[] =>
  names.map((name) => ({
    ...{ ruleId: 'ONE_PERSON', version: 1, name: NAME, reasonCode: 'ONE_PERSON', severity: 'LOW' },
    ...{ points: 0, group: 'ONE_PERSON', observed: name, threshold: '', window: null, saturated: false },
    ...{ flags: [], message: MESSAGE, legalBasis: [] },
  }));
