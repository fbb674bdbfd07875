import { VigiaDeadLetterError, VigiaUndecidedError } from './errors.js';
import type { WebhookEvent, WebhookEventType } from './events.js';
import type { components, paths } from './schema.js';
import { pause, Transport, type Call, type TransportOptions } from './transport.js';

type Schemas = components['schemas'];
export type TransactionToIngest = Schemas['IngestTransactionBody'];
export type Receipt = Schemas['ReceiptView']['data'];
export type Transaction = Schemas['TransactionView']['data'];
export type BatchResult = Schemas['BatchView']['data'];
export type Endpoint = Schemas['EndpointView'];
export type Delivery = Schemas['DeliveryView'];
export type LoggedRequest = Schemas['LoggedRequestView'];
export type NewEndpoint = Omit<Schemas['CreateEndpointBody'], 'ordering'> &
  Partial<Pick<Schemas['CreateEndpointBody'], 'ordering'>>;
export type EndpointSecret = Schemas['EndpointSecretView'];
export type NewSession = paths['/kyc-sessions']['post']['requestBody']['content']['application/json'];
export type IssuedLink = Schemas['IssuedLinkView'];

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Comes back in events, logs and audit entries. */
  readonly correlationId?: string;
}

export interface CreateOptions extends CallOptions {
  /** Made by the client when left out; give one to repeat a call over restarts of your program. */
  readonly idempotencyKey?: string;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait for the decision in all; 30 seconds when left out. */
  readonly withinMs?: number;
}

export interface FeedOptions {
  /** Where to go on: `cursor` of an item that was processed. */
  readonly cursor?: string;
  readonly since?: string;
  readonly types?: readonly WebhookEventType[];
  /** Waits for more at the end, until `signal` is aborted. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

export interface FeedItem {
  readonly event: WebhookEvent;
  /** Keep it once the whole page is processed: reading from it gives what follows the page. Null before its last event. */
  readonly cursor: string | null;
}

interface Envelope<Data> {
  readonly data: Data;
}
interface Listed<Item> extends Envelope<readonly Item[]> {
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

const LONGEST_WAIT_MS = 10_000;
const FEED_WAIT_MS = 20_000;

/** Calls the API of Vigia for integrators. Keep it on a server: the secret opens everything of the application. */
export class VigiaClient {
  private readonly transport: Transport;

  constructor(options: TransportOptions) {
    this.transport = new Transport(options);
  }

  /** Submits a transaction, again where the answer was lost: the `transactionId` makes that safe. */
  async ingest(transaction: TransactionToIngest, options: CallOptions = {}): Promise<Receipt> {
    const answer = await this.submit<Receipt>(transaction, options);
    return answer.data;
  }

  /** Submits up to 1,000; each item has an answer of its own. */
  async ingestBatch(
    transactions: readonly TransactionToIngest[],
    options: CallOptions = {},
  ): Promise<BatchResult> {
    const path = '/kyt/transactions/ingest/batch';
    return this.send({ method: 'POST', path, body: transactions, repeatable: true }, options);
  }

  /**
   * Submits a transaction and returns it decided. Throws VigiaUndecidedError when it takes longer, and VigiaDeadLetterError
   * when the service gave it up: hold the transaction in both cases.
   */
  async ingestAndWait(
    transaction: TransactionToIngest,
    { withinMs = 30_000, ...options }: WaitOptions = {},
  ): Promise<Transaction> {
    const until = Date.now() + withinMs;
    const wait = Math.max(1, Math.min(withinMs, LONGEST_WAIT_MS));
    const first = await this.submit<Receipt | Transaction>(transaction, options, wait);
    if ('verdict' in first.data && first.data.verdict) return first.data;
    const { transactionId } = transaction;
    for (let ms = 100; ; ms = Math.min(ms * 2, 2_000)) {
      const now = await this.transaction(transactionId, options);
      if (now.status === 'DEAD_LETTERED') throw new VigiaDeadLetterError(transactionId);
      if (now.verdict) return now;
      if (Date.now() + ms > until) throw new VigiaUndecidedError(transactionId);
      await pause(ms, options.signal);
    }
  }

  /** Reads a transaction with its newest evaluation. */
  transaction(transactionId: string, options: CallOptions = {}): Promise<Transaction> {
    const path = `/kyt/transactions/${encodeURIComponent(transactionId)}`;
    return this.send({ method: 'GET', path }, options);
  }

  /** Issues the link of a verification session. Whoever holds it can use the session. */
  createSession(session: NewSession, options: CreateOptions = {}): Promise<IssuedLink> {
    return this.create('/kyc-sessions', session, options);
  }

  /** Makes an endpoint; the answer has its signing secret, once. */
  createEndpoint(endpoint: NewEndpoint, options: CreateOptions = {}): Promise<EndpointSecret> {
    return this.create('/webhook-endpoints', endpoint, options);
  }

  async removeEndpoint(id: string, options: CallOptions = {}): Promise<void> {
    await this.send({ method: 'DELETE', path: `/webhook-endpoints/${encodeURIComponent(id)}` }, options);
  }

  endpoints(options: CallOptions = {}): AsyncGenerator<Endpoint> {
    return this.list<Endpoint>('/webhook-endpoints', {}, options);
  }

  /** The deliveries of this application, the newest first. */
  deliveries(
    filter: Readonly<Record<string, string | undefined>> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Delivery> {
    return this.list<Delivery>('/webhook-deliveries', filter, options);
  }

  /** The requests of this application in the last thirty days, the newest first: shapes and answers, no values. */
  requests(
    filter: Readonly<Record<string, string | undefined>> = {},
    options: CallOptions = {},
  ): AsyncGenerator<LoggedRequest> {
    return this.list<LoggedRequest>('/requests', filter, options);
  }

  /** The events of this application in an order into which none is ever inserted later; process each `event.id` once. */
  async *events({
    cursor,
    since,
    types,
    follow = false,
    signal,
  }: FeedOptions = {}): AsyncGenerator<FeedItem> {
    for (let from = cursor; ;) {
      const query = {
        cursor: from,
        since: from === undefined ? since : undefined,
        types: types?.join(','),
        limit: 200,
        wait: follow ? FEED_WAIT_MS : undefined,
      };
      const began = Date.now();
      const options = signal ? { signal } : {};
      const { data, page } = await this.page<WebhookEvent>(
        '/events',
        query,
        options,
        follow ? FEED_WAIT_MS : 0,
      );
      from = page.nextCursor ?? from;
      for (const [i, event] of data.entries()) {
        yield { event, cursor: i === data.length - 1 ? (from ?? null) : null };
      }
      if (page.hasMore) continue;
      if (!follow) return;
      // A service that lets nobody else wait answers at once.
      if (data.length === 0 && Date.now() - began < 1_000) await pause(1_000, signal);
    }
  }

  /** Every other route: `data` of the answer. A POST is sent again after a lost answer only if `repeatable`. */
  async send<Data>(call: Call, options: CallOptions = {}): Promise<Data> {
    const { body } = await this.transport.call<Envelope<Data>>(withOptions(call, options));
    return body.data;
  }

  private async submit<Data>(
    transaction: TransactionToIngest,
    options: CallOptions,
    wait?: number,
  ): Promise<Envelope<Data>> {
    const call = {
      method: 'POST',
      path: '/kyt/transactions/ingest',
      body: transaction,
      repeatable: true,
    } as const;
    const { body } = await this.transport.call<Envelope<Data>>(
      withOptions({ ...call, ...(wait === undefined ? {} : { query: { wait }, heldMs: wait }) }, options),
    );
    return body;
  }

  private create<Data>(
    path: string,
    body: unknown,
    { idempotencyKey, ...options }: CreateOptions,
  ): Promise<Data> {
    const headers = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() };
    return this.send({ method: 'POST', path, body, headers, repeatable: true }, options);
  }

  private async *list<Item>(
    path: string,
    filter: Readonly<Record<string, string | undefined>>,
    options: CallOptions,
  ): AsyncGenerator<Item> {
    for (let cursor: string | undefined; ;) {
      const { data, page } = await this.page<Item>(path, { ...filter, cursor }, options);
      yield* data;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  private async page<Item>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    options: CallOptions,
    heldMs = 0,
  ): Promise<Listed<Item>> {
    const { body } = await this.transport.call<Listed<Item>>(
      withOptions({ method: 'GET', path, query, heldMs }, options),
    );
    return body;
  }
}

function withOptions(call: Call, { signal, correlationId }: CallOptions): Call {
  return {
    ...call,
    ...(signal && { signal }),
    headers: {
      ...call.headers,
      ...(correlationId === undefined ? {} : { 'x-correlation-id': correlationId }),
    },
  };
}
