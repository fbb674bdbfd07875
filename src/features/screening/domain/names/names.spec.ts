import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IndexBuilder } from '../search/index-builder.js';
import { parseNameQuery } from './name-query.js';
import { NameSearch, type NameMatch } from '../search/name-search.js';
import { normaliseName, classifyName, type NameKind } from './normalise.js';
import { foldKey } from './words/phonetic.js';
import { scoreNames } from './pair-scorer.js';
import { editCost } from './token-similarity.js';

const score = (left: string, right: string, kind: NameKind = 'PERSON'): number =>
  scoreNames(left, right, kind).score;

describe('A name is normalised', () => {
  it.each([
    ['José da Conceição', ['Njose', 'Pda', 'Nconceicao']],
    ['Dr. João Silva Filho', ['Tdr', 'Njoao', 'Nsilva', 'SJUNIOR']],
    ["D'Angelo, Maria", ['Ndangelo', 'Nmaria']],
    ['J.-C. Juncker', ['Ij', 'Ic', 'Njuncker']],
    ['AlisherUsmanov', ['Nalisher', 'Nusmanov']],
    ['Ronald McDonald', ['Nronald', 'Nmcdonald']],
    ['Ig0r Sech1n', ['Nigor', 'Nsechin']],
    ["'Abd al-Aziz al-Nuristani", ['Nabdul', 'Naziz', 'Pal', 'Nnuristani']],
    ['Сергей Лавров', ['Nsergey', 'Nlavrov']],
    ['習近平', ['Cxi0jj0', 'Cjin13uh', 'Cping0njj']],
    ['김정은', ['Kgim', 'Kjeong', 'Keun']],
    ['ConceiÃ§Ã£o JosÃ©', ['Nconceicao', 'Njose']],
    ['Jоsé Silvа', ['Njose', 'Nsilva']],
    ['Ana King Souza', ['Nana', 'Nking', 'Nsouza']],
    ['贝拉克·奥巴马', ['Hbeilake', 'Haobama']],
    ['محمد بن سلمان', ['Amhmd', 'Pbin', 'Aslman']],
    ['Sergey Sergey Shoigu', ['Nsergey', 'Nsergey', 'Nshoigu']],
    ['Wang Wang', ['Nwang', 'Nwang']],
  ])('%s', (raw, keys) => {
    expect(normaliseName(raw, 'PERSON')).toEqual(keys);
  });

  it.each([
    ['Siemens Aktiengesellschaft', ['Nsiemens', 'Lag']],
    ['Siemens Aktiengeselschaft', ['Nsiemens', 'Lag']],
    ['OAO Gazprom', ['Ljsc', 'Ngazprom']],
    ['Gazprom Open Joint Stock Company', ['Ngazprom', 'Ljsc']],
    ['L.X.C. Aviation', ['Nlxc', 'Gaviation']],
    ['Brigade Forty-Four', ['Nbrigade', 'D44']],
    ['1st International Bank', ['D1', 'Ginternational', 'Gbank']],
  ])('%s', (raw, keys) => {
    expect(normaliseName(raw, 'ORGANISATION')).toEqual(keys);
  });

  it('of unknown kind as an organisation only when a word of it says so', () => {
    expect(classifyName('Padaria Exemplo Ltda', 'UNKNOWN')).toBe('ORGANISATION');
    expect(classifyName('Banco Exemplo', 'UNKNOWN')).toBe('PERSON');
    expect(classifyName('Estácio de Sá', 'UNKNOWN')).toBe('PERSON');
  });

  it('the same way whatever its case, accents and spaces', () => {
    const words = fc.constantFrom(
      'João',
      'Conceição',
      'Müller',
      'Zoë',
      'Núñez',
      'Ångström',
      'Santos',
      'Ávila',
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 2, maxLength: 5 }), (parts) => {
        const plain = parts.join(' ');
        const changed = ` ${parts.join('   ').toUpperCase().normalize('NFD')} `;
        expect(normaliseName(changed, 'PERSON')).toEqual(normaliseName(plain, 'PERSON'));
      }),
    );
  });

  it('without failing, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom('PERSON', 'ORGANISATION', 'UNKNOWN'),
        (raw, kind) => {
          expect(Array.isArray(normaliseName(raw, kind))).toBe(true);
        },
      ),
    );
  });
});

describe('The sound of a token', () => {
  it.each([
    ['rafael', 'raphael'],
    ['souza', 'sousa'],
    ['wagner', 'vagner'],
    ['thiago', 'tiago'],
    ['batista', 'baptista'],
    ['jefferson', 'jeferson'],
    ['campos', 'canpos'],
    ['sergej', 'sergey'],
    ['vitor', 'victor'],
  ])('of %s is that of %s', (one, other) => {
    expect(foldKey(one)).toBe(foldKey(other));
  });

  it.each([
    ['silva', 'salva'],
    ['carlos', 'marcos'],
    ['ana', 'ada'],
  ])('of %s is not that of %s', (one, other) => {
    expect(foldKey(one)).not.toBe(foldKey(other));
  });
});

describe('The cost of edits', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcehilmnorst'), minLength: 1, maxLength: 12 });

  it('is nothing for equal words, the same both ways, and never more than the longer word', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(editCost(one, one, 10)).toBe(0);
        const there = editCost(one, other, 100);
        expect(there).toBeCloseTo(editCost(other, one, 100), 9);
        expect(there > 0).toBe(one !== other);
        expect(there).toBeLessThanOrEqual(1.5 * Math.max(one.length, other.length) + 0.5);
      }),
    );
  });

  it('does not depend on the limit, as long as it stays below', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const cost = editCost(one, other, 100);
        const limited = editCost(one, other, 2);
        if (cost <= 2) expect(limited).toBeCloseTo(cost, 9);
        else expect(limited).toBeGreaterThan(2);
      }),
    );
  });
});

describe('Two names of one person', () => {
  it.each([
    ['João Pedro da Silva', 'SILVA, Joao Pedro'],
    ['Luiz Inácio Souza', 'Luis Inacio Sousa'],
    ['Mohammed bin Salman', 'Muhammad Salman'],
    ['Usāma bin Muhammad ibn Awad ibn Lādin', 'Osama bin Laden'],
    ['Volodymyr Zelenskyy', 'Володимир Зеленський'],
    ['Maria Aparecida dos Santos', 'Maria A. Santos'],
    ['Friedrich Buchenberg', 'FridrichBuchenberg'],
    ['Nikolai Patrushev', 'Nikolai Patr ushev'],
    ['Benjamin Netanyahu', 'Bibi Netanyahu'],
    ['Jean-Claude Juncker', 'JC Juncker'],
    ['Recep Tayyip Erdoğan', 'Mr. Recep Tayyip Erdogan'],
    ['Müller Hans', 'Hans Mueller'],
    ['محمد بن سلمان', 'Mohammed bin Salman'],
    ['Diyab AL-SHAYKH', 'AL-SHAYKH, Diyab'],
    ['José Mª Aznar López', 'Jose Maria Aznar Lopez'],
    ['Maria Aparecida da Silva', 'Maria Ap. da Silva'],
    ['Francisco das Chagas Pereira Neto', 'Fco das Chagas Pereira Neto'],
    ['Thiago Henrique Wanderley', 'Tiago Henrique Vanderlei'],
    ['Mustapha Kamel Mustapha', 'Kamelmustapha Mustapha'],
    ['PAGAMENTO REF Zeferino Quintanilha CONTA 12', 'Zeferino Quintanilha'],
    ['Zeferino Quintanilha e Ana Bragantim', 'Zeferino Quintanilha'],
    ['Ana Bragantim & Zeferino Quintanilha', 'Zeferino Quintanilha'],
    ['习近平', "Hsi Chin-p'ing"],
    ['Xi Jinping', 'Hsi Chin-p’ing'],
    ['정영철', 'Chung Young-chul'],
    ['박성민', 'Park Sung Min'],
    ['إبراهيم النعيمي', 'Ibrahim al-Nuaimi'],
    ['Paulinho Quintanilha Bragantim', 'Paulo Quintanilha Bragantim'],
    ['Seb. Quintanilha Bragantim', 'Sebastião Quintanilha Bragantim'],
  ])('%s and %s score at least 0.70', (one, other) => {
    expect(score(one, other)).toBeGreaterThanOrEqual(0.7);
  });
});

describe('Two persons', () => {
  it.each([
    ['Ihab Makhlouf', 'Rami Makhlouf'],
    ['Sergey Ivanovich Lavrov', 'Sergey Viktorovich Lavrov'],
    ['William G. Frost', 'William W. Frost'],
    ['João da Silva Filho', 'João da Silva Neto'],
    ['Paulo Roberto Lima Prado Filho', 'Paulo Roberto Lima Prado Neto'],
    ['Fernando Souza Lima', 'Fernanda Souza Lima'],
    ['Carlos Alberto Pereira', 'Carlos Roberto Pereira'],
    ['Rita de Cássia Moreira', 'Rita de Cássia Pereira'],
    ['Zhang Min', 'Zhang Ming'],
    ['Kim Jong Un', 'Kim Jong Il'],
    ['Ji Sang Jun', 'Ji Sang Min'],
    ['Michelle Obama', 'Barack Obama'],
    ['Lars Friedrich Lindemann', 'Friedrich Buchenberg'],
    ['N. N.', 'Nursultan Nazarbayev'],
    ['Maria', 'Maria Aparecida dos Santos Oliveira'],
    ['Ana Quintanilha Quintanilha', 'Ana Bragantim Quintanilha'],
    ['João Bragantim e Maria Quintanilha', 'João Quintanilha'],
    ['Khalid Yusuf al-Duri', 'Yusuf Khalid al-Duri'],
    ['Quintanilha Bragantim Filho, João', 'João Quintanilha Bragantim Neto'],
    ['王建国', '王建华'],
    ['김영철', 'Kim Yong-su'],
    ['Karl Ivanov Wolski', 'Karl Ivanova Wolski'],
    ['Helena Pontual Morris', 'Helena Pontual Norris'],
  ])('%s and %s score less than 0.70', (one, other) => {
    expect(score(one, other)).toBeLessThan(0.7);
  });
});

describe('Organisations', () => {
  it.each([
    ['Siemens AG', 'Siemens Aktiengesellschaft', true],
    ['OAO Gazprom', 'Gasprom JSC', true],
    ['Al Qaeda', "Al-Qa'ida/Islamic Army", true],
    ['PLA', 'People’s Liberation Army', true],
    ['Brigade Fourty-four', 'Brigade 44', true],
    ['BAE Systems, Inc.', 'BWI Systems, Inc.', false],
    ['Government of Estonia', 'Government of Ethiopia', false],
    ['Deutsche Bank AG', 'Deutsche Bank GmbH', false],
    ['Management Company', 'Westminster Management Company', false],
    ['Exemplo Calçados EIRELI', 'Exemplo Calçados LTDA', true],
    ['Exemplo Calçados S/S', 'Exemplo Calçados Sociedade Simples', true],
    ['Bragantim Ind. e Com. Ltda - ME', 'Bragantim Indústria e Comércio LTDA', true],
    ['Bragantim Comércio de Calçados Ltda', 'Quintanilha Comércio de Calçados Ltda', false],
  ])('%s and %s: the same is %s', (one, other, same) => {
    expect(score(one, other, 'ORGANISATION') >= 0.7).toBe(same);
  });
});

describe('A score', () => {
  const given = fc.constantFrom(
    'Maria',
    'José',
    'Ahmed',
    'Sergey',
    'Wei',
    'Ana',
    'Juan',
    'Olga',
    'Fatima',
    'Pedro',
  );
  const family = fc.constantFrom(
    'Silva',
    'Haddad',
    'Ivanov',
    'Zhang',
    'García',
    'Lima',
    'Khoury',
    'Petrov',
    'Rocha',
  );
  const name = fc
    .tuple(fc.array(given, { minLength: 1, maxLength: 2 }), fc.array(family, { minLength: 1, maxLength: 2 }))
    .map(([first, last]) => [...first, ...last].join(' '));

  it('is between 0 and 1, the same both ways, and 1 for the same name', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const there = score(one, other);
        expect(there).toBeGreaterThanOrEqual(0);
        expect(there).toBeLessThanOrEqual(1);
        expect(there).toBeCloseTo(score(other, one), 9);
        expect(score(one, one)).toBe(1);
      }),
    );
  });

  it('of two syllables stays evidence when something is missing, and is 1 when they are all there is', () => {
    expect(score('Zhang Wei', 'Zhang Fu Wei')).toBeLessThan(0.85);
    expect(score('Zhang Wei', 'Wei Zhang')).toBe(1);
    expect(score('张伟', 'Zhang Wei')).toBeLessThan(0.85);
  });

  it('takes a name said twice for a name said once', () => {
    expect(score('Sergey Sergey Shoigu', 'Sergey Shoigu')).toBe(1);
  });

  it('comes with an alignment in which every word is accounted for', () => {
    const { alignment } = scoreNames('Maria José dos Santos Lima', 'Santos, Marria J.', 'PERSON');
    const words = alignment.flatMap(({ left }) => left?.split(' ') ?? []);
    expect(new Set(words)).toEqual(new Set(['maria', 'jose', 'santos', 'lima']));
    expect(alignment.find(({ left }) => left === 'maria')).toMatchObject({
      right: 'marria',
      how: 'PHONETIC',
    });
    expect(alignment.find(({ left }) => left === 'jose')).toMatchObject({ right: 'j', how: 'INITIAL' });
    expect(alignment.find(({ left }) => left === 'lima')).toMatchObject({ right: null, how: 'MISSING' });
  });

  it('does not fall when a word that the other has as well is added on both sides', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(score(`${one} Quintanilha`, `${other} Quintanilha`)).toBeGreaterThanOrEqual(
          score(one, other) - 1e-9,
        );
      }),
    );
  });
});

const NAMES = [
  'Maria Aparecida dos Santos',
  'José Carlos Pereira da Silva',
  'João da Silva',
  'Mohammed Abdul Rahman al-Tikriti',
  'Sergey Viktorovich Lavrov',
  'Zhang Xiaoming',
  'Владимир Кузнецов',
  'محمد بن سلمان',
  'Ana Beatriz Vasconcelos',
  'Hannibal',
  'Friedrich Buchenberg',
  'Raphael Baptista',
  'Jean-Claude Juncker',
  'Maria Aparecida dos Santos',
];

describe('The index', () => {
  const builder = new IndexBuilder();
  NAMES.forEach((name, entry) => {
    builder.add(name, 'PERSON', entry);
  });
  const search = new NameSearch(builder.build());
  const find = (raw: string, threshold = 0.75): NameMatch[] => [
    ...search.search(parseNameQuery(raw, 'PERSON'), { threshold, limit: 10 }).matches,
  ];
  const entriesOf = (raw: string): number[] => find(raw).flatMap(({ name }) => [...search.bearersOf(name)]);

  it.each([
    ['maria aparecida santos', 0],
    ['SANTOS, Maria A.', 0],
    ['Jose C. Pereira Silva', 1],
    ['Mohamed Abdulrahman Tikriti', 3],
    ['Sergei Lavrov', 4],
    ['Сергей Лавров', 4],
    ['Zhang Xiao Ming', 5],
    ['Vladimir Kuznetsov', 6],
    ['Mohammed bin Salman', 7],
    ['Ana Beatris Vasconselos', 8],
    ['Hannibal', 9],
    ['FriedrichBuchenberg', 10],
    ['Friedrich Buchen berg', 10],
    ['Rafael Batista', 11],
    ['Dr. Jean Claude Juncker', 12],
  ])('finds %s', (raw, entry) => {
    expect(entriesOf(raw)).toContain(entry);
  });

  it('gives the score that the pair scorer gives, and leaves out what is below the threshold', () => {
    for (const { name, pair } of find('Maria Aparecida Santos', 0.6)) {
      const own = NAMES[search.bearersOf(name)[0] ?? -1] ?? '';
      expect(pair.score).toBeCloseTo(score('Maria Aparecida Santos', own), 9);
      expect(pair.score).toBeGreaterThanOrEqual(0.6);
    }
    expect(find('Wolfgang Amadeus Mozart', 0.5)).toEqual([]);
  });

  it('keeps one name for all who bear it', () => {
    expect(entriesOf('Maria Aparecida dos Santos')).toEqual([0, 13]);
    expect(search.names).toBe(NAMES.length - 1);
  });

  it('answers the same question the same way again', () => {
    const scores = (): unknown[] =>
      find('Jose Pereira Silva', 0.5).map(({ name, pair }) => [name, pair.score]);
    const first = scores();
    find('Zhang Xiaoming', 0.5);
    expect(scores()).toEqual(first);
  });

  it('finds nothing among no names, and nothing for no name', () => {
    const none = new NameSearch(new IndexBuilder().build());
    expect([...none.search(parseNameQuery('Maria', 'PERSON'), { threshold: 0, limit: 5 }).matches]).toEqual(
      [],
    );
    expect(find('')).toEqual([]);
    expect(find('...')).toEqual([]);
  });

  it('finds every name of a list under one slip of the pen', () => {
    const long = NAMES.flatMap((name, entry) =>
      name.split(' ').length > 1 && /^[A-Za-zãéô -]+$/.test(name) ? [{ name, entry }] : [],
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...long),
        fc.nat(),
        fc.constantFrom(...'aeiouhlnrst'),
        ({ name, entry }, at, letter) => {
          const words = name.split(' ');
          const i = words.findIndex((word) => word.length >= 6);
          const word = words[i];
          if (word === undefined) return;
          const place = 1 + (at % (word.length - 1));
          words[i] = word.slice(0, place) + letter + word.slice(place);
          expect(entriesOf(words.join(' '))).toContain(entry);
        },
      ),
    );
  });
});
