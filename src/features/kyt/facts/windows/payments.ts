import { required } from '../../../../platform/kernel/index.js';
import type { DecryptedTransaction } from '../../domain/claimed.js';
import type { CounterpartyKnown } from '../../domain/facts/velocity-facts.js';
import { VELOCITY_CAP } from '../../domain/facts/velocity-log.js';
import type { BeneficiaryRequest, PayeeSegment } from '../../store/velocity.queries.js';
import { chainsOf, type LogChain, type LogEntry } from './log-chains.js';

/** The data of a transaction of the batch that matter for its payment. */
interface PaymentQuestion {
  readonly transaction: Pick<
    DecryptedTransaction,
    'organisationId' | 'customerKey' | 'counterpartyKey' | 'occurredAt' | 'seq'
  >;
  readonly otherKey: Buffer | null;
}

// A reach beyond every transaction: the rows of a payee are searched to the oldest.
const EVER_MS = 100 * 366 * 86_400_000;
const HALF_KEY_BYTES = 8;

/**
 * The requests that find out, for each transaction of a batch with customer and counterparty, whether that customer has
 * paid that counterparty before.
 */
export class Payments {
  /** The indexes of the transactions in the batch. */
  readonly places: readonly number[];
  readonly requests: readonly BeneficiaryRequest[];
  /** The logs of counterparties that several of the transactions pay. */
  readonly chains: readonly LogChain[];
  /** By index of the transaction, its place in a chain. */
  private readonly shared = new Map<number, { readonly chain: LogChain; readonly i: number }>();

  constructor(
    private readonly batch: readonly PaymentQuestion[],
    customers: readonly LogChain[],
  ) {
    const payments = batch.flatMap(({ transaction }, place): LogEntry[] => {
      const { organisationId, customerKey, counterpartyKey: key, occurredAt, seq } = transaction;
      if (!customerKey || !key) return [];
      return [{ place, field: null, organisationId, key, otherKey: null, occurredAt, seq, reachMs: EVER_MS }];
    });
    const payees = payments.map(payeeOf);
    const times = new Map<string, number>();
    for (const payee of payees) times.set(payee, (times.get(payee) ?? 0) + 1);
    this.places = payments.map(({ place }) => place);
    this.chains = chainsOf(payments.filter((_, i) => (times.get(payees[i] ?? '') ?? 0) > 1));
    for (const chain of this.chains) {
      chain.members.forEach(({ place }, i) => this.shared.set(place, { chain, i }));
    }
    // By index of the transaction: the segment before the transaction, and the oldest segment of that log.
    const logs = new Array<Pick<BeneficiaryRequest, 'log' | 'oldest'>>(batch.length);
    for (const { members, at } of customers) {
      members.forEach(({ place }, i) => {
        logs[place] = { log: at + i + 1, oldest: at + members.length };
      });
    }
    this.requests = payments.map(({ place, organisationId, key, occurredAt, seq }): BeneficiaryRequest => {
      const { transaction, otherKey } = required(batch[place], 'the transaction of a payment');
      const { log, oldest } = required(logs[place], 'the log of a customer');
      return {
        organisationId,
        key,
        otherKey,
        to: occurredAt,
        toSeq: seq,
        customerKey: required(transaction.customerKey, 'the customer of a payment'),
        payee: this.shared.get(place)?.chain.requests[0]?.oldest ?? null,
        log,
        oldest,
      };
    });
  }

  /** Looks for the customer in the rows of a shared payee; undefined if they were not all read. */
  findAmong(place: number, segments: readonly (PayeeSegment | undefined)[]): CounterpartyKnown | undefined {
    const { chain, i } = required(this.shared.get(place), 'the log of a payee');
    const question = required(this.batch[place], 'the transaction of a payment');
    const keys = [question.transaction.customerKey, question.otherKey].flatMap((key) =>
      key ? [key.subarray(0, HALF_KEY_BYTES)] : [],
    );
    let remaining = VELOCITY_CAP;
    for (let n = i; n < chain.members.length; n += 1) {
      const segment = segments[chain.at + n];
      if (!segment) return undefined;
      const rows = segment.customers.subarray(0, HALF_KEY_BYTES * remaining);
      if (keys.some((key) => holdsKey(rows, key))) return 'YES';
      if (segment.count > remaining) return 'UNKNOWN';
      remaining -= segment.count;
    }
    return 'NO';
  }
}

const payeeOf = ({ organisationId, key }: LogEntry): string => organisationId + key.toString('latin1');

/** True if one of the packed keys is this one. */
function holdsKey(packed: Buffer, key: Buffer): boolean {
  let at = packed.indexOf(key);
  while (at >= 0 && at % HALF_KEY_BYTES !== 0) at = packed.indexOf(key, at + 1);
  return at >= 0;
}
