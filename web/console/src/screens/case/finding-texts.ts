import type { Catalogue } from '../../texts/language.js';

interface Span {
  readonly count: number;
  readonly total: string;
  readonly from: string;
  readonly to: string;
}

const period = (from: string, to: string, on: string, since: string, until: string): string =>
  from === to ? `${on} ${from}` : `${since} ${from} ${until} ${to}`;

const pt = {
  payments: ({ count, total, from }: Span) =>
    count === 1
      ? `1 operação de ${total}, em ${from}.`
      : `${count} operações, ${total} no total, desde ${from}.`,
  similar: (name: string, list: string) => `Nome parecido com ${name} (${list}).`,
  analysed: ({ count, total, from, to }: Span) =>
    count === 1
      ? `Foi analisada 1 operação de ${total}, em ${from}.`
      : `Foram analisadas ${count} operações, ${period(from, to, 'em', 'de', 'a')}, no total de ${total}.`,
  found: (sentence: string, count: number) => (count === 1 ? sentence : `${sentence} (${count} operações)`),
  nothingFound: 'Nenhuma regra apontou.',
  hit: {
    PENDING: (name: string, list: string) => `O nome parecido com ${name} (${list}) ainda não foi decidido.`,
    ESCALATED: (name: string, list: string) => `O nome parecido com ${name} (${list}) foi escalado.`,
    CONFIRMED: (name: string, list: string) => `É a pessoa da lista: ${name} (${list}).`,
    DISMISSED_FALSE_POSITIVE: (name: string, list: string) =>
      `O nome parecido com ${name} (${list}) foi examinado: não é a pessoa.`,
  },
  unseen: (list: string) => `Não foi possível verificar: ${list}.`,
  archived: {
    APPROVED: 'Analisado o conjunto, as operações são compatíveis com o perfil do cliente.',
    REJECTED:
      'Analisado o conjunto, as operações não são compatíveis com o perfil do cliente e são recusadas; não se viu o que se comunique ao COAF.',
    FALSE_POSITIVE: 'Analisado o conjunto, os apontamentos não se confirmam.',
  },
};

const en: typeof pt = {
  payments: ({ count, total, from }) =>
    count === 1
      ? `1 payment of ${total} on ${from}.`
      : `${count} payments, ${total} in total, since ${from}.`,
  similar: (name, list) => `A name similar to ${name} (${list}).`,
  analysed: ({ count, total, from, to }) =>
    count === 1
      ? `1 payment of ${total} on ${from} was analysed.`
      : `${count} payments ${period(from, to, 'on', 'from', 'to')} were analysed, ${total} in total.`,
  found: (sentence, count) => (count === 1 ? sentence : `${sentence} (${count} payments)`),
  nothingFound: 'No rule hit.',
  hit: {
    PENDING: (name, list) => `The name similar to ${name} (${list}) is not decided yet.`,
    ESCALATED: (name, list) => `The name similar to ${name} (${list}) was escalated.`,
    CONFIRMED: (name, list) => `It is the person on the list: ${name} (${list}).`,
    DISMISSED_FALSE_POSITIVE: (name, list) =>
      `The name similar to ${name} (${list}) was examined: it is not the person.`,
  },
  unseen: (list) => `Could not be checked: ${list}.`,
  archived: {
    APPROVED: 'As a whole, the payments fit the profile of the customer.',
    REJECTED:
      'As a whole, the payments do not fit the profile of the customer and are rejected; nothing was seen that COAF has to be told.',
    FALSE_POSITIVE: 'As a whole, the alerts do not hold.',
  },
};

export const findingTexts: Catalogue<typeof pt> = { pt, en };

/** The last sentence of what goes to COAF, which is Portuguese in every language of the screen. */
export const communicated = {
  APPROVED: 'Analisado o conjunto, as operações seguem, e o que nelas chama a atenção é comunicado ao COAF.',
  REJECTED:
    'Analisado o conjunto, as operações não são compatíveis com o perfil do cliente e são comunicadas ao COAF.',
  // Nobody communicates what does not hold.
  FALSE_POSITIVE: '',
} as const;
