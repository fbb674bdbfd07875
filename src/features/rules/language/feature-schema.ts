import type {
  ComponentName,
  FeatureDefinition,
  FeatureSource,
  FeatureType,
  FeatureWindow,
  Unit,
} from './vocabulary.js';

/** Properties of a feature that override the defaults of its section. */
interface FeatureOptions {
  readonly window?: FeatureWindow;
  readonly unit?: Unit;
  readonly nullable?: boolean;
  readonly personal?: boolean;
  readonly capped?: boolean;
  readonly includesCurrent?: boolean;
}

type Row<Name extends string> = readonly [
  number: number,
  name: Name,
  type: FeatureType,
  labelPt: string,
  labelEn: string,
  description: string,
  extra?: FeatureOptions,
];

const section = <const Name extends string>(
  source: FeatureSource,
  component: ComponentName,
  defaults: FeatureOptions,
  rows: readonly Row<Name>[],
): readonly FeatureDefinition<Name>[] =>
  rows.map(([number, name, type, pt, en, description, extra]) => ({
    number,
    name,
    type,
    source,
    component,
    window: null,
    unit: null,
    nullable: false,
    personal: false,
    capped: false,
    includesCurrent: false,
    ...defaults,
    ...extra,
    description,
    label: { 'pt-BR': pt, en },
  }));

const PERSONAL = { nullable: true, personal: true } as const;

const transaction = section('TRANSACTION', 'RULES', { includesCurrent: true }, [
  [
    0,
    'type',
    'string',
    'o tipo da transação',
    'the transaction type',
    'The type as submitted, such as PIX_TRANSFER.',
  ],
  [
    95,
    'typeKnown',
    'bool',
    'o tipo está no catálogo',
    'the type is in the catalogue',
    'Whether the type is one of the catalogue; an evaluation of another one cannot be defended, unless the ruleset names it.',
  ],
  [
    1,
    'instrument',
    'string',
    'o instrumento',
    'the instrument',
    'PIX, TED, BOOK, BOLETO, CARD, CASH, ACCOUNT, LOAN, FX, CRYPTO, BET or OTHER, from the catalogue of types; OTHER for a type that is not in it.',
  ],
  [
    2,
    'cash',
    'bool',
    'é em espécie',
    'it is in cash',
    'Whether banknotes change hands, from the catalogue of types; MISSING for a type that is not in it, unless it is named CASH_*.',
    { nullable: true },
  ],
  [3, 'channel', 'string', 'o canal', 'the channel', 'The channel as submitted, such as MOBILE_APP.'],
  [4, 'currency', 'string', 'a moeda', 'the currency', 'ISO 4217, as submitted.'],
  [
    5,
    'amount',
    'number',
    'o valor na moeda da transação',
    'the amount in its currency',
    'The amount in the currency of the transaction.',
    { unit: 'MONEY' },
  ],
  [
    6,
    'occurredAt',
    'time',
    'o momento da transação',
    'the moment of the transaction',
    'When it happened, as submitted.',
  ],
  [7, 'receivedAt', 'time', 'o momento do recebimento', 'the moment of receipt', 'When it was received.'],
  [
    8,
    'direction',
    'string',
    'a direção',
    'the direction',
    "IN or OUT, seen from the customer's account; MISSING when nothing tells it.",
    { nullable: true },
  ],
  [
    9,
    'directionAssumed',
    'bool',
    'a direção é presumida',
    'the direction is assumed',
    'Whether the direction is only the default of the type.',
  ],
  [
    10,
    'sameHolder',
    'bool',
    'origem e destino são do mesmo titular',
    'both sides have the same holder',
    'Whether origin and destination have the same full, valid document; false when both are full and differ; MISSING when one is missing or masked.',
    { nullable: true },
  ],
  [
    11,
    'countries',
    'strings',
    'os países dos participantes',
    'the countries of the participants',
    'ISO 3166-1 alpha-2 codes that origin and destination name, each once. A participant who is named, identified or has an account has to name one, and both have to of FX_*, CRYPTO_* and types that are not in the catalogue: else only a part is known, and MISSING when there is none.',
    { nullable: true, capped: true },
  ],
  [
    12,
    'crossBorder',
    'bool',
    'é internacional',
    'it crosses a border',
    'True when both countries are given and differ, or the type is FX_INBOUND or FX_OUTBOUND; false when they are equal, or none differs and the type stays in Brazil; else MISSING.',
    { nullable: true },
  ],
]);

const customer = section('TRANSACTION', 'IDENTITY', { includesCurrent: true }, [
  [
    13,
    'customer.id',
    'string',
    'o código do cliente',
    "the customer's id",
    'externalCustomerId as submitted.',
    PERSONAL,
  ],
  [
    14,
    'customer.document',
    'string',
    'o documento do cliente',
    "the customer's document",
    'CPF or CNPJ of the customer, characters only; MISSING when it is missing or masked.',
    PERSONAL,
  ],
  [
    15,
    'customer.documentMasked',
    'bool',
    'o documento do cliente está mascarado',
    "the customer's document is masked",
    "Whether the customer's document was submitted masked; false when none was.",
  ],
]);

const customerType = section('PROFILE', 'IDENTITY', {}, [
  [
    16,
    'customer.personType',
    'string',
    'o tipo de pessoa do cliente',
    "the customer's kind of person",
    "NATURAL or LEGAL: from the profile, else from the customer's document (CPF, CNPJ, masked or not), else MISSING.",
    { nullable: true },
  ],
]);

const party = <const Side extends 'origin' | 'destination'>(side: Side, pt: string) => {
  const en = side === 'origin' ? 'the origin' : 'the destination';
  const at = (origin: number, destination: number): number => (side === 'origin' ? origin : destination);
  return section('TRANSACTION', 'COUNTERPARTY', { includesCurrent: true }, [
    [
      at(17, 28),
      `${side}.name`,
      'string',
      `o nome ${pt}`,
      `the name of ${en}`,
      'Name as submitted.',
      PERSONAL,
    ],
    [
      at(18, 29),
      `${side}.document`,
      'string',
      `o documento ${pt}`,
      `the document of ${en}`,
      'CPF or CNPJ, characters only; MISSING when it is missing or masked.',
      PERSONAL,
    ],
    [
      at(19, 30),
      `${side}.account`,
      'string',
      `a conta ${pt}`,
      `the account of ${en}`,
      'accountReference as submitted.',
      PERSONAL,
    ],
    [
      at(20, 31),
      `${side}.bank`,
      'string',
      `o banco ${pt}`,
      `the bank of ${en}`,
      'bankReference as submitted.',
      PERSONAL,
    ],
    [
      at(21, 32),
      `${side}.wallet`,
      'string',
      `a carteira ${pt}`,
      `the wallet of ${en}`,
      'walletReference as submitted.',
      PERSONAL,
    ],
    [
      at(22, 33),
      `${side}.country`,
      'string',
      `o país ${pt}`,
      `the country of ${en}`,
      'ISO 3166-1 alpha-2, as submitted.',
      { nullable: true },
    ],
    [
      at(23, 34),
      `${side}.nameGiven`,
      'bool',
      `há nome ${pt}`,
      `${en} has a name`,
      'Whether a name was submitted; never unknown.',
    ],
    [
      at(24, 35),
      `${side}.documentGiven`,
      'bool',
      `há documento ${pt}`,
      `${en} has a document`,
      'Whether a document was submitted, full or masked; never unknown.',
    ],
    [
      at(25, 36),
      `${side}.accountGiven`,
      'bool',
      `há conta ou carteira ${pt}`,
      `${en} has an account or a wallet`,
      'Whether accountReference or walletReference was submitted; never unknown.',
    ],
    [
      at(26, 37),
      `${side}.addressGiven`,
      'bool',
      `há endereço ${pt}`,
      `${en} has an address`,
      "Whether the participant's metadata.address is a text or an object that is not empty; never unknown.",
    ],
    [
      at(27, 38),
      `${side}.birthDateGiven`,
      'bool',
      `há data de nascimento ${pt}`,
      `${en} has a date of birth`,
      "Whether the participant's metadata.birthDate is a text that is not empty; never unknown.",
    ],
  ]);
};

const money = section('FX', 'FX', { includesCurrent: true, nullable: true }, [
  [
    39,
    'amountBrl',
    'number',
    'o valor em reais',
    'the amount in reais',
    'The amount in BRL, rounded to cents: itself for BRL, else at the newest rate not after occurredAt. MISSING (FX_RATE_MISSING) without a rate.',
    { unit: 'BRL' },
  ],
  [
    40,
    'amountUsd',
    'number',
    'o valor em dólares',
    'the amount in dollars',
    'The amount in USD, rounded to cents: itself for USD, else through BRL. MISSING (FX_RATE_MISSING) without a rate.',
    { unit: 'USD' },
  ],
]);

const VELOCITY = { capped: true, includesCurrent: true } as const;
const HISTORY = { capped: true, includesCurrent: false } as const;
/** Statistics over at most the newest 2,000 transactions, by definition, so none is a lower bound. */
const STATISTICS = { capped: false, includesCurrent: false } as const;

/**
 * Velocity facts of the customer, found by the velocity key; MISSING (NO_CUSTOMER_KEY) without one. Amounts in BRL; a
 * row without a rate is left out and makes the value a lower bound. Windows are (T - w, T] by (occurredAt, seq).
 */
const velocity = section('VELOCITY', 'VELOCITY', VELOCITY, [
  [
    41,
    'outgoing.count1h',
    'number',
    'as saídas em 1 hora',
    'outgoing transactions in 1 hour',
    'Outgoing transactions.',
    { window: '1h', unit: 'COUNT' },
  ],
  [
    42,
    'outgoing.count24h',
    'number',
    'as saídas em 24 horas',
    'outgoing transactions in 24 hours',
    'Outgoing transactions.',
    { window: '24h', unit: 'COUNT' },
  ],
  [
    43,
    'outgoing.sum24h',
    'number',
    'o total de saídas em 24 horas',
    'the outgoing sum of 24 hours',
    'Sum of outgoing amounts.',
    { window: '24h', unit: 'BRL' },
  ],
  [
    44,
    'outgoing.amounts24h',
    'numbers',
    'os valores das saídas em 24 horas',
    'the outgoing amounts of 24 hours',
    'The outgoing amounts, newest first, at most 200.',
    { window: '24h', unit: 'BRL' },
  ],
  [
    45,
    'outgoing.beneficiaries24h',
    'number',
    'os beneficiários distintos em 24 horas',
    'distinct beneficiaries in 24 hours',
    'Distinct counterparties of outgoing transactions; rows without a counterparty key are not counted.',
    { window: '24h', unit: 'COUNT' },
  ],
  [
    46,
    'outgoing.dailyMean30d',
    'number',
    'a média diária de saídas em 30 dias',
    'the daily mean of outgoing sums over 30 days',
    'Sum of outgoing amounts in (T - 31 d, T - 24 h] divided by the whole days of history within it, at least 1 and at most 30; 0 when there are none. The last 24 hours are left out, so that a spike does not raise what it is measured by.',
    { window: '30d', unit: 'BRL', includesCurrent: false },
  ],
  [
    47,
    'outgoing.p95Amount30d',
    'number',
    'o percentil 95 das saídas em 30 dias',
    'the 95th percentile of outgoing amounts over 30 days',
    '95th percentile (nearest rank) of single outgoing amounts, of at most the newest 2,000; 0 when there are none.',
    { window: '30d', unit: 'BRL', ...STATISTICS },
  ],
  [
    48,
    'incoming.count24h',
    'number',
    'as entradas em 24 horas',
    'incoming transactions in 24 hours',
    'Incoming transactions.',
    { window: '24h', unit: 'COUNT' },
  ],
  [
    49,
    'incoming.sum24h',
    'number',
    'o total de entradas em 24 horas',
    'the incoming sum of 24 hours',
    'Sum of incoming amounts.',
    { window: '24h', unit: 'BRL' },
  ],
  [
    50,
    'incoming.sum7d',
    'number',
    'o total de entradas em 7 dias',
    'the incoming sum of 7 days',
    'Sum of incoming amounts.',
    { window: '7d', unit: 'BRL' },
  ],
  [
    51,
    'incoming.sum30d',
    'number',
    'o total de entradas em 30 dias',
    'the incoming sum of 30 days',
    'Sum of incoming amounts.',
    { window: '30d', unit: 'BRL' },
  ],
  [
    52,
    'incoming.payers24h',
    'number',
    'os pagadores distintos em 24 horas',
    'distinct payers in 24 hours',
    'Distinct counterparties of incoming transactions; rows without a counterparty key are not counted.',
    { window: '24h', unit: 'COUNT' },
  ],
  [
    53,
    'incoming.payers7d',
    'number',
    'os pagadores distintos em 7 dias',
    'distinct payers in 7 days',
    'Distinct counterparties of incoming transactions; rows without a counterparty key are not counted.',
    { window: '7d', unit: 'COUNT' },
  ],
  [
    54,
    'activity.sum7d',
    'number',
    'o total movimentado em 7 dias',
    'the sum of all transactions of 7 days',
    'Sum of all amounts, whatever their direction.',
    { window: '7d', unit: 'BRL' },
  ],
  [
    55,
    'activity.amounts7d',
    'numbers',
    'os valores em 7 dias',
    'the amounts of 7 days',
    'All amounts, whatever their direction, newest first, at most 200.',
    { window: '7d', unit: 'BRL' },
  ],
  [
    56,
    'activity.longestGapDays7d',
    'number',
    'a maior pausa, em dias, antes de uma transação dos últimos 7 dias',
    'the longest pause, in days, before a transaction of the last 7 days',
    'Longest gap between two consecutive transactions of which the later one lies in the window, in days with fraction; MISSING when the customer has no earlier transaction.',
    { window: '7d', unit: 'DAYS', nullable: true, capped: false },
  ],
  [
    57,
    'activity.count90d',
    'number',
    'as transações em 90 dias',
    'transactions in 90 days',
    'All transactions, whatever their direction.',
    { ...HISTORY, window: '90d', unit: 'COUNT' },
  ],
  [
    58,
    'activity.mean90d',
    'number',
    'a média dos valores em 90 dias',
    'the mean amount of 90 days',
    'Mean of single amounts, of at most the newest 2,000; 0 when there are none.',
    { ...STATISTICS, window: '90d', unit: 'BRL' },
  ],
  [
    59,
    'activity.sd90d',
    'number',
    'o desvio padrão dos valores em 90 dias',
    'the standard deviation of amounts of 90 days',
    'Population standard deviation of single amounts, of at most the newest 2,000; 0 when there are none.',
    { ...STATISTICS, window: '90d', unit: 'BRL' },
  ],
  [
    60,
    'activity.max90d',
    'number',
    'o maior valor em 90 dias',
    'the largest amount of 90 days',
    'Largest single amount of at most the newest 2,000; 0 when there are none.',
    { ...STATISTICS, window: '90d', unit: 'BRL' },
  ],
  [
    61,
    'activity.lastAt',
    'time',
    'a transação anterior',
    'the transaction before',
    'occurredAt of the transaction before this one; MISSING when there is none.',
    { window: 'history', nullable: true, capped: false, includesCurrent: false },
  ],
  [
    62,
    'activity.historyDays',
    'number',
    'os dias de histórico',
    'days of history',
    "Whole days since the customer's first transaction; 0 when this is the first.",
    { window: 'history', unit: 'DAYS', capped: false, includesCurrent: false },
  ],
  [
    63,
    'pair.amounts24h',
    'numbers',
    'os valores ao mesmo beneficiário em 24 horas',
    'the amounts to the same beneficiary in 24 hours',
    'Outgoing amounts from this customer to this counterparty, newest first, at most 200; MISSING (NO_COUNTERPARTY_KEY) without a counterparty.',
    { window: '24h', unit: 'BRL', nullable: true },
  ],
  [
    64,
    'cash.amounts5bd',
    'numbers',
    'os valores em espécie em 5 dias úteis',
    'the cash amounts of 5 business days',
    "Amounts of the customer's transactions with banknotes (CASH_*) in the direction of this one, newest first, at most 200; empty when this one is not CASH_*.",
    { window: '5bd', unit: 'BRL' },
  ],
  [
    65,
    'card.amounts10m',
    'numbers',
    'os valores de compras com cartão em 10 minutos',
    'the card purchases of 10 minutes',
    "Amounts of the customer's transactions of type CARD_PURCHASE, newest first, at most 200.",
    { window: '10m', unit: 'BRL' },
  ],
]);

const counterparty = section('VELOCITY', 'COUNTERPARTY', { nullable: true }, [
  [
    66,
    'counterparty.seenBefore',
    'bool',
    'a contraparte já é conhecida do cliente',
    'the customer has dealt with the counterparty before',
    'Whether an earlier stored transaction of the customer has the same counterparty; MISSING without a customer or counterparty key.',
    { window: 'history' },
  ],
]);

const counterpartyType = section('TRANSACTION', 'COUNTERPARTY', { nullable: true, includesCurrent: true }, [
  [
    115,
    'counterparty.personType',
    'string',
    'o tipo de pessoa da contraparte',
    "the counterparty's kind of person",
    'NATURAL or LEGAL, from the document of the other side (CPF, CNPJ, masked or not); MISSING without a document or a direction.',
  ],
]);

const device = section('VELOCITY', 'DEVICE_IP', { nullable: true }, [
  [
    68,
    'device.pixOutSumDay',
    'number',
    'o total de PIX enviados pelo dispositivo no dia',
    'the sum of outgoing PIX from the device today',
    "Sum of the customer's outgoing PIX_* from this device; MISSING without a device id.",
    { ...VELOCITY, window: 'day', unit: 'BRL' },
  ],
  [
    69,
    'device.customers24h',
    'number',
    'os clientes no mesmo dispositivo em 24 horas',
    'customers on the same device in 24 hours',
    'Distinct customers with this device; MISSING without a device id.',
    { ...VELOCITY, window: '24h', unit: 'COUNT' },
  ],
  [
    70,
    'ip.customers24h',
    'number',
    'os clientes no mesmo IP em 24 horas',
    'customers on the same IP address in 24 hours',
    'Distinct customers with this IP address; MISSING without one.',
    { ...VELOCITY, window: '24h', unit: 'COUNT' },
  ],
]);

const deviceSubmitted = section('METADATA', 'DEVICE_IP', { includesCurrent: true }, [
  [
    71,
    'device.id',
    'string',
    'o dispositivo',
    'the device',
    'metadata.deviceId in its canonical form: a UUID in small letters with hyphens. MISSING for a placeholder such as zeros.',
    PERSONAL,
  ],
  [
    72,
    'ip.address',
    'string',
    'o endereço IP',
    'the IP address',
    'metadata.ipAddress in its canonical form (RFC 5952), without a port; MISSING for what is no address.',
    PERSONAL,
  ],
  [
    67,
    'device.registered',
    'bool',
    'o dispositivo é cadastrado',
    'the device is registered',
    'metadata.deviceRegistered when it is a boolean: whether the customer has registered the device with the institution; else MISSING.',
    { nullable: true },
  ],
]);

const metadata = section('METADATA', 'RULES', { nullable: true, includesCurrent: true }, [
  [
    73,
    'card.declines10m',
    'number',
    'as recusas do cartão em 10 minutos',
    'declines of the card in 10 minutes',
    'metadata.declines when it is a number: declines that the caller counted in the last ten minutes; else MISSING.',
    { window: '10m', unit: 'COUNT' },
  ],
  [
    96,
    'metadata.ignored',
    'strings',
    'os metadados que não puderam ser lidos',
    'the metadata that could not be read',
    'Members that facts are read from and that were sent under a misspelt name or with a wrong type, by path, such as deviceId; empty when there are none.',
    { nullable: false },
  ],
]);

const application = section('APPLICATION', 'RULES', { includesCurrent: true }, [
  [
    140,
    'application.without',
    'strings',
    'o que o aplicativo não envia',
    'what the application does not send',
    'Of DICT, DEVICE, PROFILE and COUNTERPARTY_DOCUMENT what the application has said not to send, as two people have approved; empty when it said nothing. That it is named here does not mean that it is missing: what comes is used.',
  ],
]);

const dict = section('DICT', 'DICT', { nullable: true, window: '30d', unit: 'COUNT' }, [
  [
    74,
    'dict.confirmedFrauds30d',
    'number',
    'as fraudes confirmadas no DICT em 30 dias',
    'frauds confirmed in DICT in 30 days',
    'Largest CONFIRMED_FRAUDS d30 among KEY, OWNER and ACCOUNT in metadata.dict.statistics; MISSING when the caller sends none.',
  ],
  [
    75,
    'dict.reportedFrauds30d',
    'number',
    'as fraudes relatadas no DICT em 30 dias',
    'frauds reported to DICT in 30 days',
    'Largest REPORTED_FRAUDS d30 among KEY, OWNER and ACCOUNT in metadata.dict.statistics; MISSING when the caller sends none.',
  ],
]);

/** MISSING without a profile, or when the profile lacks the value. */
const profile = section('PROFILE', 'PROFILE', { nullable: true }, [
  [
    76,
    'profile.monthlyIncome',
    'number',
    'a renda mensal declarada',
    'the declared monthly income',
    'Monthly income of a natural person.',
    { unit: 'BRL' },
  ],
  [
    77,
    'profile.monthlyRevenue',
    'number',
    'o faturamento mensal declarado',
    'the declared monthly revenue',
    'Monthly revenue of a legal person.',
    { unit: 'BRL' },
  ],
  [
    78,
    'profile.nightLimit',
    'number',
    'o limite noturno do cliente',
    "the customer's night limit",
    "The customer's own PIX limit at night.",
    { unit: 'BRL' },
  ],
  [
    79,
    'profile.nightStartHour',
    'number',
    'a hora em que começa a noite do cliente',
    "the hour at which the customer's night begins",
    '20, or 22 when the customer has chosen so.',
  ],
  [
    93,
    'profile.pep',
    'bool',
    'o cliente é pessoa politicamente exposta segundo o cadastro',
    'the customer is a politically exposed person by their record',
    "Whether the customer's record says so; MISSING when nobody has declared anything.",
  ],
  [
    94,
    'profile.riskLevel',
    'string',
    'o nível de risco do cliente',
    'the risk level of the customer',
    'LOW, MEDIUM or HIGH, as the institution has classified the customer; MISSING when it has not.',
  ],
  [
    102,
    'profile.age',
    'number',
    'a idade do cliente em anos',
    'the age of the customer in years',
    'Whole years between the date of birth in the record and the local day of the transaction; MISSING when no full date is known.',
    { unit: 'COUNT' },
  ],
  [
    103,
    'profile.occupation',
    'string',
    'a ocupação declarada',
    'the declared occupation',
    'In small letters and without accents, its first 64 characters. Facts are stored in clear: a category, and nothing that names somebody.',
  ],
  [
    104,
    'profile.segment',
    'string',
    'o segmento do cliente',
    'the segment of the customer',
    'As the institution has written it down, its first 64 characters.',
  ],
  [
    105,
    'profile.relationshipDays',
    'number',
    'os dias de relacionamento',
    'the days of the relationship',
    'Whole days from the beginning of the relationship to the local day of the transaction.',
    { unit: 'DAYS' },
  ],
  [
    106,
    'profile.nationalities',
    'strings',
    'as nacionalidades do cliente',
    'the nationalities of the customer',
    'ISO 3166-1 alpha-2 codes, as the record has them; MISSING when it has none.',
  ],
  [
    107,
    'profile.source',
    'string',
    'quem declarou a renda ou o faturamento',
    'who declared the income or the revenue',
    'SESSION (the customer), OPERATOR, CLIENT (the system of the institution) or UPLOAD; MISSING when it is not known.',
  ],
  [
    108,
    'profile.declaredDays',
    'number',
    'a idade do cadastro em dias',
    'the age of the record in days',
    'Whole days from the last statement in the record to the local day of the transaction.',
    { unit: 'DAYS' },
  ],
]);

/**
 * Customer and participants against lists. ERROR or STALE when the index is not ready or the list is too old; never
 * false for that reason. Name scores are 0 to 1.
 */
const lists = section('LISTS', 'LISTS', {}, [
  [
    80,
    'sanctions.documentMatch',
    'bool',
    'documento consta em lista de sanções',
    'a document is on a sanctions list',
    'Whether a full document equals one of an entry of kind SANCTIONS.',
  ],
  [
    81,
    'sanctions.nameScore',
    'number',
    'a semelhança com nome em lista de sanções',
    'the likeness to a name on a sanctions list',
    'Best name score against entries of kind SANCTIONS, those contradicted by birth date or country left out; 0 when there is none.',
    { unit: 'SCORE' },
  ],
  [
    82,
    'sanctions.lists',
    'strings',
    'as listas de sanções',
    'the sanctions lists',
    'Ids of the lists of these entries; empty when there are none.',
  ],
  [
    83,
    'pep.documentMatch',
    'bool',
    'documento corresponde a pessoa politicamente exposta',
    'a document fits a politically exposed person',
    'Whether the visible digits of a document equal those of an entry of kind PEP.',
  ],
  [
    84,
    'pep.nameScore',
    'number',
    'a semelhança com o nome da pessoa politicamente exposta',
    'the likeness to the name of the politically exposed person',
    'Best name score among the entries of kind PEP whose document fits, those in office or in their period of grace first; 0 when there is none.',
    { unit: 'SCORE' },
  ],
  [
    85,
    'pep.active',
    'bool',
    'a pessoa está no cargo ou em carência',
    'the person is in office or in the period of grace',
    'Whether that entry is in force at occurredAt: no end of grace, or one not before that local day; false when there is no entry.',
  ],
  [
    86,
    'blocklist.matches',
    'strings',
    'as chaves em lista de bloqueio',
    'the keys on a blocklist',
    'Kinds of keys with an entry of kind BLOCKLIST in force: DOCUMENT, ACCOUNT, PIX_KEY, WALLET, DEVICE, IP; empty when there are none.',
  ],
  [
    87,
    'debarment.documentMatch',
    'bool',
    'documento consta em lista de impedidos',
    'a document is on a debarment list',
    'Whether a full document equals one of an entry of kind DEBARMENT in force.',
  ],
  [
    101,
    'hits.undecided',
    'bool',
    'uma ocorrência espera por decisão',
    'a hit waits for a decision',
    'Whether a hit about a party forces a decision that nobody has made yet. Then no ruleset approves: the outcome is REVIEW.',
  ],
]);

/** Evidence from an external provider; MISSING when none is configured. */
const evidence = section('EVIDENCE', 'RULES', { nullable: true }, [
  [
    88,
    'evidence.score',
    'number',
    'o escore do provedor externo',
    'the score of the external provider',
    '0 to 100.',
    { unit: 'COUNT' },
  ],
  [
    89,
    'evidence.flags',
    'strings',
    'os alertas do provedor externo',
    'the flags of the external provider',
    'Codes, at most 50.',
  ],
]);

const kyc = section('KYC', 'IDENTITY', { nullable: true }, [
  [
    90,
    'kyc.lastApprovedAt',
    'time',
    'a última verificação aprovada',
    'the last approved verification',
    "When the customer's newest approved verification session ended; MISSING when there is none.",
    { window: 'history' },
  ],
  [
    114,
    'kyc.approvedFlows',
    'strings',
    'os fluxos respondidos pelas verificações aprovadas',
    'the flows that approved verifications answer',
    'Flows that an approved verification session of the customer answers, as KEY@milliseconds of the newest one: its own flow, and every flow that requires no other checks. A step-up is covered only by its own flow; MISSING when there is no approved session.',
    { window: 'history' },
  ],
  [
    112,
    'kyc.lastResult',
    'string',
    'o resultado da última verificação',
    'the result of the last verification',
    "APPROVED, REVIEW or REJECTED: what the customer's newest session that ended with a result came to, as people decided where they did; MISSING when there is none.",
    { window: 'history' },
  ],
  [
    113,
    'kyc.lastEndedAt',
    'time',
    'o fim da última verificação',
    'the end of the last verification',
    'When that session ended.',
    { window: 'history' },
  ],
]);

const ALERT_POINTS =
  'Points of the alerts about the customer, one for each transaction (its newest evaluation), by when the transactions occurred; those of cases that two people closed as false positives are left out. A lower bound when one of them has no score; MISSING (NO_CUSTOMER) when nobody was identified.';

/** Cases about the customer at the time of the evaluation, without those that the transaction itself opens. */
const cases = section('CASES', 'IDENTITY', {}, [
  [
    97,
    'customer.alertPoints7d',
    'number',
    'os pontos de alertas do cliente em 7 dias',
    'the alert points of the customer in 7 days',
    ALERT_POINTS,
    { window: '7d', unit: 'COUNT', capped: true },
  ],
  [
    98,
    'customer.alertPoints30d',
    'number',
    'os pontos de alertas do cliente em 30 dias',
    'the alert points of the customer in 30 days',
    ALERT_POINTS,
    { window: '30d', unit: 'COUNT', capped: true },
  ],
  [
    99,
    'customer.openCases',
    'number',
    'os casos abertos do cliente',
    'the open cases of the customer',
    'Cases about the customer that are not closed, of whatever kind; MISSING (NO_CUSTOMER) when nobody was identified.',
    { unit: 'COUNT' },
  ],
  [
    100,
    'customer.confirmedFraud',
    'bool',
    'há fraude confirmada do cliente',
    'a fraud of the customer is confirmed',
    'Whether a case about the customer with the theme FRAUD, ACCOUNT_TAKEOVER or IDENTITY was closed as REJECTED; MISSING (NO_CUSTOMER) when nobody was identified.',
    { window: 'history' },
  ],
]);

/** Cases about the other party, if a customer has the same document. */
const otherCases = section('CASES', 'COUNTERPARTY', {}, [
  [
    109,
    'counterparty.isCustomer',
    'bool',
    'a contraparte também é cliente',
    'the counterparty is a customer as well',
    'Whether there is a customer with the document of the counterparty; MISSING (NO_COUNTERPARTY_DOCUMENT) without one.',
    { nullable: true },
  ],
  [
    110,
    'counterparty.confirmedFraud',
    'bool',
    'há fraude confirmada da contraparte',
    'a fraud of the counterparty is confirmed',
    'Whether a case about that customer with the theme FRAUD, ACCOUNT_TAKEOVER or IDENTITY was closed as REJECTED; MISSING (NO_COUNTERPARTY_DOCUMENT) without a document.',
    { nullable: true, window: 'history' },
  ],
  [
    111,
    'counterparty.openCases',
    'number',
    'os casos abertos da contraparte',
    'the open cases of the counterparty',
    'Cases about that customer that are not closed; MISSING (NO_COUNTERPARTY_DOCUMENT) without a document.',
    { nullable: true, unit: 'COUNT' },
  ],
]);

/** Travel-Rule facts of a transfer of virtual assets. */
const wallet = section('METADATA', 'COUNTERPARTY', { nullable: true, includesCurrent: true }, [
  [
    91,
    'wallet.custody',
    'string',
    'a custódia da carteira',
    'the custody of the wallet',
    'metadata.wallet.custody, such as SELF_HOSTED or HOSTED; else MISSING.',
  ],
  [
    92,
    'wallet.ownerVerified',
    'bool',
    'o dono da carteira foi verificado',
    'the owner of the wallet is verified',
    'metadata.wallet.ownerVerified when it is a boolean; else MISSING.',
  ],
]);

/**
 * Every feature of schema version 1, in the order in which people read them. Stored snapshots name a feature by its
 * number, so a number is never changed and never used again: a new feature takes the next free number, whatever its row
 * in this list. The number of a removed feature is added to `retiredNumbers`.
 */
export const featuresV1 = [
  ...transaction,
  ...customer,
  ...customerType,
  ...party('origin', 'da origem'),
  ...party('destination', 'do destino'),
  ...money,
  ...velocity,
  ...counterparty,
  ...counterpartyType,
  ...device,
  ...deviceSubmitted,
  ...metadata,
  ...application,
  ...dict,
  ...profile,
  ...lists,
  ...evidence,
  ...kyc,
  ...cases,
  ...otherCases,
  ...wallet,
];

/** The name of a feature. A provider of facts that misspells one does not compile. */
export type FeatureName = (typeof featuresV1)[number]['name'];

/** Numbers of removed features: stored snapshots may hold them, no other feature may. */
export const retiredNumbers: readonly number[] = [];
