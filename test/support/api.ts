import supertest, { type Test as Call } from 'supertest';
import { eventually } from './eventually.js';

export interface TestClient {
  readonly id: string;
  readonly organisationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A logged-in operator. */
export interface TestOperator {
  readonly id: string;
  readonly organisationId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly token: string;
}

export interface TransactionAnswer {
  readonly transactionId: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly verdict: string | null;
  readonly riskScore: number | null;
  readonly defensible: boolean | null;
  readonly composition: string | null;
  readonly components: Record<string, { state: string; reason?: string }> | null;
  readonly nonDefensibleReasons: string[];
  readonly reasons: { ruleId: string; observed: string }[];
  readonly receiptHash: string | null;
  readonly failure?: { code: string; stage: string; attempts: number };
}

/** The API as an integrator or an operator calls it. */
export class TestApi {
  constructor(
    private readonly url: string,
    private readonly client: TestClient | null = null,
    private readonly operator: TestOperator | null = null,
  ) {}

  as(client: TestClient): TestApi {
    return new TestApi(this.url, client);
  }

  asOperator(operator: TestOperator): TestApi {
    return new TestApi(this.url, null, operator);
  }

  get(path: string): Call {
    return this.signed(supertest(this.url).get(path));
  }

  post(path: string): Call {
    return this.signed(supertest(this.url).post(path));
  }

  call(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string): Call {
    return this.signed(supertest(this.url)[method](path));
  }

  ingest(body: object | string): Call {
    return this.post('/kyt/transactions/ingest').set('content-type', 'application/json').send(body);
  }

  ingestBatch(items: readonly unknown[]): Call {
    return this.post('/kyt/transactions/ingest/batch').send([...items]);
  }

  legacy(body: object): Call {
    return this.post('/transactions').send(body);
  }

  transaction(transactionId: string): Call {
    return this.get(`/kyt/transactions/${encodeURIComponent(transactionId)}`);
  }

  /** The transaction once it has one of these statuses. */
  async settled(
    transactionId: string,
    statuses = ['COMPLETED', 'DEAD_LETTERED'],
  ): Promise<TransactionAnswer> {
    return eventually(`${transactionId} is ${statuses.join(' or ')}`, async () => {
      const { status, body } = await this.transaction(transactionId);
      // A busy service says so, and is asked again.
      if (status === 503) return false;
      if (status !== 200) throw new Error(`${transactionId} is answered with ${status}`);
      const { data } = body as { data: TransactionAnswer };
      return statuses.includes(data.status) && data;
    });
  }

  private signed(call: Call): Call {
    if (this.operator) return call.set('authorization', `Bearer ${this.operator.token}`);
    if (!this.client) return call;
    return call.set('x-client-id', this.client.clientId).set('x-client-secret', this.client.clientSecret);
  }
}
