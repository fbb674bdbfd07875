import { required } from '../../../src/platform/kernel/index.js';
import type { RandomGenerator } from '../dice.js';
import type { StreamPayment } from '../moves.js';
import { drawTimeBetween, type StreamDay } from '../stream-calendar.js';
import type { ActorKind, StreamParty, PartyGenerator, StreamCustomer } from '../world.js';

/** The properties that a pattern requires of a customer. */
export type ActorRequirements = Partial<Pick<StreamCustomer, 'monthly' | 'elderly' | 'takesCash' | 'pace'>>;

export interface PatternContext {
  readonly dice: RandomGenerator;
  readonly parties: PartyGenerator;
  /** The customers of the pattern, in the order of `cast`. */
  readonly actors: readonly StreamCustomer[];
  /** Returns a day of the pattern, counted from 0; a bank day if `open`. */
  readonly day: (number: number, open?: boolean) => StreamDay;
  /** Returns an IP address that nobody has used before. */
  readonly address: () => string;
}

/** A pattern of laundering or fraud. Its amounts are typical of the crime, independent of any rule's thresholds. */
export interface Pattern {
  readonly actor: ActorKind;
  /** Draws the requirements for each customer who takes part. */
  readonly cast: (dice: RandomGenerator) => readonly ActorRequirements[];
  /** The longest duration of the pattern in days. */
  readonly days: number;
  /** True if the accounts have slept for long; an account of `pace` 0 is otherwise a new one. */
  readonly slept?: true;
  readonly moves: (scene: PatternContext) => readonly PatternMove[];
}

export type PatternsByClass = Readonly<Record<string, Pattern>>;

export interface PatternMove {
  readonly actor: StreamCustomer;
  readonly move: StreamPayment;
}

export const castOne =
  (cast: ActorRequirements = {}) =>
  (): readonly ActorRequirements[] => [cast];
export const castBetween =
  (least: number, most: number, cast: ActorRequirements = {}) =>
  (dice: RandomGenerator): readonly ActorRequirements[] =>
    Array.from({ length: dice.between(least, most) }, () => cast);

export const movesBy = (actor: StreamCustomer, moves: readonly StreamPayment[]): PatternMove[] =>
  moves.map((move) => ({ actor, move }));

export const repeat = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Draws an amount in cents between two amounts in reais, a multiple of `step` reais. */
export const drawAmount = (dice: RandomGenerator, least: number, most: number, step = 1): number =>
  dice.between(Math.ceil(least / step), Math.floor(most / step)) * step * 100;

export const share = (cents: number, percent: number): number => Math.round((cents * percent) / 100);

export const drawBusinessTime = ({ dice, day }: PatternContext, number: number): number =>
  drawTimeBetween(dice, day(number, true), 10, 16);

export const drawDaylightTime = ({ dice, day }: PatternContext, number: number): number =>
  drawTimeBetween(dice, day(number), 9, 19);

export const firstActor = ({ actors }: PatternContext): StreamCustomer =>
  required(actors[0], 'the actor of a pattern');

export const unknownParties = ({ parties }: PatternContext, count: number): StreamParty[] =>
  repeat(count, () => parties.person());
