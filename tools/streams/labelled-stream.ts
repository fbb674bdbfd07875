import type { CalendarDay } from '../../src/platform/kernel/values/local-day.js';
import { createRandomGenerator, type RandomGenerator } from './dice.js';
import { frauds } from './patterns/frauds.js';
import { laundering } from './patterns/laundering.js';
import {
  submissionBodyOf,
  incomingPayment,
  type StreamEventDraft,
  type StreamBody,
  type StreamLabel,
} from './moves.js';
import { dayOf } from './ordinary-life.js';
import type { PatternContext, PatternsByClass } from './patterns/pattern.js';
import { schemes } from './patterns/schemes.js';
import { DAY_MS, streamDays, type StreamDay } from './stream-calendar.js';
import { StreamWorld, type StreamParty, type StreamCustomer } from './world.js';

export interface StreamRequest {
  readonly seed: number;
  readonly days: number;
  readonly people: number;
  readonly sellers: number;
  readonly companies: number;
  /** The total number of patterns, distributed over the classes in turn. */
  readonly patterns: number;
  /** The first day, in Brazilian local time. */
  readonly begins: CalendarDay;
}

export interface LabelledEvent {
  readonly body: StreamBody;
  readonly label: StreamLabel;
}

/** The data that a customer declared to the institution. */
export interface StreamProfile {
  readonly externalCustomerId: string;
  readonly cpfCnpj: string;
  /** In reais. */
  readonly monthlyIncome: number | null;
  readonly monthlyRevenue: number | null;
  readonly birthDate: string | null;
}

const patterns: PatternsByClass = { ...laundering, ...frauds, ...schemes };
export const patternClasses: readonly string[] = Object.keys(patterns);

/** Days without patterns at the start: rules need that much history. */
const QUIET_DAYS = 8;
/** The share of the stream's customers among the employees of its companies. */
const EMPLOYED_HERE = 0.4;

/** Generates fictional customers and their events, deterministic for the same `request`. */
export class LabelledStream {
  private readonly world: StreamWorld;
  private readonly days: readonly StreamDay[];
  private readonly dice: RandomGenerator;
  private waiting: StreamEventDraft[] = [];
  private written = 0;

  constructor(private readonly request: StreamRequest) {
    this.days = streamDays(request.begins, request.days);
    this.dice = createRandomGenerator(request.seed, 2);
    this.world = new StreamWorld(request.seed, request.days, request.people + request.sellers);
    this.addCustomers();
    for (let number = 0; number < request.patterns; number += 1) this.addPattern(number);
  }

  /** Yields the events in order of time, with one day in memory. */
  *events(): Generator<LabelledEvent> {
    const everyday = this.dice;
    for (const day of this.days) {
      const scene = { dice: everyday, day, parties: this.world.parties };
      for (const customer of this.world.customers) {
        // A dormant account has no events except its pattern.
        if (customer.pace === 0 && customer.actor !== 'COMPANY') continue;
        if (customer.joins > day.number) continue;
        const { patternId } = customer;
        for (const move of dayOf(customer, scene)) {
          this.waiting.push({ customer, move, class: null, patternId });
        }
      }
      yield* this.takeDue(day.starts + DAY_MS);
    }
  }

  listProfiles(): StreamProfile[] {
    return this.world.customers.map(({ id, party, actor, declared, elderly }) => ({
      externalCustomerId: id,
      cpfCnpj: party.cpfCnpj,
      monthlyIncome: actor === 'COMPANY' ? null : declared / 100,
      monthlyRevenue: actor === 'COMPANY' ? declared / 100 : null,
      birthDate: actor === 'COMPANY' ? null : bornIn(party, elderly),
    }));
  }

  /** Creates companies first, because they employ some of the people. */
  private addCustomers(): void {
    const { world, request, dice } = this;
    for (let i = 0; i < request.companies; i += 1) world.add('COMPANY');
    const posts = world.customers.flatMap(({ party: payer, payees }) =>
      payees.map(({ party, cents: monthly }) => ({ payer, party, monthly })),
    );
    for (let i = 0; i < request.people; i += 1) {
      const post = dice.chance(EMPLOYED_HERE) ? posts.splice(dice.between(0, posts.length - 1), 1)[0] : null;
      world.add('PERSON', post ?? {});
    }
    for (let i = 0; i < request.sellers; i += 1) world.add('SELLER');
  }

  private addPattern(number: number): void {
    const { dice, world, days } = this;
    const name = patternClasses[number % patternClasses.length] ?? '';
    const pattern = patterns[name];
    if (!pattern) return;
    const patternId = `${name.toLowerCase().replaceAll('_', '-')}-${number + 1}`;
    const actors = pattern.cast(dice).map((cast) => world.add(pattern.actor, { ...cast, patternId }));
    const quiet = Math.min(QUIET_DAYS, Math.floor(days.length / 3));
    const starts = dice.between(quiet, Math.max(quiet, days.length - 1 - pattern.days));
    const scene: PatternContext = {
      ...{ dice, actors, parties: world.parties, address: () => world.address() },
      day: (offset, open = false) => dayFrom(days, starts + offset, open),
    };
    if (pattern.slept) this.addDormantHistory(actors);
    for (const { actor: customer, move } of pattern.moves(scene)) {
      this.waiting.push({ customer, move, class: name, patternId });
    }
  }

  /** Adds the last transactions of dormant accounts, 200 to 400 days before the stream. */
  private addDormantHistory(actors: readonly StreamCustomer[]): void {
    const begins = this.days[0]?.starts ?? 0;
    for (const customer of actors) {
      const asleep = this.dice.between(200, 400);
      for (let i = 0; i < 3; i += 1) {
        const at = begins - (asleep - i) * DAY_MS;
        const cents = this.dice.between(2_000, 30_000);
        const move = incomingPayment({ at, cents, other: customer.payer });
        this.waiting.push({ customer, move, class: null, patternId: customer.patternId });
      }
    }
  }

  private *takeDue(end: number): Generator<LabelledEvent> {
    const due = this.waiting.filter(({ move }) => move.at < end);
    this.waiting = this.waiting.filter(({ move }) => move.at >= end);
    const begins = this.days[0]?.starts ?? 0;
    for (const draft of due.sort((a, b) => a.move.at - b.move.at)) {
      this.written += 1;
      const id = `s${this.request.seed}-${String(this.written).padStart(7, '0')}`;
      const { customer, class: of, patternId } = draft;
      yield {
        body: submissionBodyOf(id, draft, this.dice, begins),
        label: {
          kind: of === null ? 'INNOCENT' : 'PATTERN',
          ...{ actor: customer.actor, class: of, patternId },
        },
      };
    }
  }
}

/** Returns day `number`, or with `open` the first bank day from it on; the last day if the stream ends before. */
function dayFrom(days: readonly StreamDay[], number: number, open: boolean): StreamDay {
  const found = days.slice(number).find((day) => !open || day.isBankDay) ?? days.at(-1);
  if (!found) throw new Error('a stream has at least one day');
  return found;
}

/** Derives the birth date from the document instead of a random draw. Elderly people are at least 66. */
const bornIn = ({ cpfCnpj }: StreamParty, elderly: boolean): string =>
  `${(elderly ? 1_940 : 1_970) + (Number(cpfCnpj.slice(0, 3)) % (elderly ? 20 : 35))}-06-15`;
