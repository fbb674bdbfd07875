import { isPlaceholder } from './plain-text.js';

// Compared without spaces, accents and case.
const NO_NAMES = new Set(
  [
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
    'ninguno, ninguna, vacio, tbd, tba',
  ]
    .join()
    .replaceAll(' ', '')
    .split(','),
);
// Forms call the field or the person so; beside such a word a placeholder still is one.
const LABELS = new Set([
  ...['nome', 'name', 'nombre', 'cliente', 'customer', 'client', 'beneficiario', 'beneficiary', 'favorecido'],
  ...['destinatario', 'recipient', 'payee', 'pagador', 'payer', 'remetente', 'sender', 'titular', 'holder'],
]);
const MAX_NO_NAME = 40;
const PLAIN = /^[\x20-\x7e]*$/;
const MIN_REPEATED = 3;
// "Cliente Na" may be somebody.
const MAX_SHORT_NAME = 3;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * True for a text that names somebody. One without a letter of any script does not, nor does what stands where a name is
 * missing: `N/A`, `NAO INFORMADO`, `null null`, `xxx`. Such a word within a longer name is a part of it.
 */
export function isName(text: string): boolean {
  const isPlain = PLAIN.test(text);
  const seen = isPlain ? text.trim() : text.replace(INVISIBLE, '').trim();
  if (!/\p{L}/u.test(seen)) return false;
  if (seen.length > MAX_NO_NAME) return true;
  const plain = (isPlain ? seen : seen.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();
  // Placeholders are in Latin letters.
  if (!/^\P{L}*[a-z]/u.test(plain)) return true;
  const words = plain.split(/[^\p{L}\p{N}/.]+/u).filter((word) => word !== '');
  const [first = ''] = words;
  // `undefined undefined`, as programs write two names that they lack; "Na Na" is a name.
  if (first.length >= MIN_REPEATED && words.every((word) => word === first)) words.length = 1;
  const rest = words.filter((word) => !LABELS.has(word)).join('');
  const isLabelled = rest.length === 0 || rest.length > MAX_SHORT_NAME;
  return !standsForNone(words.join('')) && !(isLabelled && standsForNone(rest));
}

function standsForNone(written: string): boolean {
  const letters = written.replace(/[^\p{L}\p{N}]/gu, '');
  return /^x*$/.test(letters) || isPlaceholder(letters) || NO_NAMES.has(letters);
}
