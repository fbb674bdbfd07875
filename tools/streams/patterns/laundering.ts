import { cash, incomingPayment, type StreamPayment } from '../moves.js';
import {
  drawBusinessTime,
  movesBy,
  firstActor,
  drawDaylightTime,
  castOne,
  drawAmount,
  castBetween,
  share,
  unknownParties,
  repeat,
  type PatternsByClass,
} from './pattern.js';
import { HOUR_MS } from '../stream-calendar.js';
import type { StreamParty } from '../world.js';

const MINUTE_MS = 60_000;
const HIGH_RISK = ['IR', 'MM', 'SY', 'YE', 'PA', 'VG', 'KY', 'LB'];

/** Patterns of laundering; docs/streams.md describes each. */
export const laundering: PatternsByClass = {
  CASH_STRUCTURING: {
    ...{ actor: 'PERSON', cast: castOne(), days: 7 },
    moves: (scene) =>
      movesBy(
        firstActor(scene),
        repeat(scene.dice.between(3, 7), (i) =>
          cash({
            at: drawBusinessTime(scene, Math.floor(i / 2)),
            cents: drawAmount(scene.dice, 7_000, 38_000, 500),
            other: firstActor(scene).party,
          }),
        ),
      ),
  },
  SLOW_STRUCTURING: {
    ...{ actor: 'PERSON', cast: castOne(), days: 42 },
    moves: (scene) =>
      movesBy(
        firstActor(scene),
        repeat(12, (i) =>
          cash({
            at: drawBusinessTime(scene, Math.floor(i * 3.5)),
            cents: drawAmount(scene.dice, 3_000, 9_800, 100),
            other: firstActor(scene).party,
            channel: scene.dice.pick(['ATM', 'BRANCH']),
          }),
        ),
      ),
  },
  PASS_THROUGH: {
    ...{ actor: 'PERSON', cast: castOne(), days: 6 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payees = unknownParties(scene, 2);
      return repeat(dice.between(2, 4), (i) => {
        const at = drawDaylightTime(scene, i);
        const cents = drawAmount(dice, 1_500, 9_000);
        const gone = share(cents, dice.between(88, 99));
        return movesBy(firstActor(scene), [
          incomingPayment({ at, cents, other: parties.person() }),
          { at: at + dice.between(5, 240) * MINUTE_MS, cents: gone, other: dice.pick(payees) },
        ]);
      }).flat();
    },
  },
  FUNNEL: {
    ...{ actor: 'PERSON', cast: castOne(), days: 5 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payments = unknownParties(scene, dice.between(12, 40)).map((other) =>
        incomingPayment({
          at: drawDaylightTime(scene, dice.between(0, 2)),
          cents: drawAmount(dice, 150, 1_800),
          other,
        }),
      );
      const cents = share(
        payments.reduce((sum, payment) => sum + payment.cents, 0),
        dice.between(85, 98),
      );
      return movesBy(firstActor(scene), [
        ...payments,
        { at: drawDaylightTime(scene, 4), cents, other: parties.person() },
      ]);
    },
  },
  FAN_OUT: {
    ...{ actor: 'PERSON', cast: castOne(), days: 3 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payees = unknownParties(scene, dice.between(9, 30));
      const cents = drawAmount(dice, 12_000, 80_000);
      const each = share(cents, Math.floor(95 / payees.length));
      const at = drawBusinessTime(scene, 0);
      return movesBy(firstActor(scene), [
        incomingPayment({ at, cents, other: parties.company(), type: 'TED_TRANSFER' }),
        ...payees.map((other) => ({ at: at + dice.between(30, 1_500) * MINUTE_MS, cents: each, other })),
      ]);
    },
  },
  DORMANT_AWAKENED: {
    ...{ actor: 'PERSON', cast: castOne({ pace: 0 }), days: 4, slept: true },
    moves: (scene) => {
      const { dice, parties } = scene;
      const cents = drawAmount(dice, 6_000, 60_000);
      const at = drawDaylightTime(scene, 0);
      return movesBy(firstActor(scene), [
        incomingPayment({ at, cents, other: parties.person(), type: 'TED_TRANSFER' }),
        { at: at + dice.between(12, 60) * HOUR_MS, cents: share(cents, 90), other: parties.person() },
      ]);
    },
  },
  SMURFING: {
    ...{ actor: 'PERSON', cast: castBetween(5, 9), days: 3 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const payee = parties.person();
      const device = dice.chance(0.5) ? `device-of-${payee.cpfCnpj}` : null;
      return actors.flatMap((actor) =>
        movesBy(
          actor,
          repeat(dice.between(1, 3), (i): StreamPayment => {
            const move = {
              at: drawDaylightTime(scene, i),
              cents: drawAmount(dice, 900, 8_500),
              other: payee,
            };
            return device === null ? move : { ...move, device };
          }),
        ),
      );
    },
  },
  BEYOND_INCOME: {
    ...{ actor: 'PERSON', cast: castOne({ monthly: 280_000 }), days: 30 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payers = repeat(3, () => parties.company());
      return repeat(dice.between(5, 9), (i) => {
        const cents = drawAmount(dice, 2_500, 14_000);
        return movesBy(firstActor(scene), [
          incomingPayment({
            at: drawBusinessTime(scene, i * 3),
            cents,
            other: dice.pick(payers),
            type: 'TED_TRANSFER',
          }),
          {
            at: drawBusinessTime(scene, i * 3 + 2),
            cents: share(cents, dice.between(30, 70)),
            other: parties.company(),
          },
        ]);
      }).flat();
    },
  },
  CRYPTO_IN_AND_OUT: {
    ...{ actor: 'PERSON', cast: castOne(), days: 12 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const exchange = parties.company();
      return repeat(dice.between(2, 4), (i) => {
        const at = drawDaylightTime(scene, i * 3);
        const cents = drawAmount(dice, 2_000, 15_000);
        const bought = { at: at + dice.between(20, 600) * MINUTE_MS, cents: share(cents, 96) };
        return movesBy(firstActor(scene), [
          incomingPayment({ at, cents, other: parties.person() }),
          { ...bought, other: exchange, type: 'CRYPTO_BUY' },
        ]);
      }).flat();
    },
  },
  ROUND_TRIP: {
    ...{ actor: 'COMPANY', cast: castBetween(2, 2, { monthly: 9_000_000 }), days: 21 },
    moves: (scene) => {
      const { dice, actors } = scene;
      const cents = drawAmount(dice, 25_000, 90_000, 1_000);
      return repeat(6, (i) => {
        const [payer, payee] = i % 2 === 0 ? actors : [...actors].reverse();
        if (!payer || !payee) return [];
        const move = { cents: share(cents, 100 - i), type: 'TED_TRANSFER', channel: 'WEB' };
        const at = drawBusinessTime(scene, i * 3);
        return [
          ...movesBy(payer, [{ at, other: payee.party, ...move }]),
          ...movesBy(payee, [incomingPayment({ at: at + MINUTE_MS, other: payer.party, ...move })]),
        ];
      }).flat();
    },
  },
  INVOICE_SPLITTING: {
    ...{ actor: 'COMPANY', cast: castOne({ monthly: 12_000_000 }), days: 4 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const supplier = parties.company();
      const cents = drawAmount(dice, 5_000, 9_900);
      return movesBy(
        firstActor(scene),
        repeat(dice.between(4, 9), (i) => ({
          at: drawBusinessTime(scene, Math.floor(i / 4)),
          cents: cents - dice.between(0, 9_999),
          other: supplier,
          type: dice.pick(['PIX_TRANSFER', 'BOLETO_PAYMENT']),
          channel: 'WEB',
        })),
      );
    },
  },
  HIGH_RISK_COUNTRY: {
    ...{ actor: 'COMPANY', cast: castOne({ monthly: 10_000_000 }), days: 14 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payee = parties.company(dice.pick(HIGH_RISK));
      return movesBy(
        firstActor(scene),
        repeat(dice.between(2, 4), (i) => ({
          at: drawBusinessTime(scene, i * 4),
          cents: drawAmount(dice, 8_000, 60_000),
          ...{ other: payee, type: 'FX_OUTBOUND', channel: 'WEB' },
        })),
      );
    },
  },
  DECLARED_CASH_BUSINESS: {
    ...{ actor: 'COMPANY', cast: castOne({ monthly: 6_000_000, takesCash: true }), days: 25 },
    moves: (scene) => {
      const { dice } = scene;
      const owner: StreamParty = scene.parties.person();
      return repeat(dice.between(8, 14), (i) => {
        const cents = drawAmount(dice, 4_000, 18_000, 50);
        const deposit = cash({ at: drawBusinessTime(scene, i * 2), cents, other: firstActor(scene).party });
        const gone = {
          at: drawBusinessTime(scene, i * 2 + 1),
          cents: share(cents, 80),
          other: owner,
          channel: 'WEB',
        };
        return movesBy(firstActor(scene), i % 3 === 2 ? [deposit, gone] : [deposit]);
      }).flat();
    },
  },
  MULE_RING: {
    ...{ actor: 'PERSON', cast: castBetween(4, 6), days: 6 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const device = `device-of-${parties.person().cpfCnpj}`;
      const ip = scene.address();
      const payee = parties.person();
      return actors.flatMap((actor) => {
        const at = drawDaylightTime(scene, dice.between(0, 2));
        const cents = drawAmount(dice, 800, 4_800);
        return movesBy(actor, [
          incomingPayment({ at, cents, other: parties.person() }),
          {
            at: at + dice.between(10, 300) * MINUTE_MS,
            cents: share(cents, 97),
            other: payee,
            ...{ device, ip, registered: dice.chance(0.5) },
          },
        ]);
      });
    },
  },
};
