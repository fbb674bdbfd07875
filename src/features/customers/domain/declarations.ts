import type { Declaration, DeclaredField, DeclaredProfile, DeclarationSource } from './customer.js';

const NOTHING: Omit<DeclaredProfile, 'asOf'> = {
  monthlyIncome: null,
  monthlyRevenue: null,
  nightLimit: null,
  nightStartHour: null,
  pep: null,
};

const membersOf = (declaration: Declaration): DeclaredField[] =>
  (Object.keys(declaration) as DeclaredField[]).filter((member) => declaration[member] !== undefined);

const valuesOf = (profile: DeclaredProfile): Declaration =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => name !== 'asOf' && name !== 'from'));

/** Marks a statement of one operator alone: each value keeps what was known before it. */
export const UNCONFIRMED = { unconfirmed: { before: null } } as const;

/**
 * Returns the profile with the declared values, which replace stored values of any date. If the statement leaves out
 * `singleControl`, the new value keeps that mark of the old value, so that one person cannot remove it. A value of one
 * operator alone keeps the last value of which that is not true.
 */
export function applyDeclaration(
  known: DeclaredProfile | undefined,
  change: Declaration,
  statement: DeclarationSource,
): DeclaredProfile {
  const members = membersOf(change);
  const { singleControl, unconfirmed, ...plain } = statement;
  const said = (member: DeclaredField): DeclarationSource => {
    const earlier = known?.from?.[member];
    const before = earlier?.unconfirmed ? earlier.unconfirmed.before : (known?.[member] ?? null);
    return {
      ...plain,
      ...((singleControl ?? earlier?.singleControl) === true && { singleControl: true }),
      ...(unconfirmed && before !== change[member] && { unconfirmed: { before } }),
    };
  };
  return {
    ...NOTHING,
    ...known,
    ...Object.fromEntries(members.map((member) => [member, change[member]])),
    from: { ...known?.from, ...Object.fromEntries(members.map((member) => [member, said(member)])) },
    asOf: statement.at,
  };
}

/**
 * Returns the profile with the newer values of a declaration, and their names; null when none is newer. A stored value
 * of a later time stays, and a session never sets `pep` from true to false.
 */
export function applyNewerValues(
  known: DeclaredProfile | undefined,
  change: Declaration,
  statement: DeclarationSource,
): { readonly profile: DeclaredProfile; readonly members: readonly DeclaredField[] } | null {
  const members = membersOf(change).filter((member) => {
    const isSame = (known?.[member] ?? null) === (change[member] ?? null);
    // A second statement of what one operator wrote down confirms it.
    if (isSame) return known?.from?.[member]?.unconfirmed !== undefined && !statement.unconfirmed;
    if (member === 'pep' && known?.pep === true && statement.by === 'SESSION') return false;
    const before =
      known?.from?.[member]?.at ?? ((known?.[member] ?? null) === null ? undefined : known?.asOf);
    return before === undefined || Date.parse(before) <= Date.parse(statement.at);
  });
  if (members.length === 0) return null;
  const only = Object.fromEntries(members.map((member) => [member, change[member]])) as Declaration;
  const profile = applyDeclaration(known, only, statement);
  const asOf = known && Date.parse(known.asOf) > Date.parse(statement.at) ? known.asOf : statement.at;
  return { profile: { ...profile, asOf }, members };
}

/** Returns a declaration without the members that can lower a score. */
export function removeWeakeningMembers(known: DeclaredProfile | undefined, change: Declaration): Declaration {
  const weaker = weakeningMembers(known, change);
  return Object.fromEntries(
    membersOf(change)
      .filter((member) => !weaker.includes(member))
      .map((member) => [member, change[member]]),
  );
}

/** Returns members that can lower a score: an exposure that is withdrawn, a number that is raised or withdrawn. */
export const weakeningMembers = (known: DeclaredProfile | undefined, change: Declaration): DeclaredField[] =>
  membersOf(change).filter((member) => {
    const [before, after] = [known?.[member] ?? null, change[member] ?? null];
    if (member === 'pep') return before === true && after !== true;
    return typeof before === 'number' && (after === null || Number(after) > before);
  });

/**
 * Customer merge: joins two declarations. The surviving record's value wins, unless it can lower a score compared with
 * the other value: a merge needs one person, lowering a score needs two. Each value keeps its source.
 */
export function mergeDeclarations(
  into: DeclaredProfile | undefined,
  from: DeclaredProfile | undefined,
): DeclaredProfile | undefined {
  if (!into || !from) return into ?? from;
  const weaker = weakeningMembers(from, valuesOf(into));
  const names = new Set([...membersOf(valuesOf(from)), ...membersOf(valuesOf(into))]);
  const members = [...names].map((member) => ({
    member,
    source: (into[member] ?? null) === null || weaker.includes(member) ? from : into,
  }));
  const said = members.flatMap(({ member, source }) => {
    const statement = source.from?.[member];
    return statement ? [[member, statement] as const] : [];
  });
  return {
    ...NOTHING,
    ...Object.fromEntries(members.map(({ member, source }) => [member, source[member] ?? null])),
    ...(said.length > 0 && { from: Object.fromEntries(said) }),
    asOf: into.asOf,
  };
}

/** Returns the members of a profile behind which one operator alone stands. */
export const unconfirmedMembers = (profile: DeclaredProfile | undefined): DeclaredField[] =>
  (Object.keys(profile?.from ?? {}) as DeclaredField[])
    .filter((member) => profile?.from?.[member]?.unconfirmed !== undefined)
    .sort();

/** Returns the profile as if no operator had written something down alone. */
export function withoutUnconfirmed(profile: DeclaredProfile): DeclaredProfile {
  const members = unconfirmedMembers(profile);
  const isKept = ([name]: [string, unknown]): boolean => !members.includes(name as DeclaredField);
  const kept = Object.entries(profile.from ?? {}).filter(isKept);
  return {
    ...profile,
    // The record is as old as what is left of it: one operator does not make it newer.
    asOf:
      kept
        .map(([, { at }]) => at)
        .sort()
        .at(-1) ?? '',
    ...Object.fromEntries(
      members.map((member) => [member, profile.from?.[member]?.unconfirmed?.before ?? null]),
    ),
    from: Object.fromEntries(kept),
  };
}

/** Returns the profile after a second person has confirmed what one operator wrote down. */
export function confirmMembers(profile: DeclaredProfile, singleControl: boolean): DeclaredProfile {
  const from = Object.entries(profile.from ?? {}).map(([name, { unconfirmed, ...said }]) => [
    name,
    unconfirmed && singleControl ? { ...said, singleControl } : said,
  ]);
  return { ...profile, from: Object.fromEntries(from) as NonNullable<DeclaredProfile['from']> };
}
