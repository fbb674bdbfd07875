import { maskedDocument } from '../../customers/index.js';
import { View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { sharedKinds, type RelationEdge, type RelationNode } from '../domain/relations.js';
import type { Relations } from '../relations.service.js';

export class RelationNodeView {
  @View.text('Within this answer.', { example: 'p1' }) id: string;
  @View.enum(['CUSTOMER', ...sharedKinds], {
    description:
      'ADDRESS is the address of a network; COUNTERPARTY somebody who is paid; DOCUMENT an uploaded file.',
    example: 'CUSTOMER',
  })
  kind: string;

  @View.integer('Steps from the customer that was asked about.', { example: 1 }) distance: number;
  @View.idOrNull('cus', 'The id of the customer; null while nobody is identified.') customerId: string | null;
  @View.textOrNull('The name of the person.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.enumOrNull(['LOW', 'MEDIUM', 'HIGH'], 'The level of risk of the customer.') riskLevel: string | null;
  @View.integerOrNull('Of a customer.', { example: 0 }) openCases: number | null;
  @View.integerOrNull('How many customers use the thing; null for a customer.', { example: null })
  customers: number | null;

  @View.flag('Not all of them are drawn.', { example: false }) cut: boolean;

  static of(node: RelationNode, { people, openCases }: Relations): RelationNodeView {
    const knownPerson = node.person === null ? undefined : people.get(node.person);
    return viewOf(RelationNodeView, node, {
      customerId: node.person === null ? null : publicId('cus', node.person),
      name: knownPerson?.profile?.name ?? null,
      documentMasked: maskedDocument(knownPerson?.profile ?? null),
      riskLevel: knownPerson?.customer.riskLevel ?? null,
      openCases: node.person === null ? null : (openCases.get(node.person) ?? 0),
    });
  }
}

export class RelationEdgeView {
  @View.text('The id of the node where the connection begins.', { example: 'p1' }) from: string;
  @View.text('The id of the node where it ends.', { example: 't1' }) to: string;
  @View.enum(['USES', 'PAYS', 'SHOWS'], 'The kind of connection.', { example: 'USES' }) kind: string;
  @View.integer('Transactions, or files.', { example: 3 }) count: number;
  @View.instant('When it was last seen.') lastAt: string;
  @View.idOrNull('txn', 'The last transaction, in which the value itself can be read.')
  lastTransactionId: string | null;

  static of({ from, to, kind, count, lastAt, lastRef }: RelationEdge): RelationEdgeView {
    return {
      ...{ from, to, kind, count, lastAt: lastAt.toISOString() },
      lastTransactionId: lastRef === null ? null : publicId('txn', lastRef),
    };
  }
}

export class RelationsView {
  @View.list(RelationNodeView, 'The first one is the customer that was asked about.')
  nodes: readonly RelationNodeView[];

  @View.list(RelationEdgeView, 'How the people and things are connected.') edges: readonly RelationEdgeView[];
  @View.flag('There is more than a drawing holds.', { example: false }) cut: boolean;

  static of(relations: Relations): RelationsView {
    const { nodes, edges, cut } = relations.graph;
    return {
      nodes: nodes.map((node) => RelationNodeView.of(node, relations)),
      edges: edges.map((edge) => RelationEdgeView.of(edge)),
      cut,
    };
  }
}
