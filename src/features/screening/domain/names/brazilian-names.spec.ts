import { describe, expect, it } from '@jest/globals';
import { brazilianPairs } from '../../../../../test/bench/screening/brazil.mjs';
import { IndexBuilder } from '../search/index-builder.js';
import { NameSearch } from '../search/name-search.js';
import { parseNameQuery } from './name-query.js';
import { scoreNames } from './pair-scorer.js';
import { familyNames, givenNames } from './words/names-in-use.js';
import { foldKey } from './words/phonetic.js';
import { spellings } from './words/vocabulary.js';

const isOneName = (one: string, other: string): boolean =>
  foldKey(one) === foldKey(other) ||
  (spellings.get(one) ?? []).some((group) => spellings.get(other)?.includes(group) === true);

const pairs = brazilianPairs(3, 60, {
  given: [...givenNames].sort(),
  family: [...familyNames].sort(),
  isOneName,
}).map((pair) => ({ ...pair, score: scoreNames(pair.one, pair.two, pair.kind).score }));

describe('pairs made by rule from the tables of names in use', () => {
  it.each([...new Set(pairs.map(({ family }) => family))])('%s', (family) => {
    const own = pairs.filter((pair) => pair.family === family);
    expect(own.length).toBeGreaterThanOrEqual(50);
    expect(
      own.filter(({ score, match }) => score >= 0.8 === match).length / own.length,
    ).toBeGreaterThanOrEqual(0.92);
  });

  it.each([0.8, 0.85])('at %d: precision 0.97, recall 0.95', (threshold) => {
    const found = pairs.filter(({ score }) => score >= threshold);
    const right = found.filter(({ match }) => match).length;
    expect(right / found.length).toBeGreaterThanOrEqual(0.97);
    expect(right / pairs.filter(({ match }) => match).length).toBeGreaterThanOrEqual(0.95);
  });
});

const score = (one: string, two: string, kind: 'PERSON' | 'ORGANISATION' | 'UNKNOWN' = 'PERSON'): number =>
  scoreNames(one, two, kind).score;

describe('one and the same', () => {
  it.each([
    ['MOURA JUNIOR, CELSO', 'Celso Moura Júnior'],
    ['MOURA JUNIOR, CELSO', 'Celso Moura'],
    ['Nandinho Quintanilha Bragantim', 'Fernando Quintanilha Bragantim'],
    ['Marcão Quintanilha Bragantim', 'Marcos Quintanilha Bragantim'],
    ['Rafa Quintanilha Bragantim', 'Rafael Quintanilha Bragantim'],
    ['Ana Bragan. Quintanilha', 'Ana Bragantim Quintanilha'],
    ['Ana M. Bragan. Quintanilha', 'Ana Maria Bragantim Quintanilha'],
    ['Mohd. Quintanilha Bragantim', 'Muhammad Quintanilha Bragantim'],
    ['PIX PAGAMENTO José da Silva ref. aluguel 1234', 'José da Silva'],
  ])('%s and %s', (one, two) => {
    expect(score(one, two)).toBeGreaterThanOrEqual(0.85);
  });

  it.each([
    ['Padaria S. José Ltda', 'Padaria São José Ltda'],
    ['Drogaria N. Sra. Aparecida Ltda', 'Drogaria Nossa Senhora Aparecida Ltda'],
    ['Bragantim Distrib. de Mater. Ltda', 'Bragantim Distribuidora de Materiais Ltda'],
    ['Bragantim Comércio Ltda - Mercado Quintanilha', 'Mercado Quintanilha'],
    ['Bragantim Comércio Ltda - Mercado Quintanilha', 'Bragantim Comércio Ltda'],
    ['Fundo Bragantim III', 'Fundo Bragantim 3'],
    ['Hezbolá', 'HIZBALLAH'],
    ['Rashedun', 'RASHIDAN'],
    ['Talibã', 'TALEBAN'],
  ])('the organisation %s and %s', (one, two) => {
    expect(score(one, two, 'ORGANISATION')).toBeGreaterThanOrEqual(0.85);
  });
});

describe('two that are not one', () => {
  it.each([
    ['ROCHA NETO, PAULO CESAR', 'Paulo Cesar Rocha Filho'],
    ['Ana Marinho Quintanilha', 'Ana Martinho Quintanilha'],
    ['Rafa Quintanilha Bragantim', 'Raimundo Quintanilha Bragantim'],
    ['Celinha Quintanilha Bragantim', 'Marcelo Quintanilha Bragantim'],
    ['Ana Bragan. Quintanilha', 'Ana Taborda Quintanilha'],
    ['PIX PAGAMENTO José da Silva', 'João da Silva'],
  ])('%s and %s', (one, two) => {
    expect(score(one, two)).toBeLessThan(0.8);
  });

  it.each([
    ['Fundo Imobiliário Bragantim Quintanilha II', 'Fundo Imobiliário Bragantim Quintanilha III'],
    ['Drogaria Bragantim Quintanilha Loja 2 Ltda', 'Drogaria Bragantim Quintanilha Loja 12 Ltda'],
    ['Distribuidora Bragantim de Alimentos Leste Ltda', 'Distribuidora Bragantim de Alimentos Oeste Ltda'],
    ['Padaria S. José Ltda', 'Padaria São João Ltda'],
    ['Bragantim Comércio Ltda - Mercado Quintanilha', 'Mercado Taborda'],
    ['Qasiman', 'Tabiman'],
  ])('the organisation %s and %s', (one, two) => {
    expect(score(one, two, 'ORGANISATION')).toBeLessThan(0.8);
  });
});

describe('a listed person in the name of a company', () => {
  const builder = new IndexBuilder();
  builder.add('SILVA, José Antônio da', 'PERSON', 0);
  builder.add('Zeferino Quintanilha', 'PERSON', 1);
  const search = new NameSearch(builder.build());
  const find = (raw: string): number[] =>
    [...search.search(parseNameQuery(raw, 'ORGANISATION'), { threshold: 0.85, limit: 5 }).matches].map(
      ({ name }) => name,
    );

  it.each([
    ['Mercearia José Antônio da Silva Ltda', 0],
    ['José Antônio da Silva Comércio de Calçados ME', 0],
    ['Zeferino Quintanilha Transportes EIRELI', 1],
    ['Oficina Zeferino Quintanilha 2 Ltda', 1],
  ])('is found in %s', (raw, name) => {
    expect(find(raw)).toEqual([name]);
  });

  it.each(['Mercearia José da Silva Ltda', 'Quintanilha Transportes Ltda'])('is not found in %s', (raw) => {
    expect(find(raw)).toEqual([]);
  });
});
