import { getMetadataArgsStorage } from 'typeorm';

type EntityClass<Entity = object> = new () => Entity;

/** The declaration of a regulated table: the audit trail of a subject holds a digest of its rows. */
export interface Regulation {
  /** The subject type. */
  readonly of: string;
  /** The property with the id of the subject: `id`, or a reference to the row that is the subject. */
  readonly by: string;
  /**
   * STATE: each change appends the new digest to the state trail of the subject, in the same commit. ENTRY: the entry
   * that is written with the row holds its digest; for insert-only rows that are written by the hundred.
   */
  readonly bound: 'STATE' | 'ENTRY';
  /** Other subjects that these rows belong to: the kind of each, and the property that names it. */
  readonly links: Readonly<Record<string, string>>;
  /**
   * By property: values that the digest treats as equal, because changes between them, as by a lease, have no audit
   * entry.
   */
  readonly leased: Readonly<Record<string, readonly string[]>>;
  /**
   * Properties that do not go into the digest, each with the reason. All others do, in the order of the entity: another
   * order gives another digest.
   */
  readonly free: Readonly<Record<string, string>>;
}

const regulations = new Map<EntityClass, Regulation>();
const unregulated = new Map<EntityClass, string>();

interface RegulationDeclaration<Bound extends string, Leased extends string, Free extends string> {
  readonly of: string;
  readonly by: Bound;
  readonly bound?: Regulation['bound'];
  readonly links?: Readonly<Record<string, Bound>>;
  readonly leased?: Readonly<Record<Leased, readonly string[]>>;
  readonly free?: Readonly<Record<Free, string>>;
}

/** An entity that has all properties in `Named`. For any other entity the build fails and names the unknown properties. */
type Having<Entity, Named extends string> =
  Exclude<Named, keyof Entity> extends never
    ? EntityClass<Entity>
    : { readonly unknown: Exclude<Named, keyof Entity> };

/** Declares an entity as regulated: the digest covers each of its columns that is not declared `free`. */
export const Regulated =
  <Bound extends string, Leased extends string = never, Free extends string = never>(
    declared: RegulationDeclaration<Bound, Leased, Free>,
  ) =>
  <Entity extends object>(entity: EntityClass<Entity> & Having<Entity, Bound | Leased | Free>): void => {
    const { of, by, bound = 'STATE', links = {}, leased = {}, free = {} } = declared;
    regulations.set(entity, { of, by, bound, links, leased, free });
  };

/** Declares that rows of a table go into no digest, and why. */
export const Unregulated =
  (reason: string) =>
  (entity: EntityClass): void => {
    unregulated.set(entity, reason);
  };

export const regulationOf = (entity: unknown): Regulation | undefined =>
  regulations.get(entity as EntityClass);

export const unregulatedReasonOf = (entity: unknown): string | undefined =>
  unregulated.get(entity as EntityClass);

/** Returns the subject types that have a state trail. */
export const boundKinds = (): ReadonlySet<string> =>
  new Set([...regulations.values()].filter(({ bound }) => bound === 'STATE').map(({ of }) => of));

/** Returns the linked tables of each subject type: their rows primarily belong to another subject. */
export function linkedTables(): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const [entity, { links }] of regulations) {
    const name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? '';
    for (const kind of Object.keys(links)) tables.set(kind, (tables.get(kind) ?? new Set()).add(name));
  }
  return tables;
}

/**
 * Returns the subject types whose state trail covers the row of the subject itself. Their trail shows if the row must
 * exist.
 */
export const rowKinds = (): ReadonlySet<string> =>
  new Set(
    [...regulations.values()].filter(({ bound, by }) => bound === 'STATE' && by === 'id').map(({ of }) => of),
  );

/** A row that names its subject by its own id. */
export interface SubjectRow {
  readonly id: string;
  readonly organisationId: string;
}

/** Returns the entity whose rows are the subjects of a type themselves; null if there is none. */
export function rowEntityOf(type: string): EntityClass<SubjectRow> | null {
  const regulated = [...regulations].find(([, { of, by }]) => of === type && by === 'id');
  return regulated ? (regulated[0] as EntityClass<SubjectRow>) : null;
}

/** Every regulated entity with its declaration. */
export const regulatedEntities = (): ReadonlyMap<EntityClass, Regulation> => regulations;

/**
 * The table of a regulated entity and its columns, named as in the database. The trail of the subject holds a digest of
 * its rows.
 */
export interface BoundTable {
  readonly table: string;
  readonly of: string;
  /** The column that names the subject. */
  readonly by: string;
  readonly columns: readonly string[];
  readonly bound: Regulation['bound'];
  /** By column: values that the digest treats as equal. */
  readonly leased?: Readonly<Record<string, readonly string[]>>;
  /** True if this digest has only the ids of the rows; the digest of another subject has their values. */
  readonly isLink: boolean;
}
