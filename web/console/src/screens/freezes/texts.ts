import type { Catalogue } from '../../texts/language.js';

const pt = {
  title: 'Bloqueios',
  empty: [
    'Nenhum bloqueio',
    'Quando duas pessoas confirmam um apontamento de designação, os ativos ficam bloqueados, e as transações levam a marca. Aqui consta a quem foi comunicado, e pede-se o fim.',
  ] as readonly [string, string],
  hit: 'Apontamento',
  open: 'Abrir apontamento',
  customer: 'Cliente',
  outside: 'quem não é cliente',
  since: 'Desde',
  by: 'Por',
  told: 'Comunicado a',
  nobody: 'ninguém ainda',
  state: 'Estado',
  inForce: 'em vigor',
  lifted: (when: string) => `terminou ${when}`,
  tell: 'Registrar comunicação',
  tellHint: 'O serviço nada transmite: registre aqui o que você comunicou, com o número do protocolo.',
  whom: 'Autoridade',
  reference: 'Protocolo',
  toldAt: 'Quando foi avisado (hora de Brasília)',
  kept: 'Comunicação registrada.',
  lift: 'Pedir o fim',
  liftHint: 'O bloqueio termina quando outra pessoa aprovar: pela retirada da designação, ou por ordem.',
};

const en: typeof pt = {
  title: 'Freezes',
  empty: [
    'No freeze',
    'When two people confirm a hit on a designation, assets are frozen and transactions carry the mark. Here stands whom it was told to, and its end is asked for.',
  ],
  hit: 'Hit',
  open: 'Open the hit',
  customer: 'Customer',
  outside: 'somebody who is no customer',
  since: 'Since',
  by: 'By',
  told: 'Notified',
  nobody: 'nobody yet',
  state: 'State',
  inForce: 'in force',
  lifted: (when) => `ended ${when}`,
  tell: 'Record a notice',
  tellHint: 'The service transmits nothing: record here what you told them, with the number of its receipt.',
  whom: 'Authority',
  reference: 'Receipt number',
  toldAt: 'When it was told (time of Brasília)',
  kept: 'The notice is recorded.',
  lift: 'Ask for its end',
  liftHint: 'The freeze ends when another person approves: for a designation taken back, or by an order.',
};

export const freezesTexts: Catalogue<typeof pt> = { pt, en };
