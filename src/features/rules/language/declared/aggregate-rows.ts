import {
  customerEventTypes,
  type CustomerEventType,
} from '../../../../platform/kernel/reference/customer-events.js';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';
import type { Expression } from '../syntax/ast.js';
import type { FeatureType } from '../vocabulary.js';
import { customFieldFeature } from './custom-field.js';
import type { AggregateDefinition } from './aggregate-definition.js';
import type { RowFilter, RowValue, WindowAggregate } from './aggregate.js';
import { eventShapes, pickedType, shapes, type FunctionShape } from './aggregate-shape.js';

/** A checked filter of an aggregate. */
export interface CheckedFilter {
  readonly ast: Expression;
  readonly cost: number;
  readonly filter: RowFilter;
  /** Equal for filters that decide every row alike. */
  readonly identityParts: object;
}

/** The rows of a window and what the function makes of them; `fault` says what is wrong with a member. */
interface AggregateRows {
  /** The types of events, sorted and each once; null if the rows are transactions. */
  readonly events: readonly CustomerEventType[] | null;
  readonly shape: FunctionShape | null;
  readonly fault: {
    readonly member: keyof AggregateDefinition;
    readonly message: string;
    readonly expected: string;
    readonly suggestion?: string | undefined;
  } | null;
}

/** Reads the member `events` of an aggregate, and what it allows. */
export function rowsOf(
  { events, current }: AggregateDefinition,
  fn: WindowAggregate['function'],
): AggregateRows {
  if (events === undefined) return { events: null, shape: shapes[fn], fault: null };
  const faulty = (
    member: keyof AggregateDefinition,
    message: string,
    expected: string,
    suggestion?: string,
  ): AggregateRows => ({ events: null, shape: null, fault: { member, message, expected, suggestion } });
  const expected = `some of ${customerEventTypes.join(', ')}`;
  if (!Array.isArray(events) || events.length === 0) {
    return faulty('events', 'Say of which events.', expected);
  }
  const odd = (events as readonly string[]).find((type) => !customerEventTypes.some((one) => one === type));
  if (odd !== undefined) {
    const near = didYouMean(odd, customerEventTypes);
    return faulty('events', 'There is no such type of event.', expected, near);
  }
  if (current === true) return faulty('current', 'A transaction is no event.', 'no `current`');
  const shape = eventShapes[fn];
  if (!shape) return faulty('function', 'Events have no amounts.', Object.keys(eventShapes).join(', '));
  return { events: customerEventTypes.filter((type) => events.includes(type)), shape, fault: null };
}

/** Returns the type of the figure. */
export function figureTypeOf(fn: WindowAggregate['function'], of: RowValue | null): FeatureType {
  if (fn !== 'first' && fn !== 'last') return 'number';
  return of?.field ? customFieldFeature(of.field).definition.type : pickedType(of?.name ?? '');
}
