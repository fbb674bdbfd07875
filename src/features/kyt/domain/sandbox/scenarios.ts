import { sha256 } from '../../../../platform/kernel/values/digest.js';
import {
  MAGIC_DOCUMENTS,
  madeUpCpf,
  magicAnswer,
} from '../../../../platform/kernel/values/made-up-tax-ids.js';
import type { SubmittedTransaction } from '../submission/submission.js';
import type { TransactionVerdict } from '../verdict.js';

type Inputs = Omit<SubmittedTransaction, 'transactionId' | 'occurredAt' | 'currency' | 'channel'> & {
  readonly occurredAt?: string;
};

/** A made-up customer, and the time of the transaction in milliseconds since the epoch. */
interface Person {
  readonly customer: string;
  readonly cpf: string;
  readonly now: number;
}

export interface Scenario {
  readonly what: string;
  /** The expected result, as the integrator reads the transaction back. */
  readonly promises: {
    readonly status: 'COMPLETED' | 'DEAD_LETTERED';
    readonly verdict: TransactionVerdict | null;
    readonly defensible: boolean | null;
    readonly reasons?: readonly string[];
  };
  /** The types of the events of the transaction, in order. */
  readonly events: readonly string[];
  /** The instruction for the integrator's next step. */
  readonly then?: string;
  readonly inputs: (person: Person) => Inputs;
  /** A failure that is injected after the providers have answered. */
  readonly fault?: 'STALE_LIST' | 'PROVIDER_DOWN' | 'POISON';
  /** How long the link of the step-up session is valid, in milliseconds. */
  readonly linkLivesMs?: number;
  /** True if the scenario uses up the rate limit of the application. */
  readonly spendsBurst?: true;
}

const QUEUED = 'kyt.transaction.queued';
const COMPLETED = 'kyt.transaction.pipeline.completed';
const DECIDED = [QUEUED, COMPLETED] as const;
const ANSWERED = [QUEUED, COMPLETED, COMPLETED] as const;
const LISTS = ['LISTS_STALE_SOURCE', 'LISTS_ERROR'] as const;

/** The name of the customer; the checks of a session compare it with what is typed there. */
const NAME = 'Ana Exemplo';

const dict = (confirmed: number): object => ({
  statistics: { KEY: { CONFIRMED_FRAUDS: { d30: confirmed }, REPORTED_FRAUDS: { d30: confirmed } } },
});

/** A transfer without any sign of risk. */
const ordinary = ({ customer, cpf }: Person): Inputs => ({
  externalCustomerId: customer,
  cpfCnpj: cpf,
  type: 'PIX_TRANSFER',
  amount: 120.5,
  origin: { name: NAME, cpfCnpj: cpf, accountReference: customer, country: 'BR' },
  destination: { name: 'Loja Exemplo', cpfCnpj: '12345678000195', country: 'BR' },
  metadata: {
    direction: 'OUT',
    deviceId: `device-${customer}`,
    deviceRegistered: true,
    // Shared addresses are suspicious, so each customer has an address of its own, from a network for tests
    // (198.18.0.0/15, RFC 2544).
    ipAddress: addressOf(customer),
    dict: dict(0),
  },
});

const unregistered = (person: Person): Inputs =>
  withMetadata({ ...ordinary(person), amount: 900 }, { deviceRegistered: false });

const withMetadata = (inputs: Inputs, metadata: object): Inputs => ({
  ...inputs,
  metadata: { ...inputs.metadata, ...metadata },
});

const withDestination = (inputs: Inputs, destination: Inputs['destination']): Inputs => ({
  ...inputs,
  destination,
});

/** By the value of `metadata.sandboxScenario`. */
export const scenarios = {
  release: {
    what: 'Nothing speaks against it.',
    promises: { status: 'COMPLETED', verdict: 'RELEASE', defensible: true },
    events: DECIDED,
    inputs: ordinary,
  },
  challenge: {
    what: 'R$ 900 from a device that is not registered: the customer has to confirm who they are.',
    promises: { status: 'COMPLETED', verdict: 'CHALLENGE', defensible: true },
    events: DECIDED,
    then:
      `Finish the session of nextAction, on its page or by its routes, as ${NAME} with the CPF that you sent as cpfCnpj: ` +
      'a photo to /kyc-sessions/{sessionId}/upload, then privacy, name, cpf and birthDate (any adult’s) to ' +
      '/kyc-sessions/{sessionId}/complete. The page says both. Any picture will do, and the same one again. ' +
      `A CPF that begins with ${MAGIC_DOCUMENTS.PASS} ends it well and the transaction is released; one that begins with ` +
      `${MAGIC_DOCUMENTS.FAIL} ends it badly, and the transaction is held.`,
    inputs: unregistered,
  },
  expire_now: {
    what: 'As challenge, with a link that lives for two seconds: within half a minute the session is EXPIRED.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: true },
    events: ANSWERED,
    inputs: unregistered,
    linkLivesMs: 2_000,
  },
  hold: {
    what: 'The key of the destination has confirmed frauds in DICT.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: true, reasons: ['DICT_FRAUD_MARKERS'] },
    events: DECIDED,
    inputs: (person) => withMetadata(ordinary(person), { dict: dict(1) }),
  },
  decline: {
    what: 'The account of the destination is on the blocklist of the institution.',
    promises: { status: 'COMPLETED', verdict: 'DECLINE', defensible: true, reasons: ['BLOCKLIST_HIT'] },
    events: DECIDED,
    inputs: (person) =>
      withDestination(ordinary(person), {
        name: 'Conta Exemplo',
        cpfCnpj: madeUpCpf('900111222'),
        accountReference: '0001/999999-9',
        country: 'BR',
      }),
  },
  sanctions_hit: {
    what: 'The destination is on a list of sanctions; people decide the hit.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: true, reasons: ['SANCTIONS_HIT'] },
    events: DECIDED,
    inputs: (person) =>
      withDestination(ordinary(person), {
        name: 'Zoltan Imaginarov',
        cpfCnpj: madeUpCpf('900111333'),
        accountReference: 'sandbox-sanctioned',
        country: 'BR',
        metadata: { birthDate: '1961-05-04' },
      }),
  },
  pep: {
    what: 'The customer is politically exposed; people decide the hit.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: true, reasons: ['PEP_HIT'] },
    events: DECIDED,
    inputs: ({ now }) => {
      const exposedPerson = { customer: 'sandbox-pep', cpf: madeUpCpf('900982247'), now };
      const { customer, cpf } = exposedPerson;
      const origin = {
        name: 'Helena Quirino Exemplar',
        cpfCnpj: cpf,
        accountReference: customer,
        country: 'BR',
      };
      return { ...ordinary(exposedPerson), origin };
    },
  },
  incomplete: {
    what: 'Nothing is known of the customer: the score cannot be defended.',
    promises: {
      status: 'COMPLETED',
      verdict: 'HOLD',
      defensible: false,
      reasons: ['IDENTITY_MISSING_INPUT'],
    },
    events: DECIDED,
    inputs: (person) => ({ ...ordinary(person), externalCustomerId: null, cpfCnpj: null, origin: {} }),
  },
  stale_list: {
    what: 'The lists were not renewed in time.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: false, reasons: [LISTS[0]] },
    events: DECIDED,
    inputs: ordinary,
    fault: 'STALE_LIST',
  },
  provider_down: {
    what: 'Screening does not answer.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: false, reasons: [LISTS[1]] },
    events: DECIDED,
    inputs: ordinary,
    fault: 'PROVIDER_DOWN',
  },
  dead_letter: {
    what: 'Its evaluation fails each time: after five attempts within ten seconds it is given up.',
    promises: { status: 'DEAD_LETTERED', verdict: null, defensible: null },
    events: [QUEUED, 'kyt.transaction.dead_lettered'],
    then: 'Ask an operator to replay it: then it is released.',
    inputs: ordinary,
    fault: 'POISON',
  },
  late_event_first: {
    what: 'An outgoing TED of R$ 4,500.50, for late_event to come after.',
    promises: { status: 'COMPLETED', verdict: 'RELEASE', defensible: true },
    events: DECIDED,
    then: 'Send late_event with the same metadata.sandboxCustomer.',
    // A TED, because a PIX of this amount would exceed the limit at night.
    inputs: (person) => ({ ...ordinary(person), type: 'TED_TRANSFER', amount: 4_500.5 }),
  },
  late_event: {
    what:
      'R$ 5,200.40 that came in an hour before, told only now; held itself, because nothing is known of the income. The ' +
      'transfer of late_event_first with the same metadata.sandboxCustomer is judged again: with what came in it is a ' +
      'pass-through, held, and told by another event.',
    promises: { status: 'COMPLETED', verdict: 'HOLD', defensible: false, reasons: ['RULES_PARTIAL'] },
    events: DECIDED,
    inputs: (person) => {
      const { origin, destination, metadata, ...inputs } = ordinary(person);
      return {
        ...inputs,
        amount: 5_200.4,
        occurredAt: new Date(person.now - 3_600_000).toISOString(),
        origin: destination,
        destination: origin,
        metadata: { ...metadata, direction: 'IN' },
      };
    },
  },
  rate_limit: {
    what: 'Is accepted, and spends the burst of the application: the next calls get 429 with Retry-After.',
    promises: { status: 'COMPLETED', verdict: 'RELEASE', defensible: true },
    events: DECIDED,
    inputs: ordinary,
    spendsBurst: true,
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

export const scenarioOf = (name: ScenarioName): Scenario => scenarios[name];

/** Returns the scenario that a stored submission names; only the sandbox stores such submissions. */
export function scenarioIn(metadata: Readonly<Record<string, unknown>>): Scenario | null {
  const name = metadata['sandboxScenario'];
  return typeof name === 'string' && Object.hasOwn(scenarios, name) ? scenarioOf(name as ScenarioName) : null;
}

/**
 * Returns the submission with the inputs of its scenario. The submission keeps its id, channel, magic document and
 * other metadata, and its time unless the scenario sets another. Equal ids give equal inputs, so that a repeated
 * submission is a duplicate.
 */
export function applyScenario(
  body: SubmittedTransaction,
  name: ScenarioName,
  now: number,
): SubmittedTransaction {
  const { transactionId, occurredAt, channel, metadata } = body;
  const sandboxCustomer = metadata?.['sandboxCustomer'];
  const key = sha256(
    typeof sandboxCustomer === 'string' && sandboxCustomer !== '' ? sandboxCustomer : transactionId,
  );
  const customer = `sandbox-${key.toString('hex').slice(0, 16)}`;
  const madeUpDocument = madeUpCpf(
    MAGIC_DOCUMENTS.PASS + String(key.readUInt32BE(0) % 1_000_000).padStart(6, '0'),
  );
  const sentDocument = body.cpfCnpj?.replace(/\D/g, '') ?? null;
  const cpf = sentDocument !== null && magicAnswer(sentDocument) !== null ? sentDocument : madeUpDocument;
  const at = Date.parse(occurredAt);
  const { metadata: forced, ...inputs } = scenarioOf(name).inputs({
    ...{ customer, cpf },
    now: Number.isNaN(at) ? now : at,
  });
  return {
    ...{ transactionId, occurredAt, channel, currency: 'BRL' },
    ...inputs,
    metadata: { ...metadata, ...forced },
  };
}

function addressOf(customer: string): string {
  const digest = sha256(customer);
  return `198.${18 + (digest.readUInt8(0) % 2)}.${digest.readUInt8(1)}.${digest.readUInt8(2)}`;
}
