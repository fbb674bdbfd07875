import type { Catalogue } from '../../texts/language.js';
import type { InputName } from './data.js';

type Pair = readonly [string, string];

const pt = {
  title: 'O que cada app envia',
  hint: 'Das transações mais recentes dos últimos sete dias, no máximo 300 por app, avaliadas pelas regras de agora. O que um app não envia pode ser dispensado: cada resultado cita o que não foi olhado.',
  empty: ['Nenhum app', 'Um app que envia transações aparece aqui com o que elas trazem.'] as Pair,
  app: 'App',
  came: 'O que veio',
  line: (input: string, came: string, lacked: string) => `${input}: veio em ${came}, faltou em ${lacked}`,
  leftOut: 'dispensado',
  richer: 'vem assim mesmo',
  review: 'Em revisão',
  of: (some: string, all: string) => `${some} de ${all}`,
  ifSaid: 'Em revisão sem o que falta',
  answer: 'Quatro perguntas',
  send: 'Enviar',
  sends: 'Sim, envia',
  sendsNot: 'Não envia',
  questions: {
    DICT: 'Envia as estatísticas do DICT com cada PIX que sai?',
    DEVICE: 'Envia o dispositivo e o endereço IP do cliente?',
    PROFILE: 'A renda ou o faturamento dos clientes está cadastrado?',
    COUNTERPARTY_DOCUMENT: 'Envia o CPF ou CNPJ da contraparte?',
  } as Readonly<Record<InputName, string>>,
  costs: (some: string, all: string) => `A falta, sozinha, põe ${some} de ${all} em revisão.`,
  spared: (some: string, all: string) => `Dispensado: a falta poria ${some} de ${all} em revisão.`,
  notMissed: (all: string) => `Não fez falta em nenhuma de ${all}.`,
  why: 'Motivo',
  asked: 'Pedido enviado. Outra pessoa precisa aprovar.',
  done: 'Feito.',
};

const en: typeof pt = {
  title: 'What each app sends',
  hint: 'Of the newest transactions of the last seven days, at most 300 of an app, judged by the rules of now. What an app does not send can be left out: each result names what was not looked at.',
  empty: ['No app', 'An app that sends transactions appears here with what they bring.'],
  app: 'App',
  came: 'What came',
  line: (input, came, lacked) => `${input}: came in ${came}, was missed in ${lacked}`,
  leftOut: 'left out',
  richer: 'comes all the same',
  review: 'In review',
  of: (some, all) => `${some} of ${all}`,
  ifSaid: 'In review without what is missing',
  answer: 'Four questions',
  send: 'Send',
  sends: 'Yes, it does',
  sendsNot: 'It does not',
  questions: {
    DICT: 'Does it send the statistics of DICT with each PIX that goes out?',
    DEVICE: 'Does it send the device and the IP address of the customer?',
    PROFILE: 'Is the income or revenue of customers on record?',
    COUNTERPARTY_DOCUMENT: 'Does it send the CPF or CNPJ of the other party?',
  },
  costs: (some, all) => `Its absence alone puts ${some} of ${all} in review.`,
  spared: (some, all) => `Left out: its absence would put ${some} of ${all} in review.`,
  notMissed: (all) => `Missed in none of ${all}.`,
  why: 'Reason',
  asked: 'Asked for. Somebody else has to approve it.',
  done: 'Done.',
};

export const inputsTexts: Catalogue<typeof pt> = { pt, en };
