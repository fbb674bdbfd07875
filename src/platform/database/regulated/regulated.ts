import { getMetadataArgsStorage } from 'typeorm';

type EntityClass<Entity = object> = new () => Entity;

/** A table whose rows are evidence about a subject of the audit trail. */
export interface Regulation {
  /** The kind of subject. */
  readonly of: string;
  /** The property with the id of the subject: the row itself, or the row that it belongs to. */
  readonly by: string;
  /**
   * STATE: each change is bound by an entry of the state trail of its subject, in the same commit. ENTRY: the entry that
   * the row is written with holds the digest; for rows that come by the hundred and are never changed.
   */
  readonly bound: 'STATE' | 'ENTRY';
  /** Properties that are evidence. */
  readonly columns: readonly string[];
  /** Other subjects that these rows belong to: the kind of each, and the property that names it. */
  readonly links: Readonly<Record<string, string>>;
  /** Values between which a lease moves a property without a step: the digest takes them for one. */
  readonly leased: Readonly<Record<string, readonly string[]>>;
  /** Properties that are no evidence, each with the reason. */
  readonly free: Readonly<Record<string, string>>;
}

const regulations = new Map<EntityClass, Regulation>();
const unregulated = new Map<EntityClass, string>();

interface Declared<Bound extends string, Free extends string> {
  readonly of: string;
  readonly by: Bound;
  readonly bound?: Regulation['bound'];
  readonly columns: readonly Bound[];
  readonly links?: Readonly<Record<string, Bound>>;
  readonly leased?: Readonly<Partial<Record<Bound, readonly string[]>>>;
  readonly free?: Readonly<Record<Free, string>>;
}

/** An entity with all its properties among `Known`; for any other the build fails and names the missing ones. */
type Complete<Entity, Known extends string> =
  Exclude<keyof Entity & string, Known> extends never
    ? EntityClass<Entity>
    : { readonly undeclared: Exclude<keyof Entity & string, Known> };

/** Declares each column of an entity as regulated or free. A column that is in neither fails the build. */
export const Regulated =
  <Bound extends string, Free extends string = never>(declared: Declared<Bound, Free>) =>
  <Entity extends object>(entity: EntityClass<Entity> & Complete<Entity, Bound | Free>): void => {
    const { of, by, bound = 'STATE', columns, links = {}, leased = {}, free = {} } = declared;
    regulations.set(entity, { of, by, bound, columns, links, leased, free });
  };

/** Declares that a table holds no evidence of its own, and why. */
export const Unregulated =
  (reason: string) =>
  (entity: EntityClass): void => {
    unregulated.set(entity, reason);
  };

export const regulationOf = (entity: unknown): Regulation | undefined =>
  regulations.get(entity as EntityClass);

export const reasonOf = (entity: unknown): string | undefined => unregulated.get(entity as EntityClass);

/** The kinds of subject whose rows the database binds. */
export const boundKinds = (): ReadonlySet<string> =>
  new Set([...regulations.values()].filter(({ bound }) => bound === 'STATE').map(({ of }) => of));

/** Returns the tables that are linked to a kind of subject and belong to another one first, by kind. */
export function linkedTables(): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const [entity, { links }] of regulations) {
    const name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? '';
    for (const kind of Object.keys(links)) tables.set(kind, (tables.get(kind) ?? new Set()).add(name));
  }
  return tables;
}

/** The kinds of subject whose own row the database binds, so that its state trail tells whether there has to be one. */
export const rowKinds = (): ReadonlySet<string> =>
  new Set(
    [...regulations.values()].filter(({ bound, by }) => bound === 'STATE' && by === 'id').map(({ of }) => of),
  );

/** Every regulated entity with its declaration. */
export const regulatedEntities = (): ReadonlyMap<EntityClass, Regulation> => regulations;

/** A table whose rows are bound by the state trail of their subject, as the entity declares it. */
export interface BoundTable {
  readonly table: string;
  readonly of: string;
  /** The column that names the subject. */
  readonly by: string;
  readonly columns: readonly string[];
  readonly bound: Regulation['bound'];
  /** By column: values that the digest takes for one. */
  readonly leased?: Readonly<Record<string, readonly string[]>>;
  /** True if only the existence of rows is bound here; another subject binds their values. */
  readonly isLink: boolean;
}
