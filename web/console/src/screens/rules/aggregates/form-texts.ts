import type { Catalogue } from '../../../texts/language.js';

const pt = {
  addAggregate: 'Incluir agregado',
  keepAggregate: 'Pôr na regra',
  aggregateName: 'Nome',
  aggregateNameHint: 'Como cashIn; na condição, aggregate.cashIn.',
  function: 'Conta',
  of: 'De quê',
  ofHint: 'De uma razão: os nomes de dois outros, como a / b.',
  percentile: 'Percentil (1 a 100)',
  events: 'Eventos no lugar de transações',
  eventsHint: 'Um ou mais, separados por vírgula:',
  by: 'De quem',
  byHint: 'Um campo personalizado que agrega é um também.',
  window: 'Janela',
  windowHint: '10m, 24h, 30d até 400d; day é o dia local, 5bd cinco dias úteis.',
  offset: 'Termina antes por',
  where: 'Só as que',
  whereHint: 'Como direction == "IN" && cash. Ctrl Espaço mostra o que se lê.',
  current: 'Conta a própria',
  withCurrent: 'sim',
  withoutCurrent: 'não',
};

const en: typeof pt = {
  addAggregate: 'Add an aggregate',
  keepAggregate: 'Put into the rule',
  aggregateName: 'Name',
  aggregateNameHint: 'Such as cashIn; aggregate.cashIn in the condition.',
  function: 'Figure',
  of: 'Of what',
  ofHint: 'Of a ratio: the names of two others, as a / b.',
  percentile: 'Percentile (1 to 100)',
  events: 'Events in the place of transactions',
  eventsHint: 'One or more, separated by commas:',
  by: 'Whose',
  byHint: 'A custom field with aggregates by it is one too.',
  window: 'Window',
  windowHint: '10m, 24h, 30d up to 400d; day is the local day, 5bd five business days.',
  offset: 'Ends earlier by',
  where: 'Only those that',
  whereHint: 'Such as direction == "IN" && cash. Ctrl Space shows what can be read.',
  current: 'Counts itself',
  withCurrent: 'yes',
  withoutCurrent: 'no',
};

export const formTexts: Catalogue<typeof pt> = { pt, en };
