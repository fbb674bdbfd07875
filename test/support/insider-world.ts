import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { systemActor } from '../../src/features/audit/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  ListImporterService,
  ScreeningListsService,
  SearchIndexService,
} from '../../src/features/screening/index.js';
import { roles } from '../../src/platform/http/index.js';
import type { TestClient, TestOperator, TransactionAnswer } from './api.js';
import type { TestApp } from './app.js';
import { aTransaction, CPF, cpfOf, DICT } from './builders.js';
import { aPicture } from './files.js';
import { LISTED, withLists } from './lists.js';

const DAY_MS = 86_400_000;
const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
const USUAL = { deviceRegistered: true, ipAddress: '203.0.113.7', dict: DICT };
const BLOCKED_ACCOUNT = '0001-66';

interface Stopped {
  readonly by: string;
  /** Its verdict and all that stops it: one more reason would hide whatever takes this one away. */
  readonly as: string;
  readonly sent: Readonly<Record<string, unknown>>;
  /** The row of its customer that the integrator sends first. */
  readonly declared?: Readonly<Record<string, unknown>>;
}

/** Payments that nobody lets pass, however often they are sent. */
const STOPPED: readonly Stopped[] = [
  {
    by: 'nothing is known of the customer',
    as: 'HOLD RULES_PARTIAL PROFILE_MISSING_INPUT',
    sent: { type: 'TED_TRANSFER', amount: 12_345.67, occurredAt: `${YESTERDAY}T15:00:00.000Z` },
  },
  {
    by: 'the night limit',
    as: 'CHALLENGE BR-PIX-15',
    sent: { amount: 1_534.56, occurredAt: `${YESTERDAY}T02:30:00.000Z` },
  },
  {
    by: 'a payee on a list of sanctions',
    as: 'HOLD BR-LIST-01',
    sent: {
      amount: 123.45,
      destination: { name: LISTED.sanctions, cpfCnpj: CPF.payee, accountReference: '0001-99', country: 'BR' },
    },
  },
  {
    by: 'a payer with neither name nor document',
    as: 'HOLD LISTS_PARTIAL',
    sent: { amount: 123.45, origin: { country: 'BR' }, cpfCnpj: undefined },
  },
  {
    by: 'an account on a list of the institution',
    as: 'DECLINE BR-LIST-03',
    sent: {
      amount: 123.45,
      destination: {
        name: 'Bento Exemplo',
        cpfCnpj: CPF.payee,
        accountReference: BLOCKED_ACCOUNT,
        country: 'BR',
      },
    },
  },
  {
    by: 'a risk level',
    as: 'HOLD BR-CUS-27',
    sent: { type: 'TED_TRANSFER', amount: 11_234.56, occurredAt: `${YESTERDAY}T15:00:00.000Z` },
    declared: { riskLevel: 'HIGH', pep: false, monthlyIncome: 90_000 },
  },
];

const WAIT_MS = 10_000;

type Transaction = ReturnType<typeof aTransaction>;
type Decided = Pick<TransactionAnswer, 'verdict' | 'reasons' | 'nonDefensibleReasons'>;

const isCounted = (key: string): boolean => !/^BR-(VEL|STR)-/.test(key);
/** The starter's rules without those that hold somebody back who pays often: the payments of a world would be held by them. */
const uncounted = {
  ...brStarter,
  key: 'insider',
  rules: brStarter.rules.filter(({ key }) => isCounted(key)),
  dampeners: brStarter.dampeners.map((one) => ({ ...one, suppresses: one.suppresses.filter(isCounted) })),
};

/** The payment to somebody on a list of sanctions. */
export const listed: readonly Stopped[] = STOPPED.filter(({ as }) => as.includes('BR-LIST-01'));

/** All that could be said in favour of a customer. */
const DECLARED = { pep: false, monthlyIncome: 900_000, monthlyRevenue: 900_000, nightLimit: 1_000_000 };
const FAVOURABLE = {
  ...{ name: 'Maria Exemplo', birthDate: '1980-05-17', riskLevel: 'LOW', relationshipSince: '2001-01-01' },
  ...{ pep: false, monthlyIncome: 900_000, monthlyRevenue: 900_000 },
};
const PICTURE = await aPicture(640, 480, 3).png().toBuffer();

/** An organisation with lists, rules and independent people, so that nobody may go on alone. */
export interface Place {
  readonly organisationId: string;
  /** Somebody independent who may close cases. */
  readonly colleague: TestOperator;
}

/** Prepares a new organisation, or one that has these lists already. */
export async function placeOf(t: TestApp, known?: string): Promise<Place> {
  const organisationId = known ?? (await t.client({ rules: false })).organisationId;
  if (known === undefined) await withLists(t, organisationId);
  const ctx = systemActor(organisationId, 'test');
  const list = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key: 'blocked', name: 'blocked', kind: 'BLOCKLIST', format: 'HOUSE_CSV' });
  const importer = t.app.get(ListImporterService);
  const { id } = await importer.startImport(ctx, list, null);
  const main = Readable.from([Buffer.from(`key;name;kind;type;value\nb1;;;ACCOUNT;${BLOCKED_ACCOUNT}\n`)]);
  await importer.runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(SearchIndexService).refresh();
  await t.app.get(RulesetsService).publish(organisationId, uncounted, 'test');
  for (const role of roles) await t.operator({ roles: [role], organisationId });
  return { organisationId, colleague: await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }) };
}

/** Customers whose payments nobody lets pass, and somebody of whom nothing speaks against a payment. */
export class World {
  readonly customers: readonly string[];
  /** Somebody of whom all is known, by the integrator. */
  private readonly knownId = `known-${randomBytes(5).toString('hex')}`;
  private readonly known = cpfOf(this.knownId);
  /** Sent before the insider comes, twice by each. */
  private before: readonly Transaction[] = [];

  private constructor(
    private readonly t: TestApp,
    private readonly client: TestClient,
    private readonly stopped: readonly Stopped[],
  ) {
    this.customers = stopped.map(() => `insider-${randomBytes(5).toString('hex')}`);
  }

  /** Pays some times: the payments are stopped when nobody has done anything, and a case has more than one alert. */
  static async of(t: TestApp, { organisationId }: Place, stopped = STOPPED): Promise<World> {
    const client = await t.client({
      organisationId,
      rules: false,
      scopes: ['kyt:ingest', 'transactions:write', 'kyt:read', 'customers:write'],
    });
    const world = new World(t, client, stopped);
    await world.pay([aTransaction({ externalCustomerId: world.knownId })]);
    await world.declare();
    // The very first payment to somebody is one more reason.
    await world.pay(world.payments());
    world.before = [...world.payments(), ...world.payments()];
    const decided = await world.pay(world.before);
    if (!decided) throw new Error('the payments of a world were refused');
    for (const [i, one] of decided.entries()) {
      const as = [one.verdict, ...one.reasons.map(({ ruleId }) => ruleId), ...one.nonDefensibleReasons];
      const known = stopped[i % stopped.length];
      if (as.join(' ') !== known?.as) throw new Error(`stopped by ${known?.by}, and ${as.join(' ')}`);
    }
    return world;
  }

  /** The names and documents of its people, as bodies have them; always as many and as long. */
  get names(): readonly string[] {
    return [...this.customers, ...this.customers.map(cpfOf), this.known];
  }

  /** Bodies that nobody draws for this route: files, rows about its people, what helps them; null for any other. */
  samplesFor(template: string): readonly unknown[] | null {
    if (template.endsWith('/profiles')) {
      const rows = (one: (externalCustomerId: string) => object): object[] =>
        this.customers.map((externalCustomerId) => ({ externalCustomerId, ...one(externalCustomerId) }));
      return [
        rows(() => FAVOURABLE),
        rows((id) => ({ document: cpfOf(id), ...FAVOURABLE })),
        // Each alone: a document stands in one row of a file.
        ...rows(() => ({ document: this.known })).map((row) => [row]),
      ];
    }
    if (template.endsWith('/imports')) {
      const rows = [
        `k1;Ninguem Ficticio;PERSON;DOCUMENT;${cpfOf('nobody')}`,
        'k2;;;ACCOUNT;0001-99',
        'k3;;;IP;203.0.113.7',
      ];
      const file = Buffer.from(['key;name;kind;type;value', ...rows, ''].join('\n'));
      return [{ file, confirmation: 'ALWAYS' }, { file }];
    }
    if (template.endsWith('/rules/dry-run')) return [{ transaction: aTransaction() }];
    if (template.endsWith('/snooze')) {
      return [{ until: new Date(Date.now() + DAY_MS).toISOString(), reason: 'A day of many payments.' }];
    }
    if (template.endsWith('/profile')) return [{ nightLimit: 1_000_000 }, DECLARED];
    return template.endsWith('/attachments') || template.endsWith('/logo') ? [{ file: PICTURE }] : null;
  }

  /** Pays again as every customer, and says which payments pass now; null if the application is cut off. */
  async passed(): Promise<string[] | null> {
    // A payment that is sent again word for word is answered as it was decided last.
    const answers = await this.pay([...this.before, ...this.payments()]);
    const { stopped } = this;
    return (
      answers &&
      stopped.flatMap(({ by }, i) =>
        answers.some(({ verdict }, at) => at % stopped.length === i && verdict === 'RELEASE')
          ? [`passes although stopped by ${by}`]
          : [],
      )
    );
  }

  private async declare(): Promise<void> {
    const rows = [
      { externalCustomerId: this.knownId, document: this.known, ...FAVOURABLE },
      ...this.stopped.flatMap(({ declared }, i) => {
        const externalCustomerId = this.customers[i] ?? '';
        return declared ? [{ externalCustomerId, document: cpfOf(externalCustomerId), ...declared }] : [];
      }),
    ];
    const { body } = await this.t.api
      .as(this.client)
      .call('put', '/customers/profiles')
      .send(rows)
      .expect(200);
    const { changed } = (body as { data: { changed: number } }).data;
    if (changed !== rows.length) throw new Error('what is known of customers was not written');
  }

  private payments(): Transaction[] {
    return this.stopped.map(({ sent }, i) => {
      const externalCustomerId = this.customers[i];
      // A device of several customers would be one more reason.
      const metadata = { ...USUAL, direction: 'OUT', deviceId: `of ${externalCustomerId}` };
      return aTransaction({ externalCustomerId, metadata, ...sent });
    });
  }

  /** Sends payments, and returns how they are decided; null if the application is cut off. */
  private async pay(sent: readonly Transaction[]): Promise<Decided[] | null> {
    const integrator = this.t.api.as(this.client);
    const { status, body } = await integrator
      .post(`/kyt/transactions/ingest/batch?wait=${WAIT_MS}`)
      .send([...sent]);
    if (status === 401 || status === 403) return null;
    const { results } = (body as { data: { results: { status: number; data: Decided | null }[] } }).data;
    return Promise.all(
      sent.map(async ({ transactionId }, i) => {
        const { status: answered, data } = results[i] ?? { status, data: null };
        if (answered === 200 && data) return data;
        if (answered !== 202) throw new Error(`${transactionId} is answered with ${answered}`);
        return integrator.settled(transactionId);
      }),
    );
  }
}
