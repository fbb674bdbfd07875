import type { RandomGenerator } from './dice.js';
import { DAY_MS } from './stream-calendar.js';
import type { ActorKind, StreamParty, StreamCustomer } from './world.js';

/** A payment from or to a customer. Omitted fields have the customer's usual values. */
export interface StreamPayment {
  readonly at: number;
  readonly cents: number;
  readonly other: StreamParty;
  readonly type?: string;
  readonly direction?: 'IN' | 'OUT';
  readonly channel?: string;
  readonly device?: string;
  readonly registered?: boolean;
  readonly ip?: string;
  /** Number of declined purchases of the card in the last ten minutes. */
  readonly declines?: number;
  /** Number of the payee's frauds that DICT has confirmed. */
  readonly frauds?: number;
}

/** The truth about an event. Rules never see it. */
export interface StreamLabel {
  readonly kind: 'INNOCENT' | 'PATTERN';
  readonly actor: ActorKind;
  readonly class: string | null;
  /** Also set on ordinary events of a customer in a pattern. Such events count neither as pattern nor as innocent. */
  readonly patternId: string | null;
}

/** An event without an id yet. */
export interface StreamEventDraft {
  readonly customer: StreamCustomer;
  readonly move: StreamPayment;
  /** The class of the pattern; null if the event is ordinary. */
  readonly class: string | null;
  readonly patternId: string | null;
}

export type StreamBody = Readonly<Record<string, unknown>> & {
  readonly transactionId: string;
  readonly externalCustomerId: string;
  readonly cpfCnpj: string;
  /** In reais. */
  readonly amount: number;
  readonly occurredAt: string;
};

/** Channels without a device of the customer. */
const WITHOUT_DEVICE = new Set(['BATCH', 'ATM', 'BRANCH', 'POS']);
/** A new phone becomes a registered device within this many days. */
const DAYS_TO_REGISTER = 2;

export const cash = (move: StreamPayment, isIn = true): StreamPayment => ({
  type: isIn ? 'CASH_DEPOSIT' : 'CASH_WITHDRAWAL',
  direction: isIn ? 'IN' : 'OUT',
  channel: 'BRANCH',
  ...move,
});

export const incomingPayment = (move: StreamPayment): StreamPayment => ({ direction: 'IN', ...move });

/** Builds a submission with all known fields, as a careful integrator would. */
export function submissionBodyOf(
  transactionId: string,
  { customer, move }: StreamEventDraft,
  dice: RandomGenerator,
  streamStarts: number,
): StreamBody {
  const { type = 'PIX_TRANSFER', direction = 'OUT', channel = 'MOBILE_APP', at, other } = move;
  const own = customer.party;
  const isIn = direction === 'IN';
  return {
    transactionId,
    externalCustomerId: customer.id,
    cpfCnpj: own.cpfCnpj,
    type,
    channel,
    amount: move.cents / 100,
    currency: 'BRL',
    occurredAt: new Date(at).toISOString(),
    origin: isIn ? other : own,
    destination: isIn ? own : other,
    metadata: {
      direction,
      ...(isIn || WITHOUT_DEVICE.has(channel) ? {} : deviceIn(move, customer, dice, streamStarts)),
      ...(type.startsWith('CARD_') ? { cardId: `card-${customer.id}`, declines: move.declines ?? 0 } : {}),
      ...(type.startsWith('CRYPTO_') ? { wallet: { custody: 'HOSTED', ownerVerified: true } } : {}),
      ...(type.startsWith('PIX_') && !isIn ? { dict: dictOf(move.frauds ?? 0) } : {}),
    },
  };
}

function deviceIn(
  move: StreamPayment,
  customer: StreamCustomer,
  dice: RandomGenerator,
  streamStarts: number,
): Record<string, unknown> {
  const day = Math.floor((move.at - streamStarts) / DAY_MS);
  const { newPhoneOn, away } = customer;
  const isNew = newPhoneOn !== null && day >= newPhoneOn;
  const isAway = away !== null && day >= away[0] && day <= away[1];
  const usual = dice.chance(0.6) ? customer.home : customer.mobile;
  return {
    deviceId: move.device ?? (isNew ? `${customer.device}-new` : customer.device),
    deviceRegistered: move.registered ?? (!isNew || day >= newPhoneOn + DAYS_TO_REGISTER),
    ipAddress: move.ip ?? (isAway ? `203.0.113.${dice.between(1, 254)}` : usual),
  };
}

const dictOf = (frauds: number): object => ({
  statistics: { KEY: { CONFIRMED_FRAUDS: { d30: frauds }, REPORTED_FRAUDS: { d30: frauds } } },
});
