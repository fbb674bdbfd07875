import type { Catalogue } from '../../texts/language.js';

const pt = {
  title: 'Mensagens mortas',
  tabs: { waiting: 'Paradas', discarded: 'Descartadas' },
  list: 'Transações que não puderam ser avaliadas, a mais antiga primeiro',
  empty: 'Nenhuma mensagem morta',
  emptyText:
    'Uma transação que falha cinco vezes para aqui. Ela está guardada: nada se perde, e depois do conserto volta à fila.',
  emptyDiscarded: 'Nada foi descartado',
  number: 'Transação',
  what: 'Valor, tipo e partes',
  failure: 'Falha',
  attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
  received: 'Recebida',
  replay: 'Pôr na fila de novo',
  replayed: 'De volta à fila.',
  discard: 'Descartar',
  discardHint: 'Outra pessoa precisa aprovar. A transação fica guardada, mas nunca será avaliada.',
  asked: 'Pedido enviado. Outra pessoa precisa aprovar.',
  why: 'Motivo',
  generation: (count: number) => `${count}ª vez`,
};

const en: typeof pt = {
  title: 'Dead letters',
  tabs: { waiting: 'Stopped', discarded: 'Discarded' },
  list: 'Transactions that could not be evaluated, the oldest first',
  empty: 'No dead letter',
  emptyText:
    'A transaction that fails five times stops here. It is stored: nothing is lost, and after the repair it goes back to the queue.',
  emptyDiscarded: 'Nothing has been discarded',
  number: 'Transaction',
  what: 'Amount, type and parties',
  failure: 'Failure',
  attempts: (count) => (count === 1 ? '1 attempt' : `${count} attempts`),
  received: 'Received',
  replay: 'Queue again',
  replayed: 'Back in the queue.',
  discard: 'Discard',
  discardHint: 'Another person has to approve. The transaction stays stored, but is never evaluated.',
  asked: 'Request sent. Another person has to approve it.',
  why: 'Reason',
  generation: (count) => `round ${count}`,
};

export const deadLettersTexts: Catalogue<typeof pt> = { pt, en };
