import type { Declaration, DeclaredField, DeclaredProfile, DeclarationSource } from './customer.js';

const NO_VALUES: Omit<DeclaredProfile, 'asOf'> = {
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

type Known = DeclaredProfile | undefined;

/** Marks a statement of one operator alone: each value keeps what was known before it. */
export const UNCONFIRMED = { unconfirmed: { before: null } } as const;

/**
 * Returns the profile with the values that one operator writes down, which replace stored values of any date. Each keeps
 * the last value behind which more than one operator stands, and any mark of single control.
 */
export const applyDeclaration = (known: Known, change: Declaration, at: string): DeclaredProfile =>
  withUnconfirmed(write(known, change, { ...BY_HAND, at }), confirmedOf(known));

/**
 * Returns the profile with the newer values of a declaration, and their names; null when none is newer. A stored value
 * of a later time stays, and a session never sets `pep` from true to false.
 */
export function applyNewerValues(
  known: Known,
  change: Declaration,
  statement: DeclarationSource,
): { readonly profile: DeclaredProfile; readonly members: readonly DeclaredField[] } | null {
  const confirmed = confirmedOf(known);
  const newer = newerPart(known, change, statement);
  // A statement that is not of one operator alone also changes the confirmed values, even if it repeats what an
  // operator wrote down.
  const newerConfirmed = statement.unconfirmed ? {} : newerPart(confirmed, change, statement);
  const members = membersOf({ ...newer, ...newerConfirmed });
  if (members.length === 0) return null;
  const profile = withUnconfirmed(
    write(known, newer, statement),
    write(confirmed, newerConfirmed, statement),
  );
  return { profile, members };
}

const confirmedOf = (known: Known): Known => known && withoutUnconfirmed(known);

function newerPart(known: Known, change: Declaration, statement: DeclarationSource): Declaration {
  const members = membersOf(change).filter((member) => {
    if ((known?.[member] ?? null) === (change[member] ?? null)) return false;
    if (member === 'pep' && known?.pep === true && statement.by === 'SESSION') return false;
    const before =
      known?.from?.[member]?.at ?? ((known?.[member] ?? null) === null ? undefined : known?.asOf);
    return before === undefined || Date.parse(before) <= Date.parse(statement.at);
  });
  return Object.fromEntries(members.map((member) => [member, change[member]]));
}

/** Writes the values and who stated them. */
function write(known: Known, change: Declaration, statement: DeclarationSource): DeclaredProfile {
  const { by, ref, at, singleControl } = statement;
  const statements = membersOf(change).map((member) => {
    const isMarked = singleControl ?? known?.from?.[member]?.singleControl ?? false;
    return [member, { by, ref, at, ...(isMarked && { singleControl: true }) }] as const;
  });
  return {
    ...NO_VALUES,
    ...known,
    ...change,
    from: { ...known?.from, ...Object.fromEntries(statements) },
    asOf: known?.asOf ?? at,
  };
}

/** Joins what is known with what would be known if no operator had written something down alone. */
function withUnconfirmed({ from: own, ...profile }: DeclaredProfile, confirmed: Known): DeclaredProfile {
  const names = new Set([...Object.keys(own ?? {}), ...Object.keys(confirmed?.from ?? {})]);
  const statements = ([...names] as DeclaredField[]).map((name) => {
    const [before, statement] = [confirmed?.[name] ?? null, confirmed?.from?.[name]];
    if (statement && (profile[name] ?? null) === before) return [name, statement] as const;
    const { by, ref, at, singleControl } = own?.[name] ?? { ...BY_HAND, at: profile.asOf };
    const unconfirmed = { before, ...(statement && { said: statement }) };
    return [name, { by, ref, at, ...(singleControl && { singleControl }), unconfirmed }] as const;
  });
  const from = Object.fromEntries(statements);
  return { ...profile, ...(statements.length > 0 && { from }), asOf: newestOf(from) ?? profile.asOf };
}

const BY_HAND = { by: 'OPERATOR', ref: null } as const;

/** Returns the time of the newest statement. */
const newestOf = (from: DeclaredProfile['from']): string | undefined =>
  Object.values(from ?? {})
    .map(({ at }) => at)
    .sort()
    .at(-1);

/**
 * Returns a declaration without the members that can lower a score, compared with the stored or with the confirmed
 * values.
 */
export function removeWeakeningMembers(known: Known, change: Declaration): Declaration {
  const weaker = [known, confirmedOf(known)].flatMap((one) => weakeningMembers(one, change));
  return Object.fromEntries(
    membersOf(change)
      .filter((member) => !weaker.includes(member))
      .map((member) => [member, change[member]]),
  );
}

/** Returns members that can lower a score: an exposure that is withdrawn, a number that is raised or withdrawn. */
const weakeningMembers = (known: Known, change: Declaration): DeclaredField[] =>
  membersOf(change).filter((member) => {
    const [before, after] = [known?.[member] ?? null, change[member] ?? null];
    if (member === 'pep') return before === true && after !== true;
    return typeof before === 'number' && (after === null || Number(after) > before);
  });

/**
 * Joins the declarations of two merged customers. The survivor's value wins, unless it can lower a score compared with
 * the other value: a merge needs one person, lowering a score needs two. Each value keeps its source.
 */
export const mergeDeclarations = (into: Known, from: Known): Known =>
  into && from
    ? withUnconfirmed(
        joinDeclarations(into, from),
        joinDeclarations(withoutUnconfirmed(into), withoutUnconfirmed(from)),
      )
    : (into ?? from);

function joinDeclarations(into: DeclaredProfile, from: DeclaredProfile): DeclaredProfile {
  const weaker = weakeningMembers(from, valuesOf(into));
  const names = new Set([...membersOf(valuesOf(from)), ...membersOf(valuesOf(into))]);
  const members = [...names].map((member) => ({
    member,
    source: (into[member] ?? null) === null || weaker.includes(member) ? from : into,
  }));
  const statements = members.flatMap(({ member, source }) => {
    const statement = source.from?.[member];
    return statement ? [[member, statement] as const] : [];
  });
  return {
    ...NO_VALUES,
    ...Object.fromEntries(members.map(({ member, source }) => [member, source[member] ?? null])),
    from: Object.fromEntries(statements),
    asOf: into.asOf,
  };
}

/** Returns the members of a profile behind which one operator alone stands. */
export const unconfirmedMembers = (profile: DeclaredProfile | undefined): DeclaredField[] =>
  (Object.keys(profile?.from ?? {}) as DeclaredField[])
    .filter((member) => profile?.from?.[member]?.unconfirmed !== undefined)
    .sort();

/**
 * Returns the profile as if no operator had written something down alone; `asOf` is the time of the newest statement
 * that is left.
 */
export function withoutUnconfirmed(profile: DeclaredProfile): DeclaredProfile {
  const statements = Object.entries(profile.from ?? {});
  const before = statements.flatMap(([name, { unconfirmed }]) =>
    unconfirmed ? [[name, unconfirmed.before] as const] : [],
  );
  const kept = statements.flatMap(([name, said]) => {
    const statement = said.unconfirmed ? said.unconfirmed.said : said;
    return statement ? [[name, statement] as const] : [];
  });
  const from = Object.fromEntries(kept);
  return { ...profile, ...Object.fromEntries(before), from, asOf: newestOf(from) ?? '' };
}

/**
 * Returns the profile after a second person has confirmed what one operator wrote down. An earlier mark of single
 * control on these values is removed, because now two people stand behind them.
 */
export function confirmMembers(profile: DeclaredProfile, singleControl: boolean): DeclaredProfile {
  const from = Object.entries(profile.from ?? {}).map(([name, said]) => {
    const { by, ref, at, unconfirmed } = said;
    return [name, unconfirmed ? { by, ref, at, ...(singleControl && { singleControl }) } : said];
  });
  return { ...profile, from: Object.fromEntries(from) as NonNullable<DeclaredProfile['from']> };
}
