/** Made-up names of many regions, and what happens to names on their way into a form. Seeded: every run is the same. */

const list = (text) => text.trim().split(/\s+/);

const given = {
  br: list(`Maria José Antônio João Francisco Ana Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Daniel Marcelo
    Bruno Eduardo Felipe Raimundo Rodrigo Manoel Mateus André Fernando Fábio Leonardo Gustavo Guilherme Leandro Tiago
    Anderson Ricardo Márcio Jorge Sebastião Alexandre Roberto Edson Diego Vitor Sérgio Cláudio Matheus Thiago Geraldo
    Adriano Luciano Júlio Renato Alex Vinícius Rogério Samuel Ronaldo Mário Flávio Igor Douglas Davi Jeferson Cícero
    Miguel Robson Mauro Danilo Henrique Gilberto Wellington Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila
    Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana
    Sônia Renata Eliane Josefa Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene
    Terezinha Raimunda Andréia Fabiana Lúcia Raquel Angela Rafaela Joana Luzia Elaine Daniele Tatiane Kelly Tereza`),
  ar: list(`Mohammed Ahmed Ali Hassan Hussein Omar Khalid Youssef Ibrahim Mahmoud Mustafa Abdullah Saleh Tariq Faisal Nasser
    Walid Samir Karim Rashid Bilal Hamza Ismail Jamal Fatima Aisha Khadija Zainab Maryam Layla Amina Salma Nadia Rania`),
  sl: list(`Sergey Vladimir Aleksandr Dmitry Andrey Alexei Nikolay Ivan Mikhail Viktor Yuri Igor Oleg Pavel Boris Anatoly
    Konstantin Roman Maksim Evgeny Olga Natalia Elena Irina Tatiana Svetlana Ekaterina Anna Ludmila Galina Oksana Yulia`),
  as: list(`Wei Jing Min Xiao Jun Yan Li Ming Hong Ping Hui Lei Tao Bin Qiang Jianguo Xiaoming Zhiwei Yufei Meiling Jong
    Sung Myong Hyon Chol Yong Kwang Haneul Seojun Minjun Thanh Minh Hoang Duc Tuan Linh Phuong Huong`),
  es: list(`Juan José Luis Carlos Jorge Miguel Jesús Alejandro Francisco Pedro Rafael Manuel Javier Raúl Sergio Eduardo Diego
    Guadalupe Carmen Rosa Isabel Pilar Dolores Consuelo Mercedes Lourdes Esperanza Soledad Catalina Ximena Valentina`),
  en: list(`James John Robert Michael William David Richard Joseph Thomas Charles Christopher Matthew Anthony Mark Steven
    Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Nancy Margaret Sandra Ashley Dorothy Kimberly`),
};

const family = {
  br: list(`Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida
    Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas
    Cardoso Ramos Gonçalves Santana Teixeira Araújo Pinto Cavalcanti Monteiro Moura Correia Batista Campos Miranda Borges
    Castro Pires Brito Melo Cunha Farias Reis Azevedo Duarte Medeiros Fonseca Tavares Coelho Siqueira Guimarães Barros
    Cruz Peixoto Bezerra Rezende Macedo Queiroz Xavier Amaral Leite Figueiredo Nogueira Assis Vasconcelos Bastos Camargo
    Prado Toledo Sampaio Aguiar Pacheco Magalhães Furtado Paiva Brandão Carneiro Dantas Bittencourt Valadares Zanetti`),
  ar: list(`Al-Hassan Al-Rashid Haddad Khoury Mansour Nasser Saleh Hamdan Barakat Darwish Qasim Shaheen Zaki Farouk Najjar
    Al-Masri Al-Baghdadi El-Sayed Bin-Laden Abdulaziz Abdulrahman Kassem Sulaiman Tawfiq Yassin Zaidan Othman Makki`),
  sl: list(`Ivanov Petrov Sidorov Smirnov Kuznetsov Popov Volkov Sokolov Lebedev Kozlov Novikov Morozov Pavlov Semyonov Golubev
    Vinogradov Bogdanov Vorobyov Fedorov Mikhailov Belyaev Tarasov Belov Komarov Orlov Kiselyov Makarov Andreyev Kovalenko
    Shevchenko Bondarenko Tkachenko Kravchenko Oliynyk Lysenko Rudenko Savchenko Petrenko Marchenko`),
  as: list(`Wang Zhang Liu Chen Yang Huang Zhao Zhou Xu Sun Zhu Gao Lin Guo Luo Liang Song Zheng Xie Han Tang Feng Dong Cheng
    Kim Park Choi Jung Kang Cho Yoon Jang Lim Shin Nguyen Tran Pham Hoang Phan Dang Bui Ngo Duong`),
  es: list(`González Rodríguez Gómez Fernández López Díaz Martínez Pérez García Sánchez Romero Sosa Torres Álvarez Ruiz Ramírez
    Flores Benítez Acosta Medina Herrera Aguirre Pereyra Gutiérrez Giménez Molina Silva Castro Rojas Ortiz Núñez Luna
    Villanueva Escobar Carrillo Guzmán Zambrano Quintero Arellano Beltrán Zavala`),
  en: list(`Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin Thompson White
    Harris Clark Lewis Robinson Walker Young King Wright Hill Scott Green Adams Baker Nelson Carter Mitchell Roberts
    Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Murphy Cook Rogers Morgan Cooper Peterson`),
};

const onsets = list('b br c cr d dr f fr g gr h j k l m n p pr r s st t tr v z ch sh th kh ph w y');
const nuclei = list('a e i o u a e i o ai ei ou ia');
const codas = ['', '', '', 'n', 'r', 's', 'l', 'm', 'k', 't', 'nd', 'rs'];

/** Mulberry32. */
export function seeded(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    below: (n) => Math.floor(next() * n),
    pick: (items) => items[Math.floor(next() * items.length)],
  };
}

// The first of a list are the frequent ones, as with names.
const skewed = (random, items) => items[Math.floor(random.next() ** 1.8 * items.length)];

function rareSurname(random) {
  let word = '';
  const syllables = 2 + random.below(2);
  for (let i = 0; i < syllables; i += 1) word += random.pick(onsets) + random.pick(nuclei);
  word += random.pick(codas);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const regions = ['br', 'br', 'br', 'br', 'br', 'ar', 'sl', 'as', 'es', 'en'];

/** A made-up person's name. */
export function personName(random, region = random.pick(regions)) {
  const surname = () => (random.next() < 0.3 ? rareSurname(random) : skewed(random, family[region]));
  const first = skewed(random, given[region]);
  switch (region) {
    case 'br': {
      const parts = [first];
      if (random.next() < 0.45) parts.push(skewed(random, given.br));
      parts.push(surname());
      if (random.next() < 0.3) parts.push(random.pick(['da', 'de', 'dos']));
      if (random.next() < 0.75) parts.push(surname());
      if (random.next() < 0.05) parts.push(random.pick(['Filho', 'Neto', 'Júnior']));
      return parts.join(' ');
    }
    case 'es':
      return [first, ...(random.next() < 0.4 ? [skewed(random, given.es)] : []), surname(), surname()].join(
        ' ',
      );
    case 'sl': {
      const father = skewed(random, given.sl.slice(0, 19));
      const patronymic = random.next() < 0.5 ? [`${father.replace(/[aeiouy]+$/, '')}ovich`] : [];
      return [first, ...patronymic, surname()].join(' ');
    }
    case 'ar':
      return [first, ...(random.next() < 0.6 ? [skewed(random, given.ar)] : []), surname()].join(' ');
    case 'as':
      return [skewed(random, family.as), first, ...(random.next() < 0.5 ? [random.pick(given.as)] : [])].join(
        ' ',
      );
    default:
      return [first, ...(random.next() < 0.4 ? [skewed(random, given.en)] : []), surname()].join(' ');
  }
}

const PARTICLE = /^(?:da|de|do|das|dos|di|del|la|el|al|bin|ibn|ben|abu|van|von|der|den|y|e)$/i;
const words = (name) =>
  name
    .replaceAll(',', ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
const content = (name) => words(name).filter((word) => !PARTICLE.test(word));

/** Changes one word of at least five letters; null when there is none. */
function inWord(name, random, change) {
  const all = words(name);
  const long = all.map((word, i) => [word, i]).filter(([word]) => /^[\p{L}]{5,}$/u.test(word));
  if (long.length === 0) return null;
  const [word, at] = random.pick(long);
  const changed = change(word);
  if (changed === null || changed === word) return null;
  all[at] = changed;
  return all.join(' ');
}

const keyboard = {
  a: 'sq',
  b: 'vn',
  c: 'xv',
  d: 'sf',
  e: 'wr',
  f: 'dg',
  g: 'fh',
  h: 'gj',
  i: 'uo',
  j: 'hk',
  k: 'jl',
  l: 'k',
  m: 'n',
  n: 'bm',
  o: 'ip',
  p: 'o',
  q: 'wa',
  r: 'et',
  s: 'ad',
  t: 'ry',
  u: 'yi',
  v: 'cb',
  w: 'qe',
  x: 'zc',
  y: 'tu',
  z: 'x',
};
const sounds = [
  ['ph', 'f'],
  ['f', 'ph'],
  ['w', 'v'],
  ['y', 'i'],
  ['i', 'y'],
  ['z', 's'],
  ['s', 'z'],
  ['ss', 's'],
  ['ll', 'l'],
  ['ck', 'k'],
  ['k', 'c'],
  ['th', 't'],
  ['kh', 'h'],
  ['h', ''],
  ['nn', 'n'],
  ['tt', 't'],
  ['x', 'ks'],
  ['mm', 'm'],
  ['j', 'y'],
  ['ou', 'u'],
];
const marks = { a: 'á', e: 'é', i: 'í', o: 'ô', u: 'ü', c: 'ç', n: 'ñ' };

/** Fourteen things that happen to a name. Each returns the changed name, or null when it has nothing to change. */
export const perturbations = {
  'case and accents': (name, random) =>
    [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
      .map((c) => (random.next() < 0.3 ? (marks[c] ?? c) : c))
      .join(''),
  'family name first': (name) => {
    const all = words(name);
    return all.length < 2 ? null : [all.at(-1), ...all.slice(0, -1)].join(' ');
  },
  'comma after the family name': (name) => {
    const all = words(name);
    return all.length < 2 ? null : `${all.at(-1).toUpperCase()}, ${all.slice(0, -1).join(' ')}`;
  },
  'title in front': (name, random) => `${random.pick(['Mr.', 'Dr.', 'Sra.', 'Prof.', 'Sr.'])} ${name}`,
  'a middle name left out': (name, random) => {
    const all = words(name);
    const middle = all
      .map((word, i) => i)
      .slice(1, -1)
      .filter((i) => !PARTICLE.test(all[i]));
    if (content(name).length < 3 || middle.length === 0) return null;
    all.splice(random.pick(middle), 1);
    return all.join(' ');
  },
  'a middle name as an initial': (name, random) => {
    const all = words(name);
    const middle = all
      .map((word, i) => i)
      .slice(1, -1)
      .filter((i) => /^\p{L}{3,}$/u.test(all[i]) && !PARTICLE.test(all[i]));
    if (content(name).length < 3 || middle.length === 0) return null;
    const at = random.pick(middle);
    all[at] = `${all[at].charAt(0)}.`;
    return all.join(' ');
  },
  'a letter left out': (name, random) =>
    inWord(name, random, (word) => {
      const at = random.below(word.length);
      return word.slice(0, at) + word.slice(at + 1);
    }),
  'a letter too many': (name, random) =>
    inWord(name, random, (word) => {
      const at = random.below(word.length);
      const extra = random.next() < 0.5 ? word.charAt(at) : random.pick([...'abcdefghijklmnopqrstuvwxyz']);
      return word.slice(0, at) + extra + word.slice(at);
    }),
  'a neighbouring key': (name, random) =>
    inWord(name, random, (word) => {
      const at = random.below(word.length);
      const near = keyboard[word.charAt(at).toLowerCase()];
      return near === undefined ? null : word.slice(0, at) + random.pick([...near]) + word.slice(at + 1);
    }),
  'two letters swapped': (name, random) =>
    inWord(name, random, (word) => {
      const at = random.below(word.length - 1);
      return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
    }),
  'written as it sounds': (name, random) => {
    const lower = name.toLowerCase();
    const usable = sounds.filter(([from]) => lower.includes(from));
    if (usable.length === 0) return null;
    const [from, to] = random.pick(usable);
    return lower.replace(from, to);
  },
  'two words joined': (name, random) => {
    const all = words(name);
    if (all.length < 2) return null;
    const at = random.below(all.length - 1);
    all.splice(at, 2, all[at] + all[at + 1].toLowerCase());
    return all.join(' ');
  },
  'a word split': (name, random) =>
    inWord(name, random, (word) => {
      const at = 2 + random.below(word.length - 3);
      return `${word.slice(0, at)} ${word.slice(at)}`;
    }),
  'particles changed': (name, random) => {
    const all = words(name);
    const without = all.filter((word) => !PARTICLE.test(word));
    if (without.length !== all.length && without.length >= 2) return without.join(' ');
    if (all.length < 2) return null;
    all.splice(all.length - 1, 0, random.pick(['de', 'da', 'al', 'von']));
    return all.join(' ');
  },
};
