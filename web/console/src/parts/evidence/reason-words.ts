/** Why a part of an evaluation has its state, where its facts are from, and what speaks against a score, in words. */
import { currentLanguage } from '../../texts/language.js';
import { word } from '../../texts/words.js';

type Both = readonly [pt: string, en: string];

const REASONS: Readonly<Record<string, Both>> = {
  NOT_DECLARED: ['não declarado', 'not declared'],
  PEP_NOT_DECLARED: ['PEP não declarada', 'PEP not declared'],
  PEP_BY_RARE_NAME: ['nome raro em lista de PEP', 'rare name on a list of PEPs'],
  NOT_CLASSIFIED: ['risco não classificado', 'risk not classified'],
  NOT_CHOSEN: ['não escolhido pelo cliente', 'not chosen by the customer'],
  NOT_SENT: ['não enviado', 'not sent'],
  NOT_PIX: ['não é Pix', 'not PIX'],
  WINDOW_INCOMPLETE: ['histórico incompleto', 'history incomplete'],
  HISTORY_NOT_FILLED: ['histórico ainda não preenchido', 'history not filled in yet'],
  NO_TRANSACTIONS: ['sem transações', 'no transactions'],
  NO_EVENTS: ['sem eventos', 'no events'],
  EVENTS_NOT_SENT: ['o aplicativo nunca enviou tais eventos', 'the application never sent such events'],
  NO_CUSTOMER_KEY: ['cliente não identificado', 'customer not identified'],
  NO_CUSTOMER_ID_AND_NO_DOCUMENT: ['sem número de cliente e sem documento', 'no customer id and no document'],
  NO_DOCUMENT: ['sem documento', 'no document'],
  DOCUMENT_MASKED: ['documento mascarado', 'masked document'],
  CUSTOMER_NOT_NAMED: ['cliente sem nome', 'customer without a name'],
  COUNTERPARTY_NOT_NAMED: ['contraparte sem nome', 'counterparty without a name'],
  COUNTERPARTY_NOT_IDENTIFIED: ['contraparte não identificada', 'counterparty not identified'],
  COUNTERPARTY_WITHOUT_DOCUMENT: ['contraparte sem documento', 'counterparty without a document'],
  NOBODY_TO_SCREEN: ['ninguém a comparar com listas', 'nobody to screen'],
  NOTHING_TO_COMPARE: ['nada a comparar', 'nothing to compare'],
  NAME_NOT_COMPARED: ['nome não comparado', 'name not compared'],
  TOO_MANY_MATCHES: ['nomes parecidos demais', 'too many similar names'],
  HIT_UNDECIDED: ['nome em lista ainda não decidido', 'name on a list not decided yet'],
  NO_LISTS: ['sem listas', 'no lists'],
  LIST_STALE: ['lista desatualizada', 'list out of date'],
  NO_IP: ['sem endereço IP', 'no IP address'],
  NO_DEVICE: ['sem dispositivo', 'no device'],
  NO_DEVICE_AND_NO_IP: ['sem dispositivo e sem endereço IP', 'no device and no IP address'],
  DIRECTION_UNKNOWN: ['direção desconhecida', 'direction unknown'],
  DIRECTION_ASSUMED: ['direção presumida', 'direction assumed'],
  DICT_NOT_SENT: ['dados do DICT não enviados', 'DICT data not sent'],
  DICT_MALFORMED: ['dados do DICT ilegíveis', 'DICT data unreadable'],
  FX_RATE_STALE: ['taxa de câmbio antiga', 'exchange rate out of date'],
  FX_RATE_MISSING: ['sem taxa de câmbio', 'no exchange rate'],
  UNKNOWN_TYPE: ['tipo de transação desconhecido', 'unknown type of transaction'],
  WRONG_TYPE: ['valor de outro tipo', 'value of another type'],
  METADATA_IGNORED: ['dado ignorado', 'data ignored'],
  RULE_INDETERMINATE: ['uma regra não pôde ser decidida', 'a rule could not be decided'],
  NO_PUBLISHED_RULESET: ['nenhum conjunto de regras em vigor', 'no ruleset in force'],
  RULESET_ALTERED: ['conjunto de regras alterado no banco', 'ruleset altered in the database'],
  NO_PROVIDER: ['sem provedor', 'no provider'],
  PROVIDER_ABSENT: ['sem provedor', 'no provider'],
  PROVIDER_FAILED: ['o provedor falhou', 'the provider failed'],
  PROVIDER_UNREACHABLE: ['o provedor não respondeu', 'the provider did not answer'],
  PROVIDER_NO_TIME: ['o provedor não respondeu a tempo', 'the provider did not answer in time'],
  PROVIDER_MALFORMED: ['resposta ilegível do provedor', 'unreadable answer of the provider'],
  PROVIDER_CIRCUIT_OPEN: ['provedor em pausa por falhas', 'provider paused after failures'],
  EVIDENCE_STATUS: ['o provedor falhou', 'the provider failed'],
  EVIDENCE_TOO_LARGE: ['resposta do provedor grande demais', 'answer of the provider too large'],
  EVIDENCE_NOT_JSON: ['resposta ilegível do provedor', 'unreadable answer of the provider'],
  EVIDENCE_MALFORMED: ['resposta ilegível do provedor', 'unreadable answer of the provider'],
  EVIDENCE_TIMEOUT: ['o provedor não respondeu a tempo', 'the provider did not answer in time'],
  EVIDENCE_UNREACHABLE: ['o provedor não respondeu', 'the provider did not answer'],
  EVIDENCE_CIRCUIT_OPEN: ['provedor em pausa por falhas', 'provider paused after failures'],
  WITHHELD: ['retido', 'withheld'],
  MAGIC_DOCUMENT: ['documento de teste', 'test document'],
};

const SOURCES: Readonly<Record<string, Both>> = {
  submission: ['envio', 'submission'],
  provider: ['provedor', 'provider'],
  fx_rates: ['taxas de câmbio', 'exchange rates'],
  customers: ['cadastro do cliente', 'customer profile'],
  sandbox: ['sandbox', 'sandbox'],
  'metadata.dict': ['dados do DICT no envio', 'DICT data in the submission'],
  kyt_transactions: ['transações armazenadas', 'stored transactions'],
  rulesets: ['conjuntos de regras', 'rulesets'],
  snapshot: ['resumo da avaliação', 'summary of the evaluation'],
  'built-in': ['do próprio serviço', 'the service itself'],
  none: ['', ''],
};

const AGAINST: Readonly<Record<string, Both>> = {
  AUDIT_TRAIL_INCOMPLETE: ['trilha de auditoria incompleta', 'incomplete audit log'],
  FROZEN: ['bens bloqueados', 'frozen assets'],
  SINGLE_CONTROL: ['decisão de uma só pessoa', 'decision of one person alone'],
};

const inTongue = (both: Both | undefined): string | undefined => both?.[currentLanguage() === 'pt' ? 0 : 1];

/** A code of a newer service in lower case, so that it reads as what it is: a word of the service. */
const asWords = (code: string): string => code.toLowerCase().replaceAll('_', ' ');

/** The reason of a component: a code, and after a colon what it is about. */
export function reasonWords(reason: string): string {
  const [code = '', ...about] = reason.split(':');
  const said = about.map((one) => inTongue(REASONS[one]) ?? one);
  // The key of a rule, and why that rule could not tell.
  if (code.includes('-')) return `${code}: ${said.join(' ')}`;
  return [inTongue(REASONS[code]) ?? asWords(code), ...said].join(' ');
}

export const sourceWords = (source: string): string => inTongue(SOURCES[source]) ?? source;

const GAP = /^(.+)_(PARTIAL|ERROR|MISSING_INPUT|SKIPPED|STALE_SOURCE)$/;

/** Why something cannot be defended: a component and its state, or a code. */
export function gapWords(code: string): string {
  const [, component, state] = GAP.exec(code) ?? [];
  if (component === undefined || state === undefined) return inTongue(AGAINST[code]) ?? asWords(code);
  return `${word('component', component)}: ${word('evidence', state).toLocaleLowerCase()}`;
}

/** Returns a sentence of the service with words in the place of its codes. */
export const withoutCodes = (sentence: string): string =>
  sentence.replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (code) => {
    const [, component, state] = GAP.exec(code) ?? [];
    if (component === undefined || state === undefined) return gapWords(code);
    return `${word('component', component)} (${word('evidence', state).toLocaleLowerCase()})`;
  });
