import { endOf, momentOf, startOf } from '../../texts/days.js';
import { numberFrom, readNumber } from '../../texts/numbers.js';

export type Value = string | readonly string[] | File | null;
export type Values = Readonly<Record<string, Value>>;

/** Holds the values that were filled in, by the names of their fields. */
export class Filled {
  constructor(private readonly values: Values) {}

  text(name: string): string {
    const value = this.values[name];
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The field as a member of a body, left out when it is empty. */
  given<K extends string>(name: K): Partial<Record<K, string>> {
    const text = this.text(name);
    return text === '' ? {} : ({ [name]: text } as Record<K, string>);
  }

  /** The lines as they were typed, empty ones too: a line stands for the one at its place in another field. */
  lines(name: string): readonly string[] {
    const value = this.values[name];
    return typeof value === 'string' ? value.split('\n').map((line) => line.trim()) : [];
  }

  /** A number in the writing of the service, as a member of a query. */
  decimal<K extends string>(name: K): Partial<Record<K, string>> {
    const { decimal } = readNumber(this.text(name));
    return decimal === null ? {} : ({ [name]: decimal } as Record<K, string>);
  }

  number<K extends string>(name: K): Partial<Record<K, number>> {
    return this.text(name) === '' ? {} : ({ [name]: this.count(name) } as Record<K, number>);
  }

  /** The number of a field that has to be filled. */
  count(name: string): number {
    return numberFrom(this.text(name));
  }

  /** Two days as the moments between which everything of them is: each a member where it is filled. */
  span<From extends string, To extends string>(from: From, to: To): Partial<Record<From | To, string>> {
    const [first, last] = [this.text(from), this.text(to)];
    return {
      ...(first !== '' && { [from]: startOf(first) }),
      ...(last !== '' && { [to]: endOf(last) }),
    } as Partial<Record<From | To, string>>;
  }

  /** The moment of a local time. */
  moment(name: string): string {
    return momentOf(this.text(name));
  }

  many(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  file(name: string): File | null {
    const value = this.values[name];
    return value instanceof File ? value : null;
  }
}
