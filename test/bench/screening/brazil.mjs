/**
 * Pairs of names as Brazil writes them, made by rule from the tables of names in use: each kind makes a pair and says
 * whether the two are one. Nothing here comes from labelled data, and no rule of the scorer is called. A third of the
 * pairs (`held`) is for looking at the end only.
 */
import { seeded } from './names.mjs';

const list = (text) => text.trim().split(/\s+/);
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const VOWEL = /[aeiou]/;

const trades = list(
  'Padaria Mercearia Farmacia Oficina Livraria Papelaria Lanchonete Panificadora Drogaria Marcenaria Churrascaria Floricultura Otica Sapataria Sorveteria Barbearia',
);
// What the names of Brazilian companies consist of, of six letters or more.
const goods = list(
  'Alimentos Bebidas Calcados Tecidos Ferragens Madeiras Moveis Cosmeticos Brinquedos Embalagens Ferramentas Medicamentos Eletronicos Hortifrutigranjeiros Cereais Laticinios Confeccoes Automoveis Combustiveis Fertilizantes',
);
const branches = list(
  'Distribuidora Comercio Industria Transportes Construtora Engenharia Consultoria Manutencao Informatica Agropecuaria Laboratorio Materiais Equipamentos Produtos Empreendimentos Participacoes Administradora Incorporadora Representacoes Telecomunicacoes Refrigeracao Contabilidade Corretora Metalurgica',
);
const saints = list(
  'Jose Antonio Sebastiao Judas Francisco Pedro Joao Cristovao Benedito Expedito Onofre Miguel Rafael Gabriel Bento Geraldo Camilo Vicente Roque Lucas',
);
const saintesses = list(
  'Rita Luzia Barbara Clara Edwiges Terezinha Cecilia Catarina Marta Monica Helena Isabel',
);
const ladies = list('Aparecida Fatima Lourdes Gloria Penha Nazare Conceicao Graca Guadalupe');
const brands = list(
  'Bom Preco Alegria Sabor Rei Estrela Nova Era Ponto Certo Boa Vista Primavera Aurora Progresso Vitrine Horizonte Fenix Colina Mirante Pioneiro',
);
// Roots of Arabic names of groups, with the vowels of the usual English transliteration.
const roots = list(
  'hizbullah jundullah ansarullah saifullah nusrah furqan tawhid rashidin mujahidin muhajirun murabitun mulathamin shabab zinki khalifa ghuraba bunyan sudur liwaa fursan qassam mahdi badriyya zaynabiyun fatimiyun hashd sahwa nujaba ridwan quwwat haqqani jabbarin',
);
const compass = ['Norte', 'Sul', 'Leste', 'Oeste', 'Nordeste', 'Sudeste', 'Noroeste', 'Sudoeste'];
const roman = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
// Filho and Junior are one generation, so one of them is enough.
const generations = list('FILHO NETO SOBRINHO BISNETO');

/** Before `i` and `e`, `c` is written `qu` and `g` `gu`; `ç` and `z` have no form of their own in ASCII. */
const beforeI = (stem) => stem.replace(/c$/, 'qu').replace(/g$/, 'gu');

/** Paulo, Paulinho; Joao, Joaozinho; Raquel, Raquelzinha. */
function diminutiveOf(name, female) {
  const ending = female ? 'a' : 'o';
  if (/(?:ao|e|[lrnzm])$/.test(name) && !/(?:que|gue|te|ne|ce|le|se|me|de)$/.test(name)) {
    return `${name.replace(/m$/, 'n')}zinh${ending}`;
  }
  const stem = name.replace(/(?:ia|io|ea|eo|[aeo]s?)$/, '');
  return `${beforeI(stem)}inh${ending}`;
}
const augmentativeOf = (name) => `${name.replace(/(?:io|[aeo]s?)$/, '')}ao`;

/** The beginning of a name up to its second vowel, or its first closed syllable: Rafa, Gabi, Fer. */
function beginningsOf(name) {
  const found = [];
  const second = /^[^aeiou]*[aeiou]+[^aeiou][aeiou]/.exec(name)?.[0];
  if (second && name.length - second.length >= 2) found.push(second);
  const closed = /^[^aeiou]{1,2}[aeiou][rnlst](?=[^aeiou])/.exec(name)?.[0];
  if (closed && name.length - closed.length >= 3) found.push(closed);
  return found.filter((text) => text.length >= 3);
}

/** The word cut before a vowel, with a full stop: Rodr., Sebast. */
function abbreviationOf(random, word) {
  const cuts = [];
  for (let at = 3; at <= Math.min(6, word.length - 3); at += 1) {
    if (VOWEL.test(word.charAt(at)) && !VOWEL.test(word.charAt(at - 1))) cuts.push(at);
  }
  return cuts.length === 0 ? null : `${word.slice(0, random.pick(cuts))}.`;
}

/** Writes the vowels of an Arabic word in another way. */
function otherVowels(random, word) {
  const changes = [
    [/u/g, 'o'],
    [/i/g, 'e'],
    [/u/, 'o'],
    [/i(?!y)/, 'e'],
    [/ah$/, 'a'],
    [/aa/, 'a'],
    [/y/g, 'i'],
    [/ll/, 'l'],
    [/a(?=n$)/, 'e'],
    [/a(?=b$)/, 'aa'],
    [/a(?=[^aeiou]*a)/, 'e'],
  ].filter(([from]) => from.test(word));
  if (changes.length === 0) return word;
  const [from, to] = random.pick(changes);
  const once = word.replace(from, to);
  const again = random.pick(changes);
  return random.next() < 0.5 ? once : once.replace(again[0], again[1]);
}

const person = (one, two, match) => ({ one, two, kind: 'PERSON', match });
const firm = (one, two, match) => ({ one, two, kind: 'ORGANISATION', match });

/** Each kind makes one pair from the tables: `given` and `family` are lists of names, `random` draws. */
export const brazilianFamilies = {
  'a diminutive by rule': ({ random, first, family, two }) => {
    const name = first((text) => /[oa]s?$|ao$|[lr]$/.test(text) && text.length >= 4);
    const rest = two(family);
    return person(
      `${capital(diminutiveOf(name, name.endsWith('a')))} ${rest}`,
      `${capital(name)} ${rest}`,
      true,
    );
  },
  'an augmentative': ({ first, family, two }) => {
    const name = first((text) => /[^aeiou][oe]s?$/.test(text) && text.length >= 5);
    const rest = two(family);
    return person(`${capital(augmentativeOf(name))} ${rest}`, `${capital(name)} ${rest}`, true);
  },
  'the beginning of a first name': ({ random, first, family, two, given }) => {
    const name = first((text) => beginningsOf(text).some((short) => !given.includes(short)));
    const short = random.pick(beginningsOf(name).filter((text) => !given.includes(text)));
    const rest = two(family);
    return person(`${capital(short)} ${rest}`, `${capital(name)} ${rest}`, true);
  },
  'a diminutive of another name': ({ first, family, two, letters }) => {
    const name = first((text) => /[oa]$/.test(text) && text.length >= 5);
    const other = first((text) => text.slice(0, 3) !== name.slice(0, 3) && !letters(text, name));
    const rest = two(family);
    return person(
      `${capital(diminutiveOf(name, name.endsWith('a')))} ${rest}`,
      `${capital(other)} ${rest}`,
      false,
    );
  },
  'a family name abbreviated': ({ random, first, family, word }) => {
    const [one, other] = [word(family), word(family)];
    const short = abbreviationOf(random, one);
    const given = capital(first());
    if (short === null || one === other) return null;
    return person(
      `${given} ${capital(short)} ${capital(other)}`,
      `${given} ${capital(one)} ${capital(other)}`,
      true,
    );
  },
  'a first name abbreviated': ({ random, first, family, two }) => {
    const name = first((text) => text.length >= 7);
    const short = abbreviationOf(random, name);
    const rest = two(family);
    return short === null ? null : person(`${capital(short)} ${rest}`, `${capital(name)} ${rest}`, true);
  },
  'an abbreviation of another name': ({ random, first, family, word }) => {
    const [one, two, other] = [word(family), word(family), word(family)];
    const short = abbreviationOf(random, one);
    const given = capital(first());
    if (short === null || two.startsWith(short.slice(0, 2)) || other === one || other === two) return null;
    return person(
      `${given} ${capital(short)} ${capital(other)}`,
      `${given} ${capital(two)} ${capital(other)}`,
      false,
    );
  },
  'words of a company abbreviated': ({ random, family, two }) => {
    const words = [random.pick(branches), random.pick(goods)];
    const at = random.below(3);
    const shorts = words.map((word, i) => (at === i || at === 2 ? abbreviationOf(random, word) : word));
    if (shorts.includes(null)) return null;
    const name = two(family);
    return firm(`${name} ${shorts[0]} de ${shorts[1]} Ltda`, `${name} ${words[0]} de ${words[1]} Ltda`, true);
  },
  'a company of another trade, abbreviated': ({ random, family, word }) => {
    const [one, other] = [random.pick(goods), random.pick(goods)];
    const short = abbreviationOf(random, one);
    if (short === null || other.startsWith(short.slice(0, 2))) return null;
    const [name, stranger] = [word(family), word(family)];
    if (name.slice(0, 2) === stranger.slice(0, 2)) return null;
    return firm(`${capital(name)} ${short} Ltda`, `${capital(stranger)} ${other} Ltda`, false);
  },
  'a saint in the name of a company': ({ random }) => {
    const rest = `de ${random.pick(goods)} Ltda`;
    const trade = random.pick(trades);
    const [one, two] = random
      .pick([
        () => [`São ${random.pick(saints)}`, 'São', random.pick(['S.', 'S'])],
        () => [`Santa ${random.pick(saintesses)}`, 'Santa', random.pick(['Sta.', 'Sta', 'S.'])],
        () => ['Santo Antonio', 'Santo', random.pick(['Sto.', 'Sto', 'S.'])],
        () => [
          `Nossa Senhora ${random.pick(['de', 'da'])} ${random.pick(ladies)}`,
          'Nossa Senhora',
          random.pick(['N. Sra.', 'N. S.', 'Nossa Sra.', 'N Sra']),
        ],
        () => ['Senhor do Bonfim', 'Senhor', random.pick(['Sr.', 'Sr'])],
      ])()
      .reduce((pair, part, i, all) => (i === 0 ? [part, part.replace(all[1], all[2])] : pair), []);
    return firm(`${trade} ${two} ${rest}`, `${trade} ${one} ${rest}`, true);
  },
  'another saint': ({ random }) => {
    const [one, two] = [random.pick(saints), random.pick(saints)];
    if (one === two || (one === 'Joao' && two === 'Jose') || (one === 'Jose' && two === 'Joao')) return null;
    const trade = random.pick(trades);
    return firm(`${trade} S. ${one} Ltda`, `${trade} São ${two} Ltda`, false);
  },
  'a trade name behind the legal one': ({ random, family, two, word }) => {
    const legal = `${two(family)} Comércio de ${random.pick(goods)} ${random.pick(list('Ltda EIRELI S.A. ME'))}`;
    const trade = `${random.pick(trades)} ${capital(word(family))} ${random.pick(brands)}`;
    const join = random.pick([
      (a, b) => `${a} - ${b}`,
      (a, b) => `${a} (${b})`,
      (a, b) => `${a} / ${b}`,
      (a, b) => `${a} nome fantasia ${b}`,
      (a, b) => `${a} ${b}`,
    ]);
    return firm(join(legal, trade), random.next() < 0.5 ? legal : trade, true);
  },
  'another trade name': ({ random, family, two, word }) => {
    const legal = `${two(family)} Comércio de ${random.pick(goods)} Ltda`;
    const [one, other] = [word(family), word(family)];
    if (one.charAt(0) === other.charAt(0)) return null;
    const trade = random.pick(trades);
    return firm(`${legal} - ${trade} ${capital(one)}`, `${trade} ${capital(other)}`, false);
  },
  'a generation before the comma': ({ random, first, family, word }) => {
    const [surname, given, generation] = [word(family), capital(first()), random.pick(generations)];
    const middle = random.next() < 0.5 ? ` ${capital(first())}` : '';
    return person(
      `${surname.toUpperCase()} ${generation}, ${(given + middle).toUpperCase()}`,
      `${given}${middle} ${capital(surname)} ${capital(generation.toLowerCase())}`,
      true,
    );
  },
  'another generation before the comma': ({ random, first, family, word }) => {
    const [surname, given] = [word(family), capital(first())];
    const [one, other] = [random.pick(generations), random.pick(generations)];
    const middle = random.next() < 0.5 ? ` ${capital(first())}` : '';
    if (one === other) return null;
    return person(
      `${surname.toUpperCase()} ${one}, ${(given + middle).toUpperCase()}`,
      `${given}${middle} ${capital(surname)} ${capital(other.toLowerCase())}`,
      false,
    );
  },
  'a numeral written otherwise': ({ random, family, two }) => {
    const at = 1 + random.below(roman.length - 1);
    const name = `${random.pick(list('Fundo Loja Unidade Companhia'))} ${two(family)}`;
    return firm(`${name} ${roman[at]} Ltda`, `${name} ${at + 1} Ltda`, true);
  },
  'another number of a series': ({ random, family, two }) => {
    const [one, other] = [random.below(roman.length), random.below(roman.length)];
    if (one === other) return null;
    const name = `${random.pick(['', `${random.pick(branches)} `])}${two(family)} ${random.pick(goods)}`;
    const written = (at) => (random.next() < 0.5 ? roman[at] : String(at + 1));
    return firm(`${name} ${written(one)} Ltda`, `${name} ${written(other)} Ltda`, false);
  },
  'another point of the compass': ({ random, family, two }) => {
    const [one, other] = [random.pick(compass), random.pick(compass)];
    if (one === other) return null;
    const name = `${two(family)} ${random.pick(branches)} de ${random.pick(goods)}`;
    return firm(`${name} ${one} Ltda`, `${name} ${other} Ltda`, false);
  },
  'the vowels of an Arabic word': ({ random }) => {
    const root = random.pick(roots);
    const other = otherVowels(random, root);
    return other === root ? null : firm(capital(other), root.toUpperCase(), true);
  },
  'another Arabic word': ({ random }) => {
    const [one, other] = [random.pick(roots), random.pick(roots)];
    return one.charAt(0) === other.charAt(0) ? null : firm(capital(one), other.toUpperCase(), false);
  },
  'a person in the name of a shop': ({ random, first, family, two }) => {
    const name = `${capital(first())} ${two(family)}`;
    const form = random.pick(list('Ltda ME EIRELI EPP'));
    const shop = random.pick([
      `${random.pick(trades)} ${name} ${form}`,
      `${random.pick(trades)} ${name} ${random.pick(goods)} ${form}`,
      `${name} ${random.pick(branches)} de ${random.pick(goods)} ${form}`,
    ]);
    return { one: shop, two: name, kind: 'UNKNOWN', match: true };
  },
  'a namesake of one word in a shop': ({ random, first, family, word }) => {
    const [surname, stranger, third] = [word(family), word(family), word(family)];
    if (stranger.charAt(0) === third.charAt(0)) return null;
    const one = `${random.pick(trades)} ${capital(first())} ${capital(surname)} ${capital(stranger)} Ltda`;
    return {
      one,
      two: `${capital(first())} ${capital(surname)} ${capital(third)}`,
      kind: 'UNKNOWN',
      match: false,
    };
  },
  'a first name one letter away': ({ random, family, two, near, given }) => {
    const [one, other] = near(given);
    const rest = two(family);
    return person(`${capital(one)} ${rest}`, `${capital(other)} ${rest}`, false);
  },
  'a family name one letter away': ({ first, near, family, word }) => {
    const [one, other] = near(family);
    const rest = `${capital(first())} ${capital(word(family))}`;
    return person(`${rest} ${capital(one)}`, `${rest} ${capital(other)}`, false);
  },
  'a long family name with a slip': ({ random, first, family, word }) => {
    const name = word(family);
    const at = 2 + random.below(name.length - 3);
    const slipped = name.slice(0, at) + random.pick(list('x k w')) + name.slice(at + 1);
    const rest = `${capital(first())} ${capital(word(family))}`;
    return name.length < 6 || slipped === name
      ? null
      : person(`${rest} ${capital(slipped)}`, `${rest} ${capital(name)}`, true);
  },
};

/** A third of all texts, by their letters. */
const isHeld = ({ one, two }) => {
  let hash = 7;
  for (const letter of `${one}|${two}`) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return (hash >>> 3) % 3 === 0;
};

/** True if two words differ in one letter: another one, one more or two that changed places. */
function isOneAway(a, b) {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (a.charAt(from) === b.charAt(from) && from < a.length) from += 1;
  const rest = (text, by) => text.slice(from + by);
  return rest(a, 1) === rest(b, 1) || rest(a, 0) === rest(b, 1) || rest(a, 1) === rest(b, 0);
}

/**
 * The pairs of all kinds: so many of each, from one seed. `isOneName` says which spellings are one name: these
 * are not taken for two names one letter apart.
 */
export function brazilianPairs(seed, count, { given, family, isOneName }) {
  const nearOf = new Map();
  for (const names of [given, family]) {
    const near = [];
    names.forEach((one, i) => {
      for (const other of names.slice(i + 1)) {
        if (one.length > 3 && isOneAway(one, other) && !isOneName(one, other)) near.push([one, other]);
      }
    });
    nearOf.set(names, near);
  }
  return Object.entries(brazilianFamilies).flatMap(([kind, make], i) => {
    const random = seeded(seed * 1_000 + i);
    const word = (names) => {
      for (;;) {
        const name = random.pick(names);
        if (name.length >= 5) return name;
      }
    };
    const drawn = {
      ...{ random, given, family, word },
      first: (isWanted = () => true) => {
        for (;;) {
          const name = random.pick(given);
          if (name.length >= 4 && isWanted(name)) return name;
        }
      },
      two: (names) => `${capital(word(names))} ${capital(word(names))}`,
      near: (names) => random.pick(nearOf.get(names)),
      letters: isOneAway,
    };
    const pairs = [];
    for (let tries = 0; pairs.length < count && tries < count * 30; tries += 1) {
      const pair = make(drawn);
      if (pair) pairs.push({ family: kind, held: isHeld(pair), ...pair });
    }
    return pairs;
  });
}
