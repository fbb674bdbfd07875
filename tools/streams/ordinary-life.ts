import { required } from '../../src/platform/kernel/index.js';
import type { RandomGenerator } from './dice.js';
import { cash, incomingPayment, type StreamPayment } from './moves.js';
import { HOUR_MS, drawTimeBetween, drawTime, weekdayFactor, type StreamDay } from './stream-calendar.js';
import type { Habit, PartyGenerator, StreamCustomer } from './world.js';

/** The inputs for one day of a customer. */
export interface Scene {
  readonly dice: RandomGenerator;
  readonly day: StreamDay;
  readonly parties: PartyGenerator;
}

const MONTH = 30;
const BANK_DAYS = 22;
/** The ratio of mean to median of a log-normal distribution with spread 0.8. */
const MEAN_OVER_MEDIAN = 1.38;
const ABROAD = ['AR', 'PT', 'US', 'CL', 'IT'];

export function dayOf(customer: StreamCustomer, scene: Scene): StreamPayment[] {
  if (customer.actor === 'COMPANY') return companyDay(customer, scene);
  return customer.actor === 'SELLER' ? sellerDay(customer, scene) : personDay(customer, scene);
}

function personDay(customer: StreamCustomer, scene: Scene): StreamPayment[] {
  const { dice, day } = scene;
  const moves = purchases(customer, scene, 0.55);
  const at = drawTimeBetween(dice, day, 5, 9);
  if (day.isPayday && customer.habit !== 'FREELANCER') {
    const salary: StreamPayment = { at, cents: customer.monthly, other: customer.payer, channel: 'BATCH' };
    moves.push(incomingPayment({ ...salary, type: 'ACCOUNT_CREDIT' }));
    if (customer.movesSalary) {
      const cents = Math.round((customer.monthly * dice.between(85, 100)) / 100);
      const other = scene.parties.accountAtAnotherBank(customer.party);
      moves.push({ at: at + dice.between(1, 6) * HOUR_MS, cents, other, type: 'TED_TRANSFER' });
    }
  }
  return [
    ...moves,
    ...bills(customer, scene),
    ...habits[customer.habit](customer, scene),
    ...rareThings(customer, scene),
    ...rareHours(customer, scene),
  ];
}

/** Draws small purchases worth `share` of the monthly income, by the rhythm of days and hours. */
function purchases(customer: StreamCustomer, scene: Scene, share: number): StreamPayment[] {
  const { dice, day, parties } = scene;
  const { circle, shops, pace, monthly, away } = customer;
  const median = (share * monthly) / (MONTH * pace) / MEAN_OVER_MEDIAN;
  const isAway = away !== null && day.number >= away[0] && day.number <= away[1];
  return Array.from({ length: dice.count(pace * weekdayFactor(day)) }, (): StreamPayment => {
    const at = drawTime(dice, day);
    const drawn = Math.min(dice.about(median, 0.8), monthly / 3);
    const cents = dice.chance(0.3)
      ? Math.max(500, Math.round(drawn / 500) * 500)
      : Math.max(200, Math.round(drawn));
    const shop = dice.pick(shops);
    if (isAway) {
      const other = parties.company(dice.pick(ABROAD));
      return { at, cents: cents * 2, other, type: 'CARD_PURCHASE', channel: 'POS' };
    }
    switch (dice.weighted([42, 20, 15, 10, 3, 10])) {
      case 0:
        return { at, cents, other: shop, type: 'CARD_PURCHASE', channel: 'POS' };
      case 1:
        return { at, cents, other: shop, type: 'PIX_PAYMENT' };
      case 2:
        return { at, cents, other: dice.pick(circle) };
      case 3:
        return incomingPayment({ at, cents, other: dice.pick(circle) });
      case 4:
        return cash(
          {
            at,
            cents: Math.max(2_000, Math.round(cents / 2_000) * 2_000),
            other: customer.party,
            channel: 'ATM',
          },
          false,
        );
      default:
        return { at, cents, other: dice.chance(0.5) ? parties.person() : parties.company() };
    }
  });
}

function bills({ monthly, circle, shops, party }: StreamCustomer, { dice, day }: Scene): StreamPayment[] {
  const moves: StreamPayment[] = [];
  const at = drawTimeBetween(dice, day, 8, 21);
  const landlord = circle[0];
  // Every second person rents.
  if (day.day.day === 10 && Number(party.cpfCnpj[3]) % 2 === 0 && landlord) {
    moves.push({ at, cents: Math.round(monthly / 4), other: landlord });
  }
  const isBillDay = day.day.day >= 5 && day.day.day <= 12;
  if (isBillDay && dice.chance(0.35)) {
    const cents = Math.round(monthly * (0.02 + 0.03 * dice.next()));
    moves.push({ at: at + 60_000, cents, other: dice.pick(shops.slice(0, 3)), type: 'BOLETO_PAYMENT' });
  }
  return moves;
}

/** Draws rare large payments of innocent customers. */
function rareThings(customer: StreamCustomer, { dice, day, parties }: Scene): StreamPayment[] {
  const { party, takesCash, monthly } = customer;
  const moves: StreamPayment[] = [];
  const at = drawTimeBetween(dice, day, 9, 17);
  // A car or a renovation, paid from savings.
  if (day.isBankDay && dice.chance(1 / 900)) {
    const cents = Math.round(dice.about(3 * monthly, 0.5));
    const savings: StreamPayment = {
      at,
      cents,
      other: parties.accountAtAnotherBank(party),
      type: 'TED_TRANSFER',
      channel: 'BATCH',
    };
    moves.push(incomingPayment(savings));
    moves.push({ at: at + dice.between(1, 48) * HOUR_MS, cents, other: parties.company() });
  }
  if (takesCash && day.isBankDay && dice.chance(1 / 20)) {
    moves.push(cash({ at, cents: Math.round(dice.about(60_000, 0.6) / 1_000) * 1_000, other: party }));
  }
  if (dice.chance(1 / 1_000)) {
    moves.push({
      at,
      cents: Math.round(dice.about(40_000, 0.8)),
      other: parties.company(),
      type: 'CRYPTO_BUY',
    });
  }
  return moves;
}

type Day = (customer: StreamCustomer, scene: Scene) => StreamPayment[];

const habits: Readonly<Record<Habit, Day>> = {
  NONE: () => [],
  // A few clients pay every other week.
  FREELANCER: ({ monthly, circle }, { dice, day, parties }) =>
    day.isBankDay && dice.chance(1 / 5)
      ? [
          incomingPayment({
            at: drawTimeBetween(dice, day, 9, 18),
            cents: Math.round(dice.about(monthly / 4.4, 0.5)),
            other: dice.chance(0.7) ? dice.pick(circle.slice(3)) : parties.company(),
            type: dice.pick(['PIX_TRANSFER', 'TED_TRANSFER']),
          }),
        ]
      : [],
  // A part of the salary goes to the own broker, and sometimes money comes back.
  INVESTOR: ({ monthly, party }, { dice, day, parties }) => {
    const broker = parties.accountAtAnotherBank(party);
    const at = drawTimeBetween(dice, day, 10, 17);
    if (day.day.day === 9) {
      return [{ at, cents: Math.round(monthly * (0.2 + 0.4 * dice.next())), other: broker }];
    }
    return day.isBankDay && dice.chance(1 / 40)
      ? [
          incomingPayment({
            at,
            cents: Math.round(dice.about(2 * monthly, 0.7)),
            other: broker,
            channel: 'BATCH',
          }),
        ]
      : [];
  },
  BETTOR: ({ shops }, { dice, day }) => {
    if (!dice.chance(1 / 3)) return [];
    const bookmaker = required(shops.at(-1), 'the bookmaker');
    const at = drawTimeBetween(dice, day, 12, 22);
    const staked = { at, cents: dice.between(4, 40) * 500, other: bookmaker };
    const won = {
      at: at + 2 * HOUR_MS,
      cents: Math.round(staked.cents * (0.5 + 4 * dice.next())),
      other: bookmaker,
    };
    return dice.chance(0.25) ? [staked, incomingPayment(won)] : [staked];
  },
  SENDS_HOME: ({ monthly, circle }, { dice, day }) => {
    if (day.day.day !== 8) return [];
    const relative = { ...required(circle.at(-1), 'the relative'), country: 'PT' };
    const cents = Math.round(monthly * (0.1 + 0.15 * dice.next()));
    return [{ at: drawTimeBetween(dice, day, 9, 18), cents, other: relative, type: 'FX_OUTBOUND' }];
  },
};

/** Draws rare busy hours of innocent people: things sold, a house moved, a present collected for, a renovation. */
function rareHours({ monthly }: StreamCustomer, { dice, day, parties }: Scene): StreamPayment[] {
  const at = drawTimeBetween(dice, day, 9, 19);
  switch (dice.weighted([9_968, 5, 7, 10, 10])) {
    case 1: {
      // A household is sold off within a week, at times with the car.
      const sales = Array.from({ length: dice.between(3, 16) }, () =>
        incomingPayment({
          at: at + dice.between(0, 7 * 24) * HOUR_MS,
          cents: dice.between(4, 90) * 1_000,
          other: parties.person(),
        }),
      );
      const car = { at: at + 3 * HOUR_MS, cents: dice.between(60, 240) * 10_000, other: parties.person() };
      return dice.chance(0.3) ? [...sales, incomingPayment(car)] : sales;
    }
    case 2:
      // Deposit, mover, furniture and cleaner of a new home.
      return Array.from({ length: dice.between(3, 5) }, (_, i) => ({
        at: at + i * dice.between(5, 30) * 60_000,
        cents: Math.round(dice.about(monthly * 0.12, 0.8)),
        other: dice.chance(0.5) ? parties.person() : parties.company(),
      }));
    case 3:
      return Array.from({ length: dice.between(6, 15) }, () =>
        incomingPayment({
          at: at + dice.between(0, 48) * HOUR_MS,
          cents: dice.between(3, 10) * 1_000,
          other: parties.person(),
        }),
      );
    case 4: {
      const builder = parties.person();
      return Array.from({ length: dice.between(4, 6) }, (_, i) => ({
        at: at + i * dice.between(5, 9) * 24 * HOUR_MS,
        cents: Math.round(dice.about(monthly * 0.15, 0.5)),
        other: builder,
      }));
    }
    default:
      return [];
  }
}

function sellerDay(customer: StreamCustomer, scene: Scene): StreamPayment[] {
  const { dice, day, parties } = scene;
  const { monthly, circle, shops, party, takesCash } = customer;
  const ticket = Math.max(2_500, monthly / 120);
  const sales = dice.count((monthly / MONTH / ticket) * weekdayFactor(day));
  const moves = Array.from({ length: sales }, () =>
    incomingPayment({
      at: drawTime(dice, day),
      cents: Math.max(300, Math.round(dice.about(ticket / 1.2, 0.6))),
      other: dice.chance(0.3) ? dice.pick(circle) : parties.person(),
    }),
  );
  if (day.isBankDay && dice.chance(0.35)) {
    const cents = Math.round(dice.about(monthly * 0.05, 0.5));
    moves.push({ at: drawTimeBetween(dice, day, 8, 18), cents, other: dice.pick(shops) });
  }
  if (takesCash && day.weekday === 1) {
    const cents = Math.max(5_000, Math.round(dice.about(monthly * 0.04, 0.4) / 5_000) * 5_000);
    moves.push(cash({ at: drawTimeBetween(dice, day, 10, 16), cents, other: party }));
  }
  return [...moves, ...purchases(customer, scene, 0.35), ...bills(customer, scene)];
}

function companyDay(customer: StreamCustomer, scene: Scene): StreamPayment[] {
  const { dice, day, parties } = scene;
  const { monthly, circle, payer, takesCash, party } = customer;
  if (!day.isBankDay) return [];
  const office = (): number => drawTimeBetween(dice, day, 8, 18);
  const invoice = Math.max(20_000, monthly / 150);
  const some = (length: number, one: () => StreamPayment): StreamPayment[] => Array.from({ length }, one);
  const moves = [
    ...some(dice.count((monthly * 0.6) / BANK_DAYS / invoice), () =>
      incomingPayment({
        at: office(),
        cents: Math.round(dice.about(invoice / MEAN_OVER_MEDIAN, 0.8)),
        other: dice.chance(0.6) ? dice.pick(circle) : parties.company(),
        type: dice.pick(['PIX_TRANSFER', 'PIX_TRANSFER', 'TED_TRANSFER']),
        channel: 'API',
      }),
    ),
    // The day's card sales arrive as one payment.
    incomingPayment({
      at: drawTimeBetween(dice, day, 5, 8),
      cents: Math.round(dice.about((monthly * 0.4) / BANK_DAYS, 0.3)),
      other: payer,
      type: 'ACCOUNT_CREDIT',
      channel: 'BATCH',
    }),
    ...some(dice.count(2), () => ({
      at: office(),
      cents: Math.round(dice.about((monthly * 0.25) / BANK_DAYS / MEAN_OVER_MEDIAN, 0.8)),
      other: dice.chance(0.85) ? dice.pick(circle) : parties.company(),
      type: dice.pick(['BOLETO_PAYMENT', 'BOLETO_PAYMENT', 'PIX_TRANSFER', 'TED_TRANSFER']),
      channel: dice.pick(['WEB', 'WEB', 'API']),
    })),
  ];
  if (customer.paysWeekly ? day.weekday === 5 : day.isPayday) moves.push(...payroll(customer, scene));
  if (takesCash && (day.weekday === 1 || day.weekday === 4)) {
    const cents = Math.max(10_000, Math.round(dice.about(monthly * 0.012, 0.3) / 5_000) * 5_000);
    moves.push(cash({ at: drawTimeBetween(dice, day, 10, 16), cents, other: party }));
  }
  const owner = required(circle.at(-1), 'the owner');
  if (day.day.day === 20) moves.push(taxes(customer, office()));
  if (dice.chance(1 / BANK_DAYS)) {
    moves.push({ at: office(), cents: Math.round(monthly * 0.04), other: owner, channel: 'WEB' });
  }
  return moves;
}

const payroll = ({ payees, paysWeekly }: StreamCustomer, { dice, day }: Scene): StreamPayment[] => {
  const starts = drawTimeBetween(dice, day, 6, 8);
  const part = paysWeekly ? 12 / 52 : 1;
  return payees.map(({ party, cents: monthly }, i) => ({
    ...{
      at: starts + i * 2_000,
      cents: Math.round(monthly * part),
      other: party,
      type: 'PIX_TRANSFER',
      channel: 'BATCH',
    },
  }));
};

const taxes = ({ monthly, shops }: StreamCustomer, at: number): StreamPayment => ({
  ...{ at, cents: Math.round(monthly * 0.08), other: required(shops[0], 'the tax office') },
  ...{ type: 'BOLETO_PAYMENT', channel: 'WEB' },
});
