import type { Permission } from '../http/index.js';
import type { IdPrefix } from '../kernel/index.js';
import type { Guard } from './guards.js';

/** A text in the languages of the console. */
export interface Words {
  readonly en: string;
  readonly pt: string;
}

/** One thing that a request changes; a name or a figure is the same in both languages. */
export interface ChangeLine {
  readonly what: Words;
  /** Null for what is new. */
  readonly before: string | Words | null;
  /** Null for what goes. */
  readonly after: string | Words | null;
}

type RequestValues = Readonly<Record<string, unknown>>;

/** An act on a subject that two people must agree on. */
export interface ActSheet {
  /** The name of the act on screens. */
  readonly title: Words;
  /** The effect of the approved change. */
  readonly effect: Words;
  /** How an operator can undo the effect. */
  readonly undo: Words;
  /** The permission to request the act; the routes of the request declare the same permission. */
  readonly ask: Permission;
  /** The permission to approve or refuse the act; always with a second factor. */
  readonly approve: Permission;
  /** Hours between the approval and its effect, in which the request can still be withdrawn; 0 if left out. */
  readonly waitsHours?: number;
  /** Days within which a request can be approved; 14 if left out. */
  readonly livesDays?: number;
  /** The prefix of the public id of the changed object, where the object is only a part of the subject. */
  readonly id?: IdPrefix;
  /**
   * The path of the route that returns the object, to which its id is added, or with `{name}` for values of the request;
   * absent if the object exists only after the approval, or has no route.
   */
  readonly path?: string;
  /** Says in words what a request changes, where its own values say it; else the service of the object does. */
  readonly lines?: (before: RequestValues, after: RequestValues) => readonly ChangeLine[];
  /** The routes that create a request. */
  readonly routes: readonly string[];
  /** The triggers that refuse the effect without an approved request. */
  readonly guards?: readonly Guard[];
}

/** The order in which the actions of a trail may follow each other. */
export interface ActionOrder<Action extends string = string> {
  readonly first: readonly Action[];
  readonly follows: Readonly<Partial<Record<Action, readonly Action[]>>>;
  /** Actions that may occur anywhere after the first action, such as refusals. They do not change what may follow. */
  readonly beside?: readonly Action[] | undefined;
}

/**
 * The declaration of an audited subject. The union of subject types, the list of actions, the grammar of trails, the table
 * of acts of two people, and the words of the console follow from it.
 */
export interface SubjectSheet<
  Type extends string = string,
  Action extends string = string,
  Act extends string = string,
> {
  readonly type: Type;
  /** The prefix of the public id of the subject; absent if it is never shown. */
  readonly id?: IdPrefix;
  /** Every action of the trail. A trail grammar must cover the whole list, so the list is closed. */
  readonly actions: readonly Action[];
  /** Absent if the actions may follow each other in any order. */
  readonly order?: ActionOrder<NoInfer<Action>>;
  /** Returns the actions of which one must be the newest, by the row of the subject. */
  readonly last?: (row: never) => readonly NoInfer<Action>[];
  /** Returns the values of the row that its first entry must also contain. The row stores the hash of that entry. */
  readonly says?: (
    row: never,
  ) => Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
  /** The actions that publish an event, unless their entry has `event: false`. */
  readonly events?: readonly NoInfer<Action>[];
  /** True if entries may be deleted after their retention, which then starts with the entry itself. */
  readonly isPrunable?: true;
  readonly acts?: Readonly<Partial<Record<Act, ActSheet>>>;
}

/** Declares a subject. The types keep its literal names. */
export const sheet = <
  const Type extends string,
  const Action extends string,
  const Act extends string = never,
>(
  declared: SubjectSheet<Type, Action, Act>,
): SubjectSheet<Type, Action, Act> => declared;

/** Declares an order in which, after the first action, any of the others may follow in any number. */
export const inAnyOrder = <const First extends string, const Later extends string>(
  first: First,
  later: readonly Later[],
): ActionOrder<First | Later> => ({
  first: [first],
  follows: Object.fromEntries([first, ...later].map((action) => [action, later])) as Partial<
    Record<First | Later, readonly Later[]>
  >,
});
