import { actNames, type ApprovalAction, policyOf } from './acts.js';

/** Somebody who would decide alone, or for whom others do not count as a second person. */
export interface SingleControlPerson {
  readonly id: string;
  /** Acts that nobody independent could approve if this person asked. */
  readonly alone: readonly ApprovalAction[];
  readonly notIndependent: readonly {
    readonly id: string;
    readonly acts: readonly ApprovalAction[];
    readonly until: Date;
  }[];
}

export interface Control {
  /** Acts for which there are no two independent people. */
  readonly singleControl: readonly ApprovalAction[];
  readonly people: readonly SingleControlPerson[];
}

/** A person with their permissions. */
export interface Person {
  readonly id: string;
  readonly permissions: ReadonlySet<string>;
}

/**
 * Two people who do not count as two for an act that the first one requests, and the time until which that may hold.
 */
export interface DependentPair {
  readonly makerId: string;
  readonly checkerId: string;
  readonly act: string;
  readonly until: Date;
}

/**
 * Finds the acts for which no two independent people exist, and for each person the acts that only they could approve
 * if they asked, with the people who do not count as a second one for them. Each pair of an act is given once. The work
 * grows with the people and the pairs: an organisation may have thousands of people.
 */
export function controlOf(people: readonly Person[], pairs: readonly DependentPair[]): Control {
  const alone = new Map<string, ApprovalAction[]>();
  const links = new Map<string, Map<string, { acts: ApprovalAction[]; until: Date }>>();
  const pairsOf = new Map<string, DependentPair[]>(actNames.map((act) => [act, []]));
  for (const pair of pairs) pairsOf.get(pair.act)?.push(pair);
  const places = new Map(people.map(({ id }, place) => [id, place]));
  const placeOf = (id: string): number => places.get(id) ?? people.length;
  const singleControl = actNames.filter((act) => {
    const { ask, approve } = policyOf(act);
    const checkers = new Set(people.flatMap(({ id, permissions }) => (permissions.has(approve) ? id : [])));
    const makers = people.filter(({ permissions }) => permissions.has(ask));
    const makerIds = new Set(makers.map(({ id }) => id));
    const dependent = new Map<string, number>();
    for (const { makerId, checkerId, until } of pairsOf.get(act) ?? []) {
      if (!makerIds.has(makerId) || !checkers.has(checkerId)) continue;
      dependent.set(makerId, (dependent.get(makerId) ?? 0) + 1);
      const linksOfMaker = links.get(makerId) ?? new Map<string, { acts: ApprovalAction[]; until: Date }>();
      links.set(makerId, linksOfMaker);
      const link = linksOfMaker.get(checkerId);
      if (link) link.acts.push(act);
      else linksOfMaker.set(checkerId, { acts: [act], until });
    }
    const lonely = makers.filter(({ id }) => {
      const otherCheckers = checkers.size - (checkers.has(id) ? 1 : 0);
      return (dependent.get(id) ?? 0) === otherCheckers;
    });
    for (const { id } of lonely) alone.set(id, [...(alone.get(id) ?? []), act]);
    return lonely.length === makers.length;
  });
  return {
    singleControl,
    people: people
      .map(({ id }) => ({
        id,
        alone: alone.get(id) ?? [],
        notIndependent: [...(links.get(id) ?? [])]
          .map(([other, link]) => ({ id: other, ...link }))
          .sort((one, other) => placeOf(one.id) - placeOf(other.id)),
      }))
      .filter((one) => one.alone.length > 0 || one.notIndependent.length > 0),
  };
}
