import { madeUpCnpj, madeUpCpf } from '../../src/platform/kernel/index.js';
import { createRandomGenerator, type RandomGenerator } from './dice.js';

/** A participant of a transaction, as an integrator submits it. */
export interface StreamParty {
  readonly name: string;
  readonly cpfCnpj: string;
  readonly accountReference: string;
  readonly bankReference: string;
  readonly country: string;
}

export type ActorKind = 'PERSON' | 'SELLER' | 'COMPANY';

export interface StreamCustomer {
  readonly id: string;
  readonly actor: ActorKind;
  readonly party: StreamParty;
  /** A month's income or revenue, in cents. */
  readonly monthly: number;
  /** The declared income or revenue in cents, which usually differs a little. */
  readonly declared: number;
  readonly elderly: boolean;
  /** The customer's phone until day `newPhoneOn`. */
  readonly device: string;
  readonly newPhoneOn: number | null;
  /** The IP address at home, often shared by a carrier (CGNAT). */
  readonly home: string;
  readonly mobile: string;
  /** The people whom the customer pays repeatedly. */
  readonly circle: readonly StreamParty[];
  readonly shops: readonly StreamParty[];
  /** The payer of the salary. A company has `payees` of salaries instead. */
  readonly payer: StreamParty;
  readonly payees: readonly { readonly party: StreamParty; readonly cents: number }[];
  /** Average number of transactions per day. */
  readonly pace: number;
  /** True if part of the income is cash. */
  readonly takesCash: boolean;
  /** True if a company pays its wages every Friday. */
  readonly paysWeekly: boolean;
  /** True if the customer transfers the salary to an own account at another bank. */
  readonly movesSalary: boolean;
  /** The first and the last day of a journey; null if the customer does not travel. */
  readonly away: readonly [number, number] | null;
  /** The first day with transactions: some customers are new. */
  readonly joins: number;
  readonly habit: Habit;
  readonly patternId: string | null;
}

/** The habit of an innocent person beside salary, purchases and bills. */
export type Habit = 'NONE' | 'FREELANCER' | 'INVESTOR' | 'BETTOR' | 'SENDS_HOME';
const HABITS: readonly Habit[] = ['NONE', 'FREELANCER', 'INVESTOR', 'BETTOR', 'SENDS_HOME'];

const FIRST = (
  'Ana Bruno Carla Diego Elisa Felipe Gabriela Heitor Isabela João Karina Lucas Marina Nelson Olívia Paulo ' +
  'Rafael Sofia Tiago Vinícius Yasmin Zilda'
).split(' ');
const LAST = (
  'Almeida Barbosa Cardoso Duarte Esteves Ferreira Gomes Henriques Junqueira Lima Macedo Nogueira Oliveira ' +
  'Pereira Queiroz Ramos Siqueira Teixeira Vasconcelos Xavier'
).split(' ');
const TRADES = ['Mercado', 'Padaria', 'Farmácia', 'Livraria', 'Oficina', 'Posto', 'Papelaria', 'Restaurante'];
const BANKS = ['60701190', '00000000', '00360305', '90400888', '18236120', '60746948'];
/** Customers per IP address that a carrier shares (CGNAT). */
const PER_SHARED_ADDRESS = 60;

/** Creates fictional people and companies with unique tax ids. */
export class PartyGenerator {
  private readonly taken = new Set<number>();

  constructor(private readonly dice: RandomGenerator) {}

  person(country = 'BR'): StreamParty {
    const name = `${this.dice.pick(FIRST)} ${this.dice.pick(LAST)} ${this.dice.pick(LAST)}`;
    // Below 900 million, because a CPF that begins with 9 may be a magic CPF of the sandbox (`MAGIC_DOCUMENTS`).
    return this.newParty(name, madeUpCpf(String(this.drawUnused(100_000_000, 899_999_999))), country);
  }

  company(country = 'BR'): StreamParty {
    const name = `${this.dice.pick(TRADES)} ${this.dice.pick(LAST)} ${this.dice.pick(LAST)} Ltda`;
    return this.newParty(name, madeUpCnpj(`${this.drawUnused(10_000_000, 99_999_999)}0001`), country);
  }

  /** Returns the same holder with a new account. */
  accountAtAnotherBank(party: StreamParty): StreamParty {
    return { ...party, ...this.newAccount() };
  }

  private newParty(name: string, cpfCnpj: string, country: string): StreamParty {
    return { name, cpfCnpj, ...this.newAccount(), country };
  }

  private newAccount(): Pick<StreamParty, 'accountReference' | 'bankReference'> {
    const { dice } = this;
    return {
      accountReference: `${dice.between(1_000, 9_999)}/${dice.between(1_000_000, 9_999_999)}`,
      bankReference: dice.pick(BANKS),
    };
  }

  private drawUnused(least: number, most: number): number {
    let number = this.dice.between(least, most);
    while (this.taken.has(number)) number = this.dice.between(least, most);
    this.taken.add(number);
    return number;
  }
}

/** The customers of a stream and their counterparties. */
export class StreamWorld {
  readonly customers: StreamCustomer[] = [];
  readonly parties: PartyGenerator;
  private readonly dice: RandomGenerator;
  private readonly shops: readonly StreamParty[];
  private readonly sharedAddresses: readonly string[];
  private lastDevice: string | null = null;

  constructor(
    seed: number,
    private readonly days: number,
    size: number,
  ) {
    this.dice = createRandomGenerator(seed);
    this.parties = new PartyGenerator(createRandomGenerator(seed, 1));
    this.shops = Array.from({ length: 40 + Math.ceil(size / 4) }, () => this.parties.company());
    this.sharedAddresses = Array.from({ length: Math.ceil(size / PER_SHARED_ADDRESS) }, () => this.address());
  }

  /** Adds a customer. Properties that `given` lacks are drawn at random. */
  add(actor: ActorKind, given: Partial<StreamCustomer> = {}): StreamCustomer {
    const { dice, parties } = this;
    const isCompany = actor === 'COMPANY';
    const monthly = given.monthly ?? this.drawMonthly(actor);
    const party = isCompany ? parties.company() : parties.person();
    const id = `${actor.toLowerCase()}-${this.customers.length + 1}`;
    const leaves = dice.between(0, Math.max(0, this.days - 1));
    const own = `device-${id}`;
    // In 3 % of cases, a customer shares a device with a relative.
    const device = !isCompany && dice.chance(0.03) && this.lastDevice !== null ? this.lastDevice : own;
    if (!isCompany) this.lastDevice = own;
    const customer: StreamCustomer = {
      id,
      actor,
      party,
      monthly,
      declared: Math.round((monthly * this.drawDeclaredRatio(actor)) / 10_000) * 10_000 + 10_000,
      elderly: actor === 'PERSON' && dice.chance(0.15),
      device,
      newPhoneOn: !isCompany && dice.chance(this.days / 900) ? dice.between(0, this.days) : null,
      home: !isCompany && dice.chance(0.4) ? dice.pick(this.sharedAddresses) : this.address(),
      mobile: isCompany ? this.address() : dice.pick(this.sharedAddresses),
      circle: Array.from({ length: isCompany ? 12 : 6 }, (_, i) =>
        isCompany && i < 9 ? parties.company() : parties.person(),
      ),
      shops: Array.from({ length: 9 }, () => dice.pick(this.shops)),
      payer: parties.company(),
      payees: isCompany ? this.employeesFor(monthly) : [],
      pace: isCompany ? 0 : dice.about(1, 0.5),
      takesCash: dice.chance(isCompany ? 0.3 : 0.1),
      paysWeekly: isCompany && dice.chance(0.25),
      movesSalary: dice.chance(0.04),
      away: !isCompany && dice.chance(this.days / 1_200) ? [leaves, leaves + dice.between(3, 14)] : null,
      joins: !isCompany && dice.chance(0.08) ? dice.between(0, Math.floor(this.days / 2)) : 0,
      habit: actor === 'PERSON' ? (HABITS[dice.weighted([77, 8, 6, 6, 3])] ?? 'NONE') : 'NONE',
      patternId: null,
      ...given,
    };
    this.customers.push(customer);
    return customer;
  }

  /** Draws a random IP address. */
  address(): string {
    const { dice } = this;
    return `${dice.pick([177, 179, 187, 189, 191])}.${dice.between(0, 255)}.${dice.between(0, 255)}.${dice.between(1, 254)}`;
  }

  private drawMonthly(actor: ActorKind): number {
    const { dice } = this;
    if (actor === 'PERSON') return Math.round(Math.max(151_800, dice.about(320_000, 0.6)));
    if (actor === 'SELLER') return Math.round(Math.max(50_000, dice.about(450_000, 0.8)));
    return Math.round(Math.max(2_000_000, dice.about(12_000_000, 1)));
  }

  /** Draws the ratio of declared to true income: sellers without a company often declare less. */
  private drawDeclaredRatio(actor: ActorKind): number {
    return actor === 'SELLER' ? this.dice.about(0.7, 0.5) : this.dice.about(1, 0.2);
  }

  /** Returns employees whose salaries add up to a quarter of the revenue. Some of them are customers. */
  private employeesFor(monthly: number): StreamCustomer['payees'] {
    const { dice, parties } = this;
    const employees: { party: StreamParty; cents: number }[] = [];
    let rest = monthly / 4;
    while (rest > 151_800 && employees.length < 80) {
      const cents = Math.round(Math.max(151_800, dice.about(240_000, 0.4)));
      employees.push({ party: parties.person(), cents });
      rest -= cents;
    }
    return employees;
  }
}
