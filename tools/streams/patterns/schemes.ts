import { cash, incomingPayment, type StreamPayment } from '../moves.js';
import {
  castBetween,
  castOne,
  drawAmount,
  drawBusinessTime,
  drawDaylightTime,
  firstActor,
  movesBy,
  repeat,
  share,
  unknownParties,
  type PatternContext,
  type PatternMove,
  type PatternsByClass,
} from './pattern.js';
import { HOUR_MS } from '../stream-calendar.js';
import type { StreamCustomer } from '../world.js';

const MINUTE_MS = 60_000;

/** A payment from one customer of a pattern to another, seen from both accounts. */
const between = (
  payer: StreamCustomer,
  payee: StreamCustomer,
  move: Pick<StreamPayment, 'at' | 'cents'> & Partial<StreamPayment>,
): PatternMove[] => [
  ...movesBy(payer, [{ ...move, other: payee.party }]),
  ...movesBy(payee, [incomingPayment({ at: move.at + 1_000, cents: move.cents, other: payer.party })]),
];

const sumOf = (moves: readonly Pick<StreamPayment, 'cents'>[]): number =>
  moves.reduce((sum, { cents }) => sum + cents, 0);

/** Draws credits from people whom the customer has not met, on some of the first `days` days. */
const creditsOfStrangers = (
  scene: PatternContext,
  [least, most]: readonly [number, number],
  days: number,
  [low, high]: readonly [number, number],
): StreamPayment[] =>
  unknownParties(scene, scene.dice.between(least, most)).map((other) =>
    incomingPayment({
      at: drawDaylightTime(scene, scene.dice.between(0, days)),
      cents: drawAmount(scene.dice, low, high),
      other,
    }),
  );

/** Schemes that use several people, several weeks, or the victim's own hand; docs/streams.md describes each. */
export const schemes: PatternsByClass = {
  FALSE_BANK_CALL: {
    ...{ actor: 'PERSON', cast: castOne(), days: 2 },
    moves: (scene) => {
      const { dice } = scene;
      const payees = unknownParties(scene, dice.between(3, 8));
      const most = drawAmount(dice, 1_200, 5_000, 100);
      const starts = drawDaylightTime(scene, 0);
      return movesBy(
        firstActor(scene),
        repeat(dice.between(payees.length, payees.length + 2), (i) => ({
          at: starts + i * dice.between(2, 8) * MINUTE_MS,
          cents: share(most, dice.between(80, 100)),
          other: payees[i % payees.length] ?? dice.pick(payees),
        })),
      );
    },
  },
  ROMANCE: {
    ...{ actor: 'PERSON', cast: castOne(), days: 42 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const beloved = parties.person();
      const count = dice.between(5, 9);
      const pause = dice.between(3, 5);
      const growth = 1.3 + 0.4 * dice.next();
      const first = drawAmount(dice, 150, 500, 10);
      return movesBy(
        firstActor(scene),
        repeat(count, (i) => ({
          at: drawDaylightTime(scene, i * pause),
          cents: Math.round((first * growth ** i * dice.between(90, 110)) / 10_000) * 100,
          other: beloved,
        })),
      );
    },
  },
  WAGE_KICKBACK: {
    ...{ actor: 'PERSON', cast: castBetween(4, 8, { pace: 0.5 }), days: 36 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const boss = parties.person();
      const office = parties.company();
      const part = dice.between(35, 80);
      return actors.flatMap((actor) => {
        const wage = drawAmount(dice, 2_800, 9_000, 10);
        return repeat(2, (month) => {
          const at = drawBusinessTime(scene, month * 30);
          const wages = { cents: wage, other: office, type: 'ACCOUNT_CREDIT', channel: 'BATCH' };
          return movesBy(actor, [
            incomingPayment({ at, ...wages }),
            { at: at + dice.between(1, 50) * HOUR_MS, cents: share(wage, part), other: boss },
          ]);
        }).flat();
      });
    },
  },
  LOAN_REPAID_BY_STRANGERS: {
    ...{ actor: 'PERSON', cast: castOne(), days: 24 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const loan = drawAmount(dice, 8_000, 45_000, 500);
      const lender = parties.company();
      const payers = unknownParties(scene, dice.between(3, 7));
      const credits = payers.map((other, i) =>
        incomingPayment({
          at: drawDaylightTime(scene, 4 + i * 2),
          cents: share(Math.round(loan / payers.length), dice.between(85, 115)),
          other,
        }),
      );
      return movesBy(firstActor(scene), [
        incomingPayment({
          ...{ at: drawDaylightTime(scene, 0), cents: loan, other: lender },
          ...{ type: 'LOAN_DISBURSEMENT', channel: 'MOBILE_APP' },
        }),
        { at: drawDaylightTime(scene, 1), cents: share(loan, dice.between(80, 98)), other: parties.person() },
        ...credits,
        {
          ...{ at: drawDaylightTime(scene, 21), cents: share(sumOf(credits), 97), other: lender },
          type: 'LOAN_PAYMENT',
        },
      ]);
    },
  },
  HOP_CHAIN: {
    ...{ actor: 'PERSON', cast: castBetween(3, 6), days: 4 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const rounds = dice.between(1, 3);
      return repeat(rounds, (round) => {
        let at = drawDaylightTime(scene, round);
        let cents = drawAmount(dice, 2_500, 14_000);
        const moves: PatternMove[] = [];
        for (const [i, actor] of actors.entries()) {
          if (i === 0) {
            moves.push(...movesBy(actor, [incomingPayment({ at, cents, other: parties.person() })]));
          }
          at += dice.between(4, 90) * MINUTE_MS;
          cents = share(cents, dice.between(95, 99));
          const next = actors[i + 1];
          moves.push(
            ...(next
              ? between(actor, next, { at, cents })
              : movesBy(actor, [{ at, cents, other: parties.person() }])),
          );
        }
        return moves;
      }).flat();
    },
  },
  BUST_OUT_MERCHANT: {
    ...{ actor: 'COMPANY', cast: castOne({ monthly: 3_000_000 }), days: 14 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const acquirer = firstActor(scene).payer;
      const partner = parties.person();
      return repeat(dice.between(5, 9), (i) => {
        const at = drawBusinessTime(scene, i);
        const cents = drawAmount(dice, 9_000, 40_000);
        const takings = { cents, other: acquirer, type: 'ACCOUNT_CREDIT', channel: 'BATCH' };
        return movesBy(firstActor(scene), [
          incomingPayment({ at, ...takings }),
          {
            ...{ at: at + dice.between(1, 20) * HOUR_MS, cents: share(cents, dice.between(80, 98)) },
            ...{ other: partner, channel: 'WEB' },
          },
        ]);
      }).flat();
    },
  },
  ACCOUNT_NURSERY: {
    ...{ actor: 'PERSON', cast: castBetween(4, 8, { pace: 0 }), days: 20 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const device = `device-of-${parties.person().cpfCnpj}`;
      const ip = scene.address();
      const collector = parties.person();
      const nursed = { device, ip };
      return actors.flatMap((actor, i) => {
        const neighbour = actors[(i + 1) % actors.length] ?? actor;
        const harvest = drawAmount(dice, 2_000, 9_000);
        const at = drawDaylightTime(scene, dice.between(16, 19));
        return [
          ...repeat(3, (time) =>
            between(actor, neighbour, {
              ...{ at: drawDaylightTime(scene, time * 4), cents: drawAmount(dice, 20, 200) },
              ...nursed,
            }),
          ).flat(),
          ...movesBy(actor, [
            incomingPayment({ at, cents: harvest, other: parties.person() }),
            {
              ...{ at: at + dice.between(3, 120) * MINUTE_MS, cents: share(harvest, 97), other: collector },
              ...nursed,
            },
          ]),
        ];
      });
    },
  },
  BETS: {
    ...{ actor: 'PERSON', cast: castOne(), days: 24 },
    moves: (scene) => {
      const { dice, parties } = scene;
      const bookmaker = parties.company();
      return repeat(dice.between(2, 4), (i) => {
        const credits = creditsOfStrangers(scene, [2, 4], 1, [800, 4_000]).map((credit) => ({
          ...credit,
          at: credit.at + i * 5 * 24 * HOUR_MS,
        }));
        const last = Math.max(...credits.map(({ at }) => at));
        const staked = share(sumOf(credits), dice.between(90, 99));
        return movesBy(firstActor(scene), [
          ...credits,
          { at: last + dice.between(20, 300) * MINUTE_MS, cents: staked, other: bookmaker },
          incomingPayment({
            ...{ at: last + dice.between(24, 70) * HOUR_MS, cents: share(staked, dice.between(80, 97)) },
            other: bookmaker,
          }),
        ]);
      }).flat();
    },
  },
  SPLIT_REMITTANCES: {
    ...{ actor: 'PERSON', cast: castBetween(2, 5), days: 12 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const payee = parties.person(dice.pick(['CN', 'HK', 'PY', 'US', 'BO', 'PT']));
      return actors.flatMap((actor) =>
        repeat(dice.between(2, 4), (i) => {
          const cents = drawAmount(dice, 3_000, 15_000);
          const at = drawBusinessTime(scene, i * 2 + dice.between(0, 2));
          return movesBy(actor, [
            cash({ at, cents, other: actor.party }),
            {
              ...{ at: at + dice.between(1, 4) * HOUR_MS, cents: share(cents, 98), other: payee },
              type: 'FX_OUTBOUND',
            },
          ]);
        }).flat(),
      );
    },
  },
  PROTECTION_MONEY: {
    ...{ actor: 'SELLER', cast: castBetween(4, 9), days: 36 },
    moves: (scene) => {
      const { dice, parties, actors } = scene;
      const collector = parties.person();
      const fee = drawAmount(dice, 150, 900, 50);
      return actors.flatMap((actor) =>
        movesBy(
          actor,
          repeat(5, (week) => ({
            at: drawDaylightTime(scene, week * 7 + dice.between(0, 1)),
            cents: fee,
            other: collector,
          })),
        ),
      );
    },
  },
};
