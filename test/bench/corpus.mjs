/**
 * Fictional but plausible Brazilian transactions: 100,000 customers of skewed activity, the same on every run. So many,
 * because at a thousand transactions a second 5,000 customers would have hundreds in an hour each: every fifth
 * transaction would go to review and every second would ask for a session, which measures the alarms and not the work.
 */
const CUSTOMERS = 100_000;
const COUNTERPARTIES = 150_000;
const PAYEES_SEED = 20_260_102;
/** Zipf-Mandelbrot: the busiest customer is six times as active as the least. */
const SKEW_OFFSET = 20_000;

export const ID_WIDTH = 9;
/** The moment and the sequence number are overwritten in place for each request: only their widths matter here. */
const ANY_MOMENT = '2026-01-01T00:00:00.000Z';

const FIRST = (
  'Ana Bruno Carla Diego Elisa Felipe Gabriela Heitor Isabela Joao Karina Lucas Marina Nelson Olivia Paulo ' +
  'Quiteria Rafael Sofia Tiago Ursula Vinicius Wesley Yasmin Zilda'
).split(' ');
const LAST = (
  'Almeida Barbosa Cardoso Duarte Esteves Ferreira Gomes Henriques Ibanez Junqueira Klein Lima Macedo ' +
  'Nogueira Oliveira Pereira Queiroz Ramos Siqueira Teixeira Uchoa Vasconcelos Xavier Zanetti'
).split(' ');
const TRADES = ['Mercado', 'Padaria', 'Farmacia', 'Livraria', 'Oficina', 'Posto', 'Papelaria', 'Restaurante'];
const BANKS = ['60701190', '00000000', '00360305', '90400888', '18236120', '60746948'];
const TYPES = [
  { type: 'PIX_TRANSFER', share: 0.7 },
  { type: 'PIX_PAYMENT', share: 0.12 },
  { type: 'CARD_PURCHASE', share: 0.1 },
  { type: 'TED_TRANSFER', share: 0.04 },
  { type: 'BOLETO_PAYMENT', share: 0.04 },
];
const DICT = { statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } } };
const CHANNELS = ['MOBILE_APP', 'MOBILE_APP', 'MOBILE_APP', 'WEB', 'API'];

/** Mulberry32: small, fast and seedable, so that every run sends the same people and amounts. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const digits = (random, count) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');

function checkDigit(number, weights) {
  const rest = weights.reduce((sum, weight, at) => sum + weight * Number(number[at]), 0) % 11;
  return rest < 2 ? 0 : 11 - rest;
}

function cpf(random) {
  const base = digits(random, 9);
  const first = checkDigit(base, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return `${base}${first}${checkDigit(`${base}${first}`, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])}`;
}

function cnpj(random) {
  const base = `${digits(random, 8)}0001`;
  const first = checkDigit(base, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  return `${base}${first}${checkDigit(`${base}${first}`, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])}`;
}

/**
 * Returns `next()`, which makes one transaction object after another; of `strangers` each is of a customer of its own,
 * whom no other seed has.
 */
export function transactionSource(seed, strangers = false) {
  // The same payees for all: only the customers are strangers.
  let random = seededRandom(PAYEES_SEED);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const account = () => ({
    accountReference: `${digits(random, 4)}-${digits(random, 6)}`,
    bankReference: pick(BANKS),
    country: 'BR',
  });
  const person = () => ({
    name: `${pick(FIRST)} ${pick(LAST)} ${pick(LAST)}`,
    cpfCnpj: cpf(random),
    ...account(),
  });
  const company = () => ({ name: `${pick(TRADES)} ${pick(LAST)} Ltda`, cpfCnpj: cnpj(random), ...account() });
  const counterparties = Array.from({ length: COUNTERPARTIES }, (_, at) =>
    at % 4 === 0 ? company() : person(),
  );
  random = seededRandom(seed);
  const newCustomer = (name) => ({
    externalCustomerId: `customer-${name}`,
    party: person(),
    devices: [`dev-${digits(random, 12)}`, `dev-${digits(random, 12)}`],
    network: `177.${Math.floor(random() * 200)}.${Math.floor(random() * 250)}`,
    circle: Array.from({ length: 6 }, () => Math.floor(random() * COUNTERPARTIES)),
  });
  let newcomers = 0;
  const customers = Array.from({ length: strangers ? 0 : CUSTOMERS }, (_, at) =>
    newCustomer(String(at).padStart(5, '0')),
  );
  const cumulative = [];
  for (let rank = 0, total = 0; rank < CUSTOMERS; rank++)
    cumulative.push((total += 1 / (rank + 1 + SKEW_OFFSET)));

  const customer = () => {
    const target = random() * cumulative[CUSTOMERS - 1];
    let low = 0;
    for (let high = CUSTOMERS - 1; low < high;) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] < target) low = middle + 1;
      else high = middle;
    }
    return customers[low];
  };
  const kind = () => {
    let rest = random();
    return (TYPES.find(({ share }) => (rest -= share) < 0) ?? TYPES[0]).type;
  };
  /** Log-normal around R$ 120 with a tail of tens of thousands; never below 10, so that three digits can vary. */
  const amount = () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.min(250_000, Math.max(10, 120 * Math.exp(1.3 * normal))).toFixed(2);
  };

  return {
    /** One transaction as JSON text (the amount keeps its two decimals, which `JSON.stringify` would drop). */
    next() {
      const { externalCustomerId, party, devices, network, circle } = strangers
        ? newCustomer(`${seed}-${++newcomers}`)
        : customer();
      const known = random() < 0.8;
      const destination = counterparties[known ? pick(circle) : Math.floor(random() * COUNTERPARTIES)];
      const type = kind();
      return JSON.stringify({
        transactionId: `bench-000000-${'0'.repeat(ID_WIDTH)}`,
        externalCustomerId,
        cpfCnpj: party.cpfCnpj,
        type,
        channel: pick(CHANNELS),
        amount: 0,
        currency: 'BRL',
        occurredAt: ANY_MOMENT,
        origin: party,
        destination,
        metadata: {
          deviceId: devices[random() < 0.9 ? 0 : 1],
          // Without what rules demand every transaction would be a case.
          deviceRegistered: true,
          ipAddress: `${network}.${1 + Math.floor(random() * 8)}`,
          ...(type.startsWith('PIX_') ? { dict: DICT } : {}),
          ...(type === 'CARD_PURCHASE' ? { declines: 0 } : {}),
        },
      }).replace('"amount":0', `"amount":${amount()}`);
    },
  };
}

const EVENT_TYPES = ['LOGIN', 'LOGIN', 'LOGIN', 'DEVICE_ENROLLED', 'PASSWORD_CHANGED', 'LIMIT_RAISED'];

/** An event of the customer of a serialized transaction, with digits that vary as its amount does. */
export function eventOf(text) {
  const { transactionId, externalCustomerId, cpfCnpj, channel, occurredAt, origin, metadata } =
    JSON.parse(text);
  const amount = /"amount":([\d.]+)/.exec(text)[1];
  return JSON.stringify({
    eventId: transactionId,
    type: EVENT_TYPES[Number(cpfCnpj.at(-3)) % EVENT_TYPES.length],
    externalCustomerId,
    cpfCnpj,
    channel,
    occurredAt,
    accountReference: origin.accountReference,
    deviceId: metadata.deviceId,
    ipAddress: metadata.ipAddress,
    metadata: { amount: 0 },
  }).replace('"amount":0', `"amount":${amount}`);
}

/** Where in a serialized transaction or event the id's tag and number, the varying amount digits and the moment stand. */
export function patchPoints(bytes, from) {
  const after = (text) => bytes.indexOf(text, from, 'latin1') + text.length;
  const tag = after('Id":"bench-');
  const decimalPoint = bytes.indexOf('.', after('"amount":'), 'latin1');
  return { tag, sequence: tag + 7, unitDigit: decimalPoint - 1, moment: after('"occurredAt":"') };
}
