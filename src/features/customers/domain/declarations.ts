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

/**
 * Returns the profile with the declared values, which replace stored values of any date. If the statement leaves out
 * `singleControl`, the new value keeps that mark of the old value, so that one person cannot remove it.
 */
export function applyDeclaration(
  known: DeclaredProfile | undefined,
  change: Declaration,
  statement: DeclarationSource,
): DeclaredProfile {
  const members = membersOf(change);
  const { singleControl, ...plain } = statement;
  const said = (member: DeclaredField): DeclarationSource =>
    (singleControl ?? known?.from?.[member]?.singleControl) === true
      ? { ...plain, singleControl: true }
      : plain;
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
    if ((known?.[member] ?? null) === (change[member] ?? null)) return false;
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
