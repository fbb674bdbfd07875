import type { Catalogue } from '../../../texts/language.js';

const pt = {
  aggregates: 'Agregados desta regra',
  aggregatesHint:
    'Contas sobre transações anteriores, feitas na hora de avaliar. A condição as lê como aggregate.NOME.',
  addAggregate: 'Incluir agregado',
  changeAggregate: 'Mudar',
  removeAggregate: 'Tirar',
};

const en: typeof pt = {
  aggregates: 'Aggregates of this rule',
  aggregatesHint:
    'Figures over earlier transactions, worked out when one is evaluated. The condition reads them as aggregate.NAME.',
  addAggregate: 'Add an aggregate',
  changeAggregate: 'Change',
  removeAggregate: 'Take out',
};

export const aggregatesTexts: Catalogue<typeof pt> = { pt, en };
