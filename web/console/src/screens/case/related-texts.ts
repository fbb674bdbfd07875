import type { Catalogue } from '../../texts/language.js';

const pt = {
  title: 'Pagamentos em torno dos alertas',
  hint: 'Do cliente, de 24 horas antes do primeiro alerta a 24 horas depois do último. Não estão no caso, e quem comunica o conta por inteiro.',
  none: 'Todos os pagamentos em torno dos alertas estão no caso.',
  more: 'Há mais do que estes.',
  addAll: 'Acrescentar todos',
  added: 'Os pagamentos estão no caso.',
  reason: 'Para comunicar o caso com todos os pagamentos em torno dos alertas.',
  reasonHint: (reason: string) => `O caso guarda como motivo: “${reason}”`,
  without: 'Ou: por que ficam de fora',
};

const en: typeof pt = {
  title: 'Payments around the alerts',
  hint: 'Of the customer, from 24 hours before the first alert to 24 hours after the last one. They are not in the case, and a communication tells the whole of it.',
  none: 'Every payment around the alerts is in the case.',
  more: 'There are more than these.',
  addAll: 'Add all of them',
  added: 'The payments are in the case.',
  reason: 'To communicate the case with all payments around the alerts.',
  reasonHint: (reason) => `The case keeps as the reason: “${reason}”`,
  without: 'Or: why they stay out',
};

export const relatedTexts: Catalogue<typeof pt> = { pt, en };
