import type { Catalogue } from '../../texts/language.js';

const pt = {
  title: 'Acrescentado ao caso',
  addTransactions: 'Acrescentar transações',
  addPeople: 'Acrescentar pessoas',
  addPeopleHint: 'Ficam no caso; a decisão dele não muda nada sobre elas.',
  split: 'Dividir o caso',
  splitHint:
    'O que for marcado vira um caso próprio, com o mesmo cliente, dono e prazos. Juntar de novo desfaz.',
  add: 'Acrescentar',
  added: 'Acrescentado.',
  takeOut: 'Retirar',
  out: 'Retirado.',
  apart: 'Este é o caso novo.',
  ofTheCustomer: 'Transações deste cliente',
  otherIds: 'Números de outras transações',
  otherIdsHint: 'Um por linha, como txn_0193…; são transações de quem mais participa.',
  find: 'Procurar uma pessoa',
  findHint: 'Nome, documento inteiro ou número de cliente.',
  people: 'Pessoas',
  nobody: 'Ninguém com este nome, documento ou número.',
  transactions: 'Transações que saem',
  hits: 'Nomes em listas que saem',
};

const en: typeof pt = {
  title: 'Added to the case',
  addTransactions: 'Add transactions',
  addPeople: 'Add people',
  addPeopleHint: 'They stand in the case; its decision changes nothing about them.',
  split: 'Split the case',
  splitHint:
    'What is marked becomes a case of its own, with the same customer, owner and deadlines. Merging undoes it.',
  add: 'Add',
  added: 'Added.',
  takeOut: 'Take out',
  out: 'Taken out.',
  apart: 'This is the new case.',
  ofTheCustomer: 'Transactions of this customer',
  otherIds: 'Ids of other transactions',
  otherIdsHint: 'One a line, as txn_0193…; transactions of others who take part.',
  find: 'Find a person',
  findHint: 'Name, whole document or customer id.',
  people: 'People',
  nobody: 'Nobody with this name, document or id.',
  transactions: 'Transactions that leave',
  hits: 'Names on lists that leave',
};

export const belongsTexts: Catalogue<typeof pt> = { pt, en };
