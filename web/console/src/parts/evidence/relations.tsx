import { Link } from '@tanstack/react-router';
import { useId, type ReactElement } from 'react';
import type { Schemas } from '../../api/client.js';
import { number, relative } from '../../texts/formats.js';
import { useTexts, type Catalogue } from '../../texts/language.js';
import { Pill } from '../controls.js';

const pt = {
  alone: 'Nada liga este cliente a outros: nem pagamento do caso, nem dispositivo, nem conta, nem documento.',
  asTable: 'Relações como tabela',
  drawing: (count: number) => `${count} relações, em desenho; a tabela abaixo diz o mesmo`,
  what: 'Com quê ou quem',
  how: 'Como',
  times: 'Vezes',
  amount: 'Valor',
  last: 'Última',
  cut: 'Há mais do que aqui se mostra.',
  cases: (count: number) => (count === 1 ? '1 caso' : `${count} casos`),
  kinds: {
    CUSTOMER: 'Cliente',
    DEVICE: 'Dispositivo',
    ACCOUNT: 'Conta',
    ADDRESS: 'Endereço IP',
    COUNTERPARTY: 'Contraparte',
    DOCUMENT: 'Documento',
  } as Readonly<Record<string, string>>,
  edges: { USES: 'usa', PAYS: 'paga', SHOWS: 'mostrou' } as Readonly<Record<string, string>>,
};
const en: typeof pt = {
  alone: 'Nothing ties this customer to others: no payment of the case, device, account or document.',
  asTable: 'Relations as a table',
  drawing: (count) => `${count} relations as a drawing; the table below says the same`,
  what: 'With what or whom',
  how: 'How',
  times: 'Times',
  amount: 'Amount',
  last: 'Last',
  cut: 'There is more than is shown here.',
  cases: (count) => (count === 1 ? '1 case' : `${count} cases`),
  kinds: {
    CUSTOMER: 'Customer',
    DEVICE: 'Device',
    ACCOUNT: 'Account',
    ADDRESS: 'IP address',
    COUNTERPARTY: 'Counterparty',
    DOCUMENT: 'Document',
  },
  edges: { USES: 'uses', PAYS: 'pays', SHOWS: 'showed' },
};
const texts: Catalogue<typeof pt> = { pt, en };

type Node = Schemas['RelationNodeView'];

/** The ties of somebody to others; payments have their amounts, where these are known. */
export interface Ties extends Omit<Schemas['RelationsView'], 'edges'> {
  readonly edges: readonly (Schemas['RelationEdgeView'] & { readonly amount?: string })[];
}

const MOST_DRAWN = 24;
/** The names of more than these would lie on each other: the table has them. */
const MOST_NAMED = 10;

/** Who and what a customer is tied to: a drawing for the eye, and a table that says the same. */
export function Relations({ ties }: { ties: Ties }): ReactElement {
  const t = useTexts(texts);
  return ties.edges.length === 0 ? <p className="quiet">{t.alone}</p> : <Drawing ties={ties} />;
}

function Drawing({ ties }: { ties: Ties }): ReactElement {
  const t = useTexts(texts);
  const titleId = useId();
  const drawn = ties.nodes.slice(0, MOST_DRAWN);
  const places = placesOf(drawn);
  const byId = new Map(ties.nodes.map((node) => [node.id, node]));
  const nameOf = (node: Node): string => node.name ?? node.documentMasked ?? t.kinds[node.kind] ?? node.kind;
  return (
    <figure className="stack">
      <svg className="relations" viewBox="-170 -120 340 240" role="img" aria-labelledby={titleId}>
        <title id={titleId}>{t.drawing(ties.edges.length)}</title>
        {ties.edges.map((edge, at) => {
          const from = places.get(edge.from);
          const to = places.get(edge.to);
          if (!from || !to) return null;
          return (
            <line
              key={at}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              strokeWidth={Math.min(6, 1 + Math.log2(1 + edge.count))}
            />
          );
        })}
        {drawn.map((node) => {
          const place = places.get(node.id);
          if (!place) return null;
          const hot = (node.openCases ?? 0) > 0 || node.riskLevel === 'HIGH';
          const tone =
            node.distance === 0 ? 'own' : hot ? 'hot' : node.kind === 'CUSTOMER' ? 'person' : 'thing';
          return (
            <g key={node.id} className={tone}>
              <circle
                cx={place.x}
                cy={place.y}
                r={node.distance === 0 ? 11 : node.kind === 'CUSTOMER' ? 8 : 6}
              />
              <title>{nameOf(node)}</title>
              {(drawn.length <= MOST_NAMED || node.distance === 0) && (
                <text x={place.x} y={place.y + 18} textAnchor="middle">
                  {short(nameOf(node))}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {(ties.cut || ties.nodes.length > MOST_DRAWN) && <p className="quiet small">{t.cut}</p>}
      <details>
        <summary className="small">{t.asTable}</summary>
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t.what}</th>
                <th scope="col">{t.how}</th>
                <th scope="col" className="number">
                  {t.times}
                </th>
                <th scope="col" className="number">
                  {t.amount}
                </th>
                <th scope="col">{t.last}</th>
              </tr>
            </thead>
            <tbody>
              {ties.edges.map((edge, at) => (
                <tr key={at}>
                  <td>
                    {[edge.from, edge.to].map((id, side) => {
                      const node = byId.get(id);
                      return (
                        <span key={id}>
                          {side === 1 && ' → '}
                          {node === undefined ? '—' : <Named node={node} name={nameOf(node)} />}
                        </span>
                      );
                    })}
                  </td>
                  <td>{t.edges[edge.kind] ?? edge.kind}</td>
                  <td className="number">{number(edge.count)}</td>
                  <td className="number">{edge.amount ?? ''}</td>
                  <td className="quiet">{relative(edge.lastAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function Named({ node, name }: { node: Node; name: string }): ReactElement {
  const t = useTexts(texts);
  return (
    <>
      {node.customerId !== null && node.distance > 0 ? (
        <Link to="/customers/$id" params={{ id: node.customerId }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {(node.openCases ?? 0) > 0 && <Pill tone="bad">{t.cases(node.openCases ?? 0)}</Pill>}
    </>
  );
}

const short = (name: string): string => (name.length > 16 ? `${name.slice(0, 15)}…` : name);

/** The customer in the middle, what is near on a ring, and what is further on the next. */
function placesOf(nodes: readonly Node[]): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  const distances = [...new Set(nodes.map(({ distance }) => distance))];
  const outermost = Math.max(1, ...distances);
  for (const distance of distances) {
    const ring = nodes.filter((node) => node.distance === distance);
    ring.forEach(({ id }, at) => {
      const angle = (2 * Math.PI * (at + 0.5 * (distance % 2))) / ring.length - Math.PI / 2;
      const share = distance / outermost;
      places.set(id, {
        x: Math.round(Math.cos(angle) * 128 * share),
        y: Math.round(Math.sin(angle) * 92 * share),
      });
    });
  }
  return places;
}
