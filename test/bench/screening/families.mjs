/**
 * Families of pairs whose truth is known by construction: each kind makes a pair from a made-up name and says whether
 * the two are one. Nothing here comes from labelled data.
 */
import { personName, perturbations, seeded } from './names.mjs';

const list = (text) => text.trim().split(/\s+/);
const table = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => list(line));

// Character, Pinyin, Wade-Giles.
const hanFamilies = table(`
  王 wang wang
  李 li li
  张 zhang chang
  刘 liu liu
  陈 chen ch'en
  杨 yang yang
  赵 zhao chao
  黄 huang huang
  周 zhou chou
  徐 xu hsu
  孙 sun sun
  朱 zhu chu
  高 gao kao
  郭 guo kuo
  谢 xie hsieh
  郑 zheng cheng
  曹 cao ts'ao
  邓 deng teng
  彭 peng p'eng
  蒋 jiang chiang`);
const hanGiven = table(`
  伟 wei wei
  芳 fang fang
  娜 na na
  敏 min min
  静 jing ching
  强 qiang ch'iang
  磊 lei lei
  军 jun chun
  洋 yang yang
  勇 yong yung
  艳 yan yen
  杰 jie chieh
  涛 tao t'ao
  明 ming ming
  超 chao ch'ao
  霞 xia hsia
  平 ping p'ing
  刚 gang kang
  国 guo kuo
  建 jian chien
  文 wen wen
  华 hua hua
  志 zhi chih
  红 hong hung
  春 chun ch'un
  海 hai hai
  德 de te
  东 dong tung
  学 xue hsueh
  庆 qing ch'ing`);
// Hangul, Revised Romanisation, McCune-Reischauer or what people write.
const hangulFamilies = table(`
  김 gim kim
  박 bak park
  최 choe choi
  정 jeong chung
  강 gang kang
  조 jo cho
  윤 yun yoon
  장 jang chang
  임 im lim
  한 han han
  오 o oh
  서 seo so
  신 sin shin
  권 gwon kwon
  황 hwang hwang
  안 an ahn
  송 song song
  홍 hong hong`);
const hangulGiven = table(`
  영 yeong young
  철 cheol chol
  수 su soo
  진 jin jin
  현 hyeon hyon
  민 min min
  성 seong sung
  호 ho ho
  준 jun joon
  희 hui hee
  경 gyeong kyong
  숙 suk suk
  용 yong yong
  일 il il
  남 nam nam
  동 dong tong
  석 seok sok
  길 gil kil
  순 sun soon
  원 won won
  혁 hyeok hyok
  태 tae tae
  광 gwang kwang
  미 mi mi`);

// Cyrillic, and the spellings of it in Latin letters that passports and lists use.
const cyrillicGiven = table(`
  Сергей Sergey Sergei
  Дмитрий Dmitry Dmitrii
  Алексей Aleksey Alexei
  Андрей Andrey Andrei
  Михаил Mikhail Mihail
  Николай Nikolay Nikolai
  Юрий Yuri Iurii
  Евгений Evgeny Yevgeniy
  Виктор Viktor Victor
  Павел Pavel Pavel
  Григорий Grigory Grigoriy
  Фёдор Fedor Fyodor`);
const cyrillicFamilies = table(`
  Щербаков Shcherbakov Scherbakov
  Жуковский Zhukovsky Zhukovskiy
  Воробьёв Vorobyov Vorobev
  Хрущинский Khrushchinsky Hruschinskij
  Цветаев Tsvetaev Tsvetayev
  Чайковский Chaikovsky Tchaikovsky
  Юдашкин Yudashkin Iudashkin
  Ярошенко Yaroshenko Iaroshenko
  Полянский Polyansky Polianskii
  Кузьмин Kuzmin Kuz'min
  Белозёров Belozerov Belozyorov
  Тихомиров Tikhomirov Tihomirov`);
const arabicGiven = table(`
  محمد Muhammad
  أحمد Ahmad
  خالد Khalid
  حسين Hussein
  سليمان Sulayman
  يوسف Yusuf
  إبراهيم Ibrahim
  مصطفى Mustafa
  طارق Tariq
  فيصل Faisal`);
const arabicFamilies = table(`
  التكريتي al-Tikriti at-Tikriti
  الرحماني al-Rahmani ar-Rahmani
  السوداني al-Sudani as-Sudani
  الشمري al-Shammari ash-Shammari
  الدوري al-Duri ad-Duri
  النعيمي al-Nuaimi an-Nuaimi
  الزرقاوي al-Zarqawi az-Zarqawi
  الطائي al-Tai at-Tai`);
const kana = table(`
  タナカ Tanaka
  スズキ Suzuki
  ワタナベ Watanabe
  ヤマモト Yamamoto
  ナカムラ Nakamura
  コバヤシ Kobayashi
  ヒロシ Hiroshi
  タケシ Takeshi
  ケンジ Kenji
  マサオ Masao
  アキコ Akiko
  ハナコ Hanako`);

const alikeFamilies = list(
  'Moreira:Pereira Silva:Sileira Barros:Barroso Martins:Martini Nogueira:Nogueiro Ramos:Lemos Rocha:Racha Costa:Casta Harris:Harrison Morris:Norris Clark:Clarke Ivanov:Ivanova Petrov:Pavlov Kozlov:Kozlova Hassan:Hussein Salem:Saleh Rahman:Rahim Garcia:Garza Perez:Peres Lopez:Lopes Chaves:Chavez Campos:Campelo Teixeira:Ferreira Medeiros:Madeira Carvalho:Carneiro',
)
  .map((pair) => pair.split(':'))
  // Spellings of one name are no two names.
  .filter(
    ([one, other]) =>
      !['Perez', 'Lopez', 'Chaves', 'Clark', 'Silva', 'Nogueira', 'Rocha', 'Costa'].includes(one) &&
      one !== other,
  );
const alikeGiven = list(
  'Maria:Mario Fernando:Fernanda Daniel:Daniela Alberto:Roberto Marcos:Marcio Adriana:Adriano Luciana:Luciano Claudio:Claudia Paulo:Paula Renato:Renata Mariana:Marina Silvio:Silvia Julio:Julia Marcelo:Marcela Flavia:Fabia Edson:Edison Gilson:Nilson Karina:Karima Amin:Amir Karim:Rahim Salim:Salman Jane:June Robert:Norbert Oleg:Olga Ivan:Ivo',
)
  .map((pair) => pair.split(':'))
  .filter(([one]) => one !== 'Edson');
const surnamesThatAreTitles = list(
  'Prince King Major Pastor Reis Bispo Sultan Cardeal Engineer Leite Conde Cavaleiro',
);
const surnames = list(
  'Quintanilha Bragantim Saldanha Wolski Terenzi Calheiros Pontual Szymborski Falkenrath Ottoboni Merheb Zanforlin Taborda Caruccio Bevilaqua Ximendes Guedelha Pasqualotto Rechembach Vidigalo',
);
const firsts = list(
  'Ana Carlos Sergey Helena Omar Julia Marcos Peter Sandra Victor Elena Rafael Laura Tomas Nadia Bruno',
);
const legalWords = [
  ['LTDA', 'Limitada'],
  ['LTDA', 'EIRELI'],
  ['EIRELI', 'SLU'],
  ['LTDA ME', 'LTDA'],
  ['LTDA - EPP', 'LTDA ME'],
  ['S.A.', 'SA'],
  ['S/A', 'Sociedade Anônima'],
  ['S/S', 'Sociedade Simples'],
];
const trades = [
  ['Indústria', 'Ind.'],
  ['Comércio', 'Com.'],
  ['Distribuidora', 'Distr.'],
  ['Cooperativa', 'Coop.'],
  ['Associação', 'Assoc.'],
  ['Imobiliária', 'Imob.'],
  ['Participações', 'Part.'],
  ['Empreendimentos', 'Empreend.'],
  ['Construtora', 'Constr.'],
  ['Transportes', 'Transp.'],
];
const brazilianShort = [
  ['Santa', 'Sta.'],
  ['Sebastião', 'Seb.'],
  ['Joaquim', 'Jq.'],
  ['Antônio', 'Ant.'],
  ['Raimundo', 'Rdo'],
  ['Francisco', 'Fco.'],
  ['Aparecida', 'Ap.'],
  ['Conceição', 'Conc.'],
  ['Gonçalves', 'Gonç.'],
  ['Maria', 'Mª'],
];
const diminutives = [
  ['Sebastião', 'Tião'],
  ['José', 'Zé'],
  ['José', 'Zezinho'],
  ['Francisco', 'Chico'],
  ['Antônio', 'Toninho'],
  ['Luiz', 'Luizinho'],
  ['Paulo', 'Paulinho'],
  ['Marcos', 'Marquinhos'],
  ['Fernanda', 'Nanda'],
  ['Roberto', 'Beto'],
  ['Eduardo', 'Dudu'],
  ['Ana', 'Aninha'],
  ['Carlos', 'Carlinhos'],
  ['Pedro', 'Pedrinho'],
  ['Rosa', 'Rosinha'],
  ['Teresa', 'Teresinha'],
];
const fillers = list(
  'PAGAMENTO TRANSFERENCIA REFERENTE DEPOSITO FAVOR CONTA CREDITO BOLETO MENSALIDADE ALUGUEL',
);
const shops = list('Mercearia Oficina Padaria Farmacia Loja Bazar Floricultura');

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const double = (text) => Buffer.from(text, 'utf8').toString('latin1');
const other = (random, items, not) => {
  for (;;) {
    const item = random.pick(items);
    if (item !== not) return item;
  }
};
const long = (random) => {
  for (;;) {
    const name = personName(random, random.pick(['br', 'ar', 'sl', 'es', 'en']));
    const words = name
      .split(' ')
      .filter((word) => word.length > 3 && !/^(?:dos|von|Filho|Neto|Júnior)$/.test(word));
    if (words.length >= 2 && new Set(words).size === words.length) return words.slice(0, 4).join(' ');
  }
};
const company = (random) =>
  `${random.pick(surnames)}${random.pick(['', ' e Filhos', ' Irmãos'])} ${random.pick(trades)[0]} de ${random.pick(list('Calçados Alimentos Bebidas Tecidos Ferragens Madeiras Papéis Móveis'))}`;
const han = (random, column, parts) =>
  column === 0 ? parts.map(([character]) => character).join('') : parts.map((part) => part[column]).join('');
const chinese = (random) => [
  random.pick(hanFamilies),
  ...Array.from({ length: 1 + random.below(2) }, () => random.pick(hanGiven)),
];
const korean = (random) => [random.pick(hangulFamilies), random.pick(hangulGiven), random.pick(hangulGiven)];
const romanised = (parts, column, hyphen = '') =>
  `${capital(parts[0][column])} ${capital(
    parts
      .slice(1)
      .map((part) => part[column])
      .join(hyphen),
  )}`;
const person = (one, two, match) => ({ one, two, kind: 'PERSON', match });
const firm = (one, two, match) => ({ one, two, kind: 'ORGANISATION', match });

/** Each kind makes one pair. */
export const families = {
  'filler before and after': (r) => {
    const name = long(r);
    return person(`${r.pick(fillers)} ${r.pick(fillers)} ${name} ${r.pick(fillers)}`, name, true);
  },
  'the account behind the name': (r) => {
    const name = long(r);
    return person(
      `${name} AG ${1000 + r.below(9000)} CC ${10000 + r.below(90000)}-${r.below(10)}`,
      name,
      true,
    );
  },
  'a joint account': (r) => {
    const name = long(r);
    const both = [name, long(r)];
    if (r.next() < 0.5) both.reverse();
    return person(both.join(r.pick([' e ', ' & ', ' / ', ' and '])), name, true);
  },
  'a joint account of two others': (r) => {
    const [first, ...rest] = long(r).split(' ');
    const [strange, ...end] = long(r).split(' ');
    if (first === strange || rest.at(-1) === end.at(-1)) return null;
    return person(
      `${first} ${other(r, surnames)} e ${other(r, firsts, first)} ${end.at(-1)}`,
      `${first} ${end.at(-1)}`,
      false,
    );
  },
  'the name in a shop name': (r) => {
    const name = long(r);
    return person(`${r.pick(shops)} ${name}`, name, true);
  },
  'one word in a longer text': (r) => {
    const [, ...rest] = long(r).split(' ');
    return person(
      `${r.pick(shops)} ${rest.at(-1)} ${r.pick(surnames)}`,
      `${r.pick(firsts)} ${rest.at(-1)}`,
      false,
    );
  },
  'a word said twice': (r) => {
    const words = long(r).split(' ');
    const at = r.below(words.length);
    return person([...words.slice(0, at), words[at], ...words.slice(at)].join(' '), words.join(' '), true);
  },
  'a word said twice in place of another': (r) => {
    const given = r.pick(firsts);
    const surname = r.pick(surnames);
    return person(
      `${given} ${surname} ${surname}`,
      `${given} ${other(r, surnames, surname)} ${surname}`,
      false,
    );
  },
  'a title in front': (r) => {
    const name = long(r);
    return person(`${r.pick(list('Dr. Sra. Prof. General Sheikh Deputado Eng.'))} ${name}`, name, true);
  },
  'family names that are titles elsewhere': (r) => {
    const given = r.pick(firsts);
    const surname = r.pick(surnamesThatAreTitles);
    return person(`${given} ${surname}`, `${given} ${other(r, surnamesThatAreTitles, surname)}`, false);
  },
  'family names alike': (r) => {
    const [one, two] = r.pick(alikeFamilies);
    const given = `${r.pick(firsts)} ${r.pick(surnames)}`;
    return person(`${given} ${one}`, `${given} ${two}`, false);
  },
  'given names alike': (r) => {
    const [one, two] = r.pick(alikeGiven);
    const surname = `${r.pick(surnames)} ${r.pick(surnames)}`;
    return person(`${one} ${surname}`, `${two} ${surname}`, false);
  },
  'a slip of the pen': (r) => {
    const name = `${r.pick(firsts)} ${r.pick(surnames)} ${r.pick(surnames)}`;
    const change = r.pick([
      'a letter left out',
      'a letter too many',
      'a neighbouring key',
      'two letters swapped',
    ]);
    const changed = perturbations[change](name, r);
    return changed === null ? null : person(changed, name, true);
  },
  'a generation that one lacks': (r) => {
    const name = `${r.pick(firsts)} ${r.pick(surnames)} ${r.pick(surnames)}`;
    return person(`${name} ${r.pick(list('Filho Neto Júnior Jr. II'))}`, name, true);
  },
  'generations that differ, in list order': (r) => {
    const given = r.pick(firsts);
    const surname = `${r.pick(surnames)} ${r.pick(surnames)}`;
    const [one, two] = r.pick([
      ['Filho', 'Neto'],
      ['II', 'III'],
      ['Júnior', 'Sobrinho'],
      ['Filho', 'Segundo'],
    ]);
    return person(
      `${surname.toUpperCase()} ${one.toUpperCase()}, ${given}`,
      `${given} ${surname} ${two}`,
      false,
    );
  },
  'the father for the son': (r) => {
    const [one, two] = [r.pick(arabicGiven), r.pick(arabicGiven)].map(([, name]) => name);
    if (one === two) return null;
    const clan = r.pick(arabicFamilies)[1];
    return person(`${one} ${two} ${clan}`, `${two} ${one} ${clan}`, false);
  },
  'another patronymic': (r) => {
    const family = r.pick(cyrillicFamilies)[1];
    const [one, two] = [
      r.pick(list('Ivanovich Petrovich Sergeevich')),
      r.pick(list('Viktorovich Olegovich Borisovich')),
    ];
    const given = r.pick(cyrillicGiven)[1];
    return person(`${given} ${one} ${family}`, `${given} ${two} ${family}`, false);
  },
  'family name first': (r) => {
    const words = long(r).split(' ');
    return person([words.at(-1), ...words.slice(0, -1)].join(' '), words.join(' '), true);
  },
  'Han and Pinyin': (r) => {
    const parts = chinese(r);
    return person(han(r, 0, parts), romanised(parts, 1), true);
  },
  'Han and Wade-Giles': (r) => {
    const parts = chinese(r);
    return person(han(r, 0, parts), romanised(parts, 2, '-'), true);
  },
  'Pinyin and Wade-Giles': (r) => {
    const parts = chinese(r);
    return person(romanised(parts, 1), romanised(parts, 2, '-'), true);
  },
  'Han, one character another': (r) => {
    const parts = [r.pick(hanFamilies), r.pick(hanGiven), r.pick(hanGiven)];
    const changed = [...parts];
    const at = 1 + r.below(2);
    changed[at] = other(r, hanGiven, parts[at]);
    return person(han(r, 0, parts), r.next() < 0.5 ? han(r, 0, changed) : romanised(changed, 1), false);
  },
  'Hangul and Revised': (r) => {
    const parts = korean(r);
    return person(parts.map(([c]) => c).join(''), romanised(parts, 1, r.pick(['', '-', ' '])), true);
  },
  'Hangul and McCune': (r) => {
    const parts = korean(r);
    return person(parts.map(([c]) => c).join(''), romanised(parts, 2, r.pick(['', '-', ' '])), true);
  },
  'Hangul, one syllable another': (r) => {
    const parts = korean(r);
    const changed = [...parts];
    const at = 1 + r.below(2);
    changed[at] = other(r, hangulGiven, parts[at]);
    const written = changed.map(([c]) => c).join('');
    return person(
      parts.map(([c]) => c).join(''),
      r.next() < 0.5 ? written : romanised(changed, 2, '-'),
      false,
    );
  },
  'Kana and Hepburn': (r) => {
    const [one, two] = [r.pick(kana.slice(0, 6)), r.pick(kana.slice(6))];
    return person(`${one[0]}・${two[0]}`, `${two[1]} ${one[1]}`, true);
  },
  'Cyrillic and Latin': (r) => {
    const [given, family] = [r.pick(cyrillicGiven), r.pick(cyrillicFamilies)];
    return person(`${given[0]} ${family[0]}`, `${given[1 + r.below(2)]} ${family[1 + r.below(2)]}`, true);
  },
  'Arabic and Latin': (r) => {
    const [given, father, family] = [r.pick(arabicGiven), r.pick(arabicGiven), r.pick(arabicFamilies)];
    return person(`${given[0]} ${father[0]} ${family[0]}`, `${given[1]} ${father[1]} ${family[1]}`, true);
  },
  'the article assimilated': (r) => {
    const [given, family] = [r.pick(arabicGiven), r.pick(arabicFamilies)];
    return person(
      `${given[1]} ${family[1]}`,
      `${given[1]} ${family[2].replace('-', r.pick(['-', ' ', '']))}`,
      true,
    );
  },
  'letters that crossed a space': (r) => {
    const [one, two] = [r.pick(firsts), r.pick(surnames)];
    const at = 1 + r.below(2);
    const moved =
      r.next() < 0.5
        ? `${one}${two.slice(0, at)} ${two.slice(at)}`
        : `${one.slice(0, -at)} ${one.slice(-at)}${two}`;
    return person(moved, `${one} ${two}`, true);
  },
  'legal forms of one family': (r) => {
    const name = company(r);
    const [one, two] = r.pick(legalWords);
    return firm(`${name} ${one}`, `${name} ${two}`, true);
  },
  'companies that share a trade': (r) => {
    const [one, two] = [r.pick(surnames), r.pick(surnames)];
    if (one === two) return null;
    const rest = `${r.pick(trades)[0]} de ${r.pick(list('Calçados Alimentos Bebidas Tecidos'))} LTDA`;
    return firm(`${one} ${rest}`, `${two} ${rest}`, false);
  },
  'a trade abbreviated': (r) => {
    const [one, two] = r.pick(trades);
    const [three, four] = r.pick(trades);
    if (one === three) return null;
    const name = `${r.pick(surnames)} ${r.pick(surnames)}`;
    return firm(`${name} ${one} e ${three} Ltda`, `${name} ${two} e ${four} Ltda.`, true);
  },
  'a tax number in the name': (r) => {
    const name = long(r);
    const number = String(10_000_000_000 + r.below(89_999_999_999));
    const mei =
      r.next() < 0.5
        ? `${name} ${number}`
        : `${number.slice(0, 2)}.${number.slice(2, 5)}.${number.slice(5, 8)} ${name}`;
    return person(mei.toUpperCase(), name, true);
  },
  'Brazilian abbreviations': (r) => {
    const [one, two] = r.pick(brazilianShort);
    const rest = `${r.pick(surnames)} ${r.pick(surnames)}`;
    return person(`${two} ${rest}`, `${one} ${rest}`, true);
  },
  diminutives: (r) => {
    const [one, two] = r.pick(diminutives);
    const rest = `${r.pick(surnames)} ${r.pick(surnames)}`;
    return person(`${two} ${rest}`, `${one} ${rest}`, true);
  },
  'initials in the middle': (r) => {
    const words = [r.pick(firsts), r.pick(firsts), r.pick(surnames), r.pick(surnames)];
    if (new Set(words).size < 4) return null;
    return person(
      `${words[0]} ${words[1].charAt(0)}. ${words[2].charAt(0)}. ${words[3]}`,
      words.join(' '),
      true,
    );
  },
  'other names in the middle': (r) => {
    const one = [r.pick(firsts), r.pick(surnames), r.pick(surnames)];
    const two = [one[0], other(r, surnames, one[1]), one[2]];
    if (new Set([...one, ...two]).size < 4) return null;
    return person(one.join(' '), two.join(' '), false);
  },
  'UTF-8 coded twice': (r) => {
    const name = `${r.pick(list('João José Conceição Antônio Lúcia Inês'))} ${r.pick(list('Gonçalves Magalhães Brandão Araújo'))} ${r.pick(surnames)}`;
    return person(double(name), name, true);
  },
};

/** The pairs of all families: so many of each, from one seed. */
export function pairsOf(seed, count) {
  return Object.entries(families).flatMap(([family, make], i) => {
    const random = seeded(seed * 1_000 + i);
    const pairs = [];
    for (let tries = 0; pairs.length < count && tries < count * 20; tries += 1) {
      const pair = make(random);
      if (pair) pairs.push({ family, ...pair });
    }
    return pairs;
  });
}

/** Names of people of the world who are on no list, in the script they would write them in. */
export function harmless(seed, count) {
  const random = seeded(seed);
  const makers = {
    Latin: () => personName(random),
    Cyrillic: () => `${random.pick(cyrillicGiven)[0]} ${random.pick(cyrillicFamilies)[0]}`,
    Arabic: () =>
      `${random.pick(arabicGiven)[0]} ${random.pick(arabicGiven)[0]} ${random.pick(arabicFamilies)[0]}`,
    Han: () => han(random, 0, chinese(random)),
    Hangul: () =>
      korean(random)
        .map(([c]) => c)
        .join(''),
  };
  const shares = [
    'Latin',
    'Latin',
    'Latin',
    'Latin',
    'Latin',
    'Latin',
    'Cyrillic',
    'Arabic',
    'Han',
    'Hangul',
  ];
  return Array.from({ length: count }, (_, i) => {
    const script = shares[i % shares.length];
    return { script, name: makers[script]() };
  });
}

const forms = list('Ltda ME EIRELI EPP');
/** The evasions that the asking side reads as the name of an organisation. */
export const asOrganisation = new Set(['the name of a shop', 'the name of a shop with its trade']);

/** What is done to a listed name to keep it from being found. */
export const evasions = {
  'the name of a shop': (name, r) => `${r.pick(shops)} ${name.replaceAll(',', '')} ${r.pick(forms)}`,
  'the name of a shop with its trade': (name, r) =>
    `${name.replaceAll(',', '')} Comércio de ${r.pick(list('Alimentos Calçados Tecidos Ferragens'))} ${r.pick(forms)}`,
  'filler before': (name, r) => `${r.pick(fillers)} ${r.pick(fillers)} ${name}`,
  'filler after': (name, r) => `${name} ${r.pick(fillers)} ${1000 + r.below(9000)}`,
  'filler inside': (name, r) => {
    const words = name.split(/\s+/);
    if (words.length < 2) return null;
    words.splice(1 + r.below(words.length - 1), 0, r.pick(fillers));
    return words.join(' ');
  },
  'joined with another name': (name, r) => `${name}${r.pick([' e ', ' & ', ' / '])}${long(r)}`,
  'family name first': (name) => {
    const words = name.replace(',', '').split(/\s+/);
    return words.length < 2 ? null : [words.at(-1), ...words.slice(0, -1)].join(' ');
  },
  'other letters': (name) => {
    const cyrillic = {
      a: 'а',
      e: 'е',
      o: 'о',
      p: 'р',
      c: 'с',
      y: 'у',
      x: 'х',
      A: 'А',
      E: 'Е',
      O: 'О',
      P: 'Р',
      C: 'С',
      T: 'Т',
      H: 'Н',
      K: 'К',
      M: 'М',
      B: 'В',
    };
    const changed = [...name].map((c) => cyrillic[c] ?? c).join('');
    return changed === name ? null : changed;
  },
};
