import type { Catalogue } from '../../../texts/language.js';

const pt = {
  title: 'Regras silenciadas',
  empty: [
    'Nenhuma regra em silêncio',
    'Uma regra que apita por motivo conhecido pode calar por até 30 dias: o que aponta fica registrado, sem pontos e sem efeito.',
  ] as readonly [string, string],
  rule: 'Regra',
  state: 'Estado',
  by: 'Por',
  until: (when: string) => `calada até ${when}`,
  over: (when: string) => `voltou ${when}`,
  ask: 'Silenciar regra',
  askHint:
    'Cala quando outra pessoa aprovar. Regras obrigatórias não se calam; o que durar mais é uma nova versão.',
  lastDay: 'Até o fim do dia',
  lastDayHint: 'Dentro de 30 dias.',
  lift: 'Reativar',
  lifted: 'A regra vale de novo.',
};

const en: typeof pt = {
  title: 'Snoozed rules',
  empty: [
    'No rule is silent',
    'A rule that hits for a known reason can be silent for up to 30 days: its hits are recorded, without points and without effect.',
  ],
  rule: 'Rule',
  state: 'State',
  by: 'By',
  until: (when) => `silent until ${when}`,
  over: (when) => `back ${when}`,
  ask: 'Snooze a rule',
  askHint:
    'Silent when another person approves. Mandatory rules are never silent; what lasts longer is a new version.',
  lastDay: 'Until the end of the day',
  lastDayHint: 'Within 30 days.',
  lift: 'End the snooze',
  lifted: 'The rule counts again.',
};

export const snoozesTexts: Catalogue<typeof pt> = { pt, en };
