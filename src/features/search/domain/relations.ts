export const sharedKinds = ['DEVICE', 'ACCOUNT', 'ADDRESS', 'COUNTERPARTY', 'DOCUMENT'] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** A thing that several people may share (a device, an account, an address), as a keyed hash. */
export interface SharedIdentifier {
  readonly kind: SharedKind;
  readonly key: Buffer;
}

/** How many times one person used a thing, and when last. */
export interface IdentifierUse {
  readonly person: string;
  readonly kind: string;
  readonly key: Buffer;
  readonly count: number;
  readonly lastAt: Date;
  readonly lastRef: string | null;
}

/** A node of the map: a customer by stored id, or a thing. */
export interface RelationNode {
  readonly id: string;
  readonly person: string | null;
  readonly kind: SharedKind | 'CUSTOMER';
  /** Steps from the customer whose relations are shown. */
  readonly distance: number;
  /** Number of customers that use the thing; null if the node is a person. */
  readonly customers: number | null;
  /** True if the map does not show all users of the thing. */
  readonly cut: boolean;
}

export interface RelationEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'USES' | 'PAYS' | 'SHOWS';
  readonly count: number;
  readonly lastAt: Date;
  readonly lastRef: string | null;
}

export interface RelationGraph {
  readonly nodes: readonly RelationNode[];
  readonly edges: readonly RelationEdge[];
  /** True if the map omits nodes or edges because of its limits. */
  readonly cut: boolean;
}

/** Maximum number of people on a map: more would be unreadable. */
export const MAX_RELATED_PEOPLE = 60;
/** Maximum number of users shown for one thing: a terminal in a branch has thousands. */
const MAX_SHARERS = 25;

export const identifierKey = ({ kind, key }: { readonly kind: string; readonly key: Buffer }): string =>
  kind + key.toString('latin1');

const edgeKind = (kind: SharedKind): RelationEdge['kind'] =>
  kind === 'COUNTERPARTY' ? 'PAYS' : kind === 'DOCUMENT' ? 'SHOWS' : 'USES';

const isSharedKind = (kind: string): kind is SharedKind => (sharedKinds as readonly string[]).includes(kind);

/** Builds the map from the customer outwards, one step at a time. A thing is shown if two people use it. */
export class RelationMap {
  private readonly people = new Map<string, RelationNode>();
  private readonly things = new Map<string, RelationNode>();
  private readonly edges = new Map<string, RelationEdge>();
  private isCut = false;

  constructor(person: string) {
    this.addPerson(person, 0);
  }

  /** Returns the people at this distance, the most active first. */
  peopleAt(distance: number): string[] {
    const weight = new Map<string, number>();
    for (const { from, count } of this.edges.values()) weight.set(from, (weight.get(from) ?? 0) + count);
    return [...this.people.values()]
      .filter((node) => node.distance === distance)
      .sort((a, b) => (weight.get(b.id) ?? 0) - (weight.get(a.id) ?? 0))
      .flatMap(({ person }) => person ?? []);
  }

  get persons(): string[] {
    return [...this.people.keys()];
  }

  /** Adds the things of people at one distance, and their other users. `customers`: counterparties by document. */
  add(
    distance: number,
    traces: readonly IdentifierUse[],
    sharers: readonly IdentifierUse[],
    customers: ReadonlyMap<string, string>,
  ): void {
    const usesByPerson = new Map<string, IdentifierUse[]>();
    for (const use of sharers) {
      usesByPerson.set(identifierKey(use), [...(usesByPerson.get(identifierKey(use)) ?? []), use]);
    }
    for (const use of traces) {
      if (!isSharedKind(use.kind) || !this.people.has(use.person)) continue;
      const payee = use.kind === 'COUNTERPARTY' ? customers.get(use.key.toString('latin1')) : undefined;
      if (payee !== undefined) this.addPayment(use, payee, distance);
      else this.addThing(use, use.kind, usesByPerson.get(identifierKey(use)) ?? [], distance);
    }
  }

  /** Adds the people who paid this person and named the person by document. */
  addPayers(person: string, payers: readonly IdentifierUse[], distance: number): void {
    for (const use of payers) {
      if (use.person !== person && this.addPerson(use.person, distance + 1)) this.addPaymentEdge(use, person);
    }
  }

  toGraph(): RelationGraph {
    return {
      nodes: [...this.people.values(), ...this.things.values()],
      edges: [...this.edges.values()],
      cut: this.isCut,
    };
  }

  private addPayment(use: IdentifierUse, payee: string, distance: number): void {
    if (payee !== use.person && this.addPerson(payee, distance + 1)) this.addPaymentEdge(use, payee);
  }

  private addPaymentEdge({ person, count, lastAt, lastRef }: IdentifierUse, payee: string): void {
    const [from, to] = [this.people.get(person), this.people.get(payee)];
    if (from && to) this.addEdge({ from: from.id, to: to.id, kind: 'PAYS', count, lastAt, lastRef });
  }

  private addThing(
    use: IdentifierUse,
    kind: SharedKind,
    sharers: readonly IdentifierUse[],
    distance: number,
  ): void {
    const otherUses = sharers.filter(({ person }) => person !== use.person);
    if (otherUses.length === 0) return;
    const drawn = [...otherUses].sort((a, b) => b.count - a.count).slice(0, MAX_SHARERS);
    const name = identifierKey(use);
    const existingNode = this.things.get(name);
    const node: RelationNode = existingNode ?? {
      ...{ id: `t${this.things.size + 1}`, person: null, kind, distance: distance + 1 },
      customers: otherUses.length + 1,
      cut: drawn.length < otherUses.length,
    };
    this.things.set(name, node);
    if (node.cut) this.isCut = true;
    for (const one of [use, ...drawn]) {
      if (!this.addPerson(one.person, distance + 1)) continue;
      const from = this.people.get(one.person);
      const { count, lastAt, lastRef } = one;
      if (from) this.addEdge({ from: from.id, to: node.id, kind: edgeKind(kind), count, lastAt, lastRef });
    }
  }

  private addEdge(edge: RelationEdge): void {
    const name = `${edge.from} ${edge.to} ${edge.kind}`;
    if (!this.edges.has(name)) this.edges.set(name, edge);
  }

  /** Returns false if the map is full. */
  private addPerson(person: string, distance: number): boolean {
    if (this.people.has(person)) return true;
    if (this.people.size >= MAX_RELATED_PEOPLE) {
      this.isCut = true;
      return false;
    }
    this.people.set(person, {
      ...{ id: `p${this.people.size + 1}`, person, kind: 'CUSTOMER', distance },
      ...{ customers: null, cut: false },
    });
    return true;
  }
}
