import type { Parameter } from '../openapi.js';
import type { Draft, Target } from './requests.js';
import { FromAnswers, pickFrom, prefixOf, Raw } from './values.js';

const MAX_KEPT = 40;
/** Members of a body that are those of the thing that the path names, as it is at that time. */
const OF_THE_THING = ['digest', 'revision'];
/** Names that a parameter shares with those of other collections. */
const COMMON = /^(id|key|name|file)$/;

type Thing = Readonly<Record<string, unknown>>;

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null;

const isName = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

const ofPath = ({ operation }: Target): readonly Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');

/** Cuts a path after its last value. */
const placeOf = (template: string): string => template.slice(0, template.lastIndexOf('}') + 1);

/** The name of the collection that a path is about: its last part that is no parameter, up to a parameter. */
function collectionOf(template: string, parameter?: string): string {
  const parts = template.split('/');
  const end = parameter === undefined ? parts.length : parts.indexOf(`{${parameter}}`);
  return parts.slice(0, end).findLast((part) => !part.startsWith('{')) ?? '';
}

/** As what a value of a path is kept. */
export const kindOf = (template: string, name: string): string =>
  /^(id|key|name)$/.test(name) ? `${name} of ${collectionOf(template, name)}` : name;

/** Returns what a thing in an answer is called where a path has this parameter; null when it has no such name. */
function namedIn(thing: Thing, { name, example, schema }: Parameter): unknown {
  const known = example ?? schema?.['example'];
  const prefix = prefixOf(known);
  if (known === undefined) return thing[name] ?? (name.endsWith('Id') ? thing['id'] : null) ?? null;
  const candidates = prefix === null ? [thing[name]] : [thing[name], thing['id'], ...Object.values(thing)];
  return candidates.find((value) => isName(value) && prefixOf(value) === prefix) ?? null;
}

/** The ids inside of a value, each once. */
const namesIn = (value: unknown): unknown[] =>
  Array.isArray(value) || isThing(value)
    ? [...new Set(Object.values(value).flatMap((one) => namesIn(one)))]
    : prefixOf(value) === null
      ? []
      : [value];

/** Keeps what answers show of what is there: ids by their prefix, other values by their name, and whole paths. */
export class Harvest {
  private readonly kept = new Map<string, unknown[]>();
  /** Members of things, as answers said them last, by id. */
  private readonly things = new Map<unknown, Thing>();
  /** The ids that answers showed inside of a thing, by its id and their prefix. */
  private readonly inside = new Map<unknown, Map<string, unknown[]>>();
  /** The parameters of each place. */
  private readonly places: ReadonlyMap<string, readonly Parameter[]>;
  /** Holds the places of whatever has members of these names. */
  private readonly distinct: readonly (readonly [string, readonly Parameter[]])[];
  private readonly names: ReadonlySet<string>;

  constructor(targets: readonly Target[]) {
    const withValues = targets.filter(({ template }) => template.includes('{'));
    this.places = new Map(withValues.map((one) => [placeOf(one.template), ofPath(one)]));
    this.distinct = [...this.places].filter(([, all]) => all.every(({ name }) => !COMMON.test(name)));
    this.names = new Set([...this.places.values()].flat().map(({ name }) => name));
  }

  /** Keeps which things are there: those that the path names, and those below it that the answer shows. */
  learn(template: string, at: readonly unknown[], body: unknown, text = ''): void {
    this.gather(template, body);
    const { data } = (body ?? {}) as { readonly data?: unknown };
    const inside = isThing(data) ? Object.values(data).filter((one) => !Array.isArray(one)) : [];
    const shown = (Array.isArray(data) ? data.slice(0, 20) : [data, ...inside]).filter(isThing);
    const listIn = (place: string): Thing[] => {
      const list = isThing(data) ? data[collectionOf(place)] : null;
      return Array.isArray(list) ? list.slice(0, 20).filter(isThing) : [];
    };
    for (const [place, parameters] of this.places) {
      if (`${template}/`.startsWith(`${place}/`)) {
        this.keepPlace(place, at.slice(0, parameters.length));
        parameters.forEach(({ name }, i) => {
          if (isName(at[i])) this.keep(kindOf(place, name), at[i]);
        });
      } else if (place.startsWith(`${template}/`)) {
        const below = parameters.slice(at.length);
        const own = listIn(place);
        for (const thing of own.length > 0 ? own : shown) {
          this.keepPlace(place, [...at, ...below.map((one) => namedIn(thing, one))]);
        }
      }
      // A page names its files.
      const [folder = '', rest] = place.split('{file}');
      if (rest === '' && !folder.includes('{') && text.includes(folder)) {
        for (const [, file] of text.matchAll(new RegExp(`${folder}([\\w.-]+)`, 'g'))) {
          this.keepPlace(place, [file]);
        }
      }
    }
  }

  /** Keeps no longer what is not there. */
  forget(template: string, at: readonly unknown[]): void {
    if (template !== placeOf(template)) return;
    for (const [kind, value] of [
      [`place ${template}`, JSON.stringify(at)],
      [prefixOf(at.at(-1)) ?? '', at.at(-1)],
    ] as const) {
      this.kept.set(
        kind,
        (this.kept.get(kind) ?? []).filter((one) => one !== value),
      );
    }
  }

  keep(kind: string, value: unknown): void {
    const list = this.kept.get(kind) ?? [];
    if (list.includes(value)) return;
    list.push(value);
    if (list.length > MAX_KEPT) list.shift();
    this.kept.set(kind, list);
  }

  /** Returns the values of a path: those of a place that is there, or of the one above it with what else is known. */
  at(template: string, { place, path }: Draft): unknown[] {
    const parts = template.split('/');
    const known = parts
      .map((_, i) => this.kept.get(`place ${parts.slice(0, i + 1).join('/')}`) ?? [])
      .filter((list) => list.length > 0);
    const list = place === null ? [] : (known.at(place % 4 === 0 ? -2 : -1) ?? known.at(-1) ?? []);
    const chosen = pickFrom(list, Math.floor((place ?? 0) / 4));
    const values = typeof chosen === 'string' ? (JSON.parse(chosen) as unknown[]) : [];
    const names = parts.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1));
    return names.map((name, i) => values[i] ?? this.filled(path[name]));
  }

  /** Returns the body of a request about this thing: what it takes from answers is mostly what is inside of the thing. */
  bodyFor(thing: unknown, body: unknown): unknown {
    const filled = this.filled(body, this.inside.get(thing));
    const known = this.things.get(thing);
    if (!known || typeof filled !== 'object' || filled === null || Array.isArray(filled)) return filled;
    const named = Object.entries(known).filter(([name]) => name in filled);
    return { ...filled, ...Object.fromEntries(named) };
  }

  /** Returns the value with what it takes from answers filled in. */
  filled(value: unknown, inside: ReadonlyMap<string, readonly unknown[]> = new Map()): unknown {
    if (value instanceof FromAnswers) {
      const own = value.pick % 4 === 0 ? [] : (inside.get(value.kind) ?? []);
      const list = own.length > 0 ? own : (this.kept.get(value.kind) ?? []);
      return list.length === 0 ? value.otherwise : pickFrom(list, Math.floor(value.pick / 4));
    }
    if (Buffer.isBuffer(value) || value instanceof Raw || typeof value !== 'object' || value === null) {
      return value;
    }
    if (Array.isArray(value)) return value.map((item) => this.filled(item, inside));
    return Object.entries(value).reduce<object>(
      // Defined, not assigned: a member may be called __proto__.
      (copy, [key, member]) =>
        Object.defineProperty(copy, key, {
          value: this.filled(member, inside),
          enumerable: true,
          configurable: true,
          writable: true,
        }),
      {},
    );
  }

  private gather(template: string, value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 20)) this.gather(template, item, name);
    else if (isThing(value)) this.gatherThing(template, value);
    else if (isName(value)) {
      const prefix = prefixOf(value);
      if (prefix !== null) this.keep(prefix, value);
      if (name === 'nextCursor') this.keep(`cursor of ${template}`, value);
      if (this.names.has(name) && !COMMON.test(name)) this.keep(name, value);
      // The audit trail of anything that has an id is there to be read.
      if (name === 'id') this.keep('subjectId', value);
    }
  }

  private gatherThing(template: string, thing: Thing): void {
    for (const [key, member] of Object.entries(thing)) this.gather(template, member, key);
    for (const [place, parameters] of this.distinct) {
      this.keepPlace(
        place,
        parameters.map((one) => namedIn(thing, one)),
      );
    }
    const known = Object.entries(thing).filter(([key]) => OF_THE_THING.includes(key));
    const { id } = thing;
    if (id === undefined) return;
    if (known.length > 0) this.things.set(id, { ...this.things.get(id), ...Object.fromEntries(known) });
    const inside = this.inside.get(id) ?? new Map<string, unknown[]>();
    for (const name of namesIn(thing).filter((one) => one !== id)) {
      const prefix = prefixOf(name) ?? '';
      inside.set(prefix, [...new Set([...(inside.get(prefix) ?? []), name])].slice(-MAX_KEPT));
    }
    this.inside.set(id, inside);
  }

  private keepPlace(place: string, values: readonly unknown[]): void {
    if (values.every(isName)) this.keep(`place ${place}`, JSON.stringify(values));
  }
}
