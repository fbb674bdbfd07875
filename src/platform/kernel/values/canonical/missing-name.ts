import { placeholders } from './plain-text.js';

// Phrases that mean "no name". They are compared without spaces, accents and case.
const PHRASES = [
  'nao informado, nao informada, nao identificado, nao identificada, nao cadastrado, nao cadastrada',
  'nao declarado, nao declarada, nao especificado, nao preenchido, nao fornecido, nao localizado',
  'nao encontrado, nao sabe, nao tem, nao ha, sem nome, sem identificacao, sem dados, sem cadastro',
  'sem registro, a informar, anonimo, anonima, indefinido, indefinida, nulo, not given, not known',
  'not specified, not disclosed, not identified, not supplied, not set, not found, not entered',
  'not stated, not recorded, no data, no name, no name given, nameless, unnamed, unidentified',
  'unspecified, anonymous, missing, to be determined, to be advised, no informado, no informada',
  'no disponible, no aplica, no consta, no identificado, no identificada, no proporcionado',
  'no especificado, no declarado, no registrado, no tiene, no se conoce, se desconoce, sin nombre',
  'sin informacion, sin informar, sin identificar, sin datos, sin registro, desconocido, desconocida',
  'ninguno, ninguna, vacio, tbd, tba, fulano de tal, teste, test, asdf, qwerty, john doe, jane doe',
]
  .join(', ')
  .split(', ');
const NO_NAMES = new Set([...placeholders, ...PHRASES.map((phrase) => phrase.replaceAll(' ', ''))]);
// Labels of form fields. A placeholder next to a label is still a placeholder: `nome: N/A`.
const LABELS = [
  ...['nome', 'name', 'nombre', 'cliente', 'customer', 'client', 'beneficiario', 'beneficiary', 'favorecido'],
  ...['destinatario', 'recipient', 'payee', 'pagador', 'payer', 'remetente', 'sender', 'titular', 'holder'],
];
const LABEL = new RegExp(`(?<![a-z])(?:${LABELS.join('|')})(?![a-z])`, 'g');
// A fast path: every placeholder begins with one of these words or is one letter again and again, and nearly no name.
const FIRST_WORDS = new Set([
  ...NO_NAMES,
  ...LABELS,
  ...PHRASES.map((phrase) => phrase.replace(/ .*/, '')),
  ...['n', 's', 't'], // N/A, S/N, T.B.D.
]);
// Software that joins two missing names writes `undefined undefined`. `Na Na` is a real name.
const REPEATED = /^(\S{3,}?)(?:[\s,;]+\1)+$/;
/** The letter X however often, or another letter at least three times. */
const ONE_LETTER = /^(?:x*|([a-z])\1{2,})$/;
const MAX_NO_NAME = 40;
// `Cliente Na` may be a person: next to a label, up to three letters count as a name.
const MAX_SHORT_NAME = 3;
const PLAIN = /^[\x20-\x7e]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * True if a text is the name of a person or an organisation. False if it has no letter of any script, or is a
 * placeholder: `N/A`, `NAO INFORMADO`, `null null`, `xxx`. A placeholder word within a longer name is part of the name.
 */
export function isRealName(text: string): boolean {
  const isPlain = PLAIN.test(text);
  const visibleText = (isPlain ? text : text.replace(INVISIBLE, '')).trim();
  if (!/\p{L}/u.test(visibleText)) return false;
  if (visibleText.length > MAX_NO_NAME) return true;
  const unaccented = (
    isPlain ? visibleText : visibleText.normalize('NFKD').replace(/\p{M}/gu, '')
  ).toLowerCase();
  const [first = ''] = /[a-z]+/.exec(unaccented) ?? [];
  if (first === '' || !(FIRST_WORDS.has(first) || ONE_LETTER.test(first))) return true;
  const letters = lettersOf(unaccented);
  if (standsForNone(letters)) return false;
  const once = REPEATED.exec(unaccented)?.[1];
  if (once !== undefined && standsForNone(lettersOf(once))) return false;
  const rest = lettersOf(unaccented.replace(LABEL, ''));
  const isLabelled = rest !== letters && (rest.length === 0 || rest.length > MAX_SHORT_NAME);
  return !(isLabelled && standsForNone(rest));
}

const lettersOf = (plain: string): string => plain.replace(/[^\p{L}\p{N}]+/gu, '');

const standsForNone = (letters: string): boolean => ONE_LETTER.test(letters) || NO_NAMES.has(letters);
