type EntityClass<Entity = object> = new () => Entity;

/** A table whose rows are evidence about a subject of the audit trail. */
export interface Regulation {
  /** The kind of subject. */
  readonly of: string;
  /** The property that names the subject: that of the row itself, or of the row that it is linked to. */
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
  /** Properties that are none, each with the reason. */
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
  readonly free?: Readonly<Record<Free, string>>;
}

/** Takes an entity all of whose properties are among `Known`; for any other the build fails and says which are missing. */
type Complete<Entity, Known extends string> =
  Exclude<keyof Entity & string, Known> extends never
    ? EntityClass<Entity>
    : { readonly undeclared: Exclude<keyof Entity & string, Known> };

/** Declares each column of an entity as regulated or free. A column that is in neither fails the build. */
export const Regulated =
  <Bound extends string, Free extends string = never>(declared: Declared<Bound, Free>) =>
  <Entity extends object>(entity: EntityClass<Entity> & Complete<Entity, Bound | Free>): void => {
    const { of, by, bound = 'STATE', columns, links = {}, free = {} } = declared;
    regulations.set(entity, { of, by, bound, columns, links, free });
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

/** Every regulated entity with its declaration. */
export const regulatedEntities = (): ReadonlyMap<EntityClass, Regulation> => regulations;
