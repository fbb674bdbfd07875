import { incomingPayment, type StreamPayment } from '../moves.js';
import {
  movesBy,
  firstActor,
  drawDaylightTime,
  castOne,
  drawAmount,
  share,
  unknownParties,
  repeat,
  type PatternsByClass,
  type PatternContext,
} from './pattern.js';
import { HOUR_MS, drawTimeBetween } from '../stream-calendar.js';

const MINUTE_MS = 60_000;

const atNight = ({ dice, day }: PatternContext, number: number): number =>
  drawTimeBetween(dice, day(number), 0, 5);

export const frauds: PatternsByClass = {
  ACCOUNT_TAKEOVER: {
    ...{ actor: 'PERSON', cast: castOne(), days: 2 },
    moves: (scene) => {
      const { dice } = scene;
      const payees = unknownParties(scene, dice.between(1, 3));
      const starts = atNight(scene, 0);
      const thief = {
        device: `device-of-${payees[0]?.cpfCnpj ?? ''}`,
        registered: false,
        ip: scene.address(),
      };
      return movesBy(
        firstActor(scene),
        repeat(dice.between(3, 8), (i) => ({
          at: starts + i * dice.between(2, 6) * MINUTE_MS,
          cents: drawAmount(dice, 600, 4_500),
          other: dice.pick(payees),
          ...thief,
        })),
      );
    },
  },
  CARD_TESTING: {
    ...{ actor: 'PERSON', cast: castOne(), days: 2 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const shop = parties.company();
      const starts = drawDaylightTime(scene, 0);
      const tries = repeat(dice.between(4, 12), (i): StreamPayment => ({
        at: starts + i * dice.between(20, 70) * 1_000,
        cents: dice.between(100, 1_200),
        other: shop,
        ...{ type: 'CARD_PURCHASE', channel: 'WEB', declines: Math.floor(i / 3) },
      }));
      const large: StreamPayment = {
        at: starts + dice.between(20, 90) * MINUTE_MS,
        cents: drawAmount(dice, 800, 6_000),
        ...{ other: parties.company(), type: 'CARD_PURCHASE', channel: 'WEB' },
      };
      return movesBy(firstActor(scene), [...tries, large]);
    },
  },
  ELDERLY_DRAINED: {
    ...{ actor: 'PERSON', cast: castOne({ monthly: 300_000, elderly: true, pace: 0.4 }), days: 10 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payees = unknownParties(scene, 2);
      const loan = drawAmount(dice, 4_000, 20_000, 100);
      const count = dice.between(4, 8);
      return movesBy(firstActor(scene), [
        incomingPayment({
          ...{ at: drawDaylightTime(scene, 0), cents: loan, other: parties.company() },
          ...{ type: 'LOAN_DISBURSEMENT', channel: 'MOBILE_APP' },
        }),
        ...repeat(count, (i) => ({
          at: drawDaylightTime(scene, i + 1),
          cents: share(loan, (90 / count) * (0.6 + (0.8 * i) / (count - 1))),
          other: dice.pick(payees),
        })),
      ]);
    },
  },
  PAYEE_WITH_FRAUDS: {
    ...{ actor: 'PERSON', cast: castOne(), days: 2 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const payee = parties.person();
      const at = drawDaylightTime(scene, 0);
      // In half of the cases, DICT has a fraud mark before the first payment; else from the second payment on.
      const isKnown = dice.chance(0.5);
      return movesBy(
        firstActor(scene),
        repeat(dice.between(isKnown ? 1 : 2, 3), (i) => ({
          at: at + i * dice.between(1, 10) * HOUR_MS,
          cents: drawAmount(dice, 200, 3_000),
          other: payee,
          frauds: isKnown || i > 0 ? dice.between(1, 4) : 0,
        })),
      );
    },
  },
};
