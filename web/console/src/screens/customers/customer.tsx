import './customers.css';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useCasesOf } from '../../data/cases.js';
import { useCustomer, useHitsOf, useSessionsOf, type CustomerFile } from '../../data/customers.js';
import { useMay } from '../../data/me.js';
import type { Pages } from '../../data/calls/paging.js';
import { useTransactions } from '../../data/transactions.js';
import { Asked, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { SessionEvidence } from '../../parts/evidence/session-evidence.js';
import { useTitle } from '../../parts/title.js';
import { common } from '../../texts/common.js';
import { date, dateTime, money, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { CustomerFacts } from '../case/who.js';
import { customersTexts } from './texts.js';
import { Timeline } from './timeline.js';
import { Actions } from './actions.js';
import { Declared } from './declared.js';

/** All that is known of a customer, and what the law lets be done with it. */
export function CustomerScreen(): ReactElement {
  const t = useTexts(customersTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.title);
  const customer = useCustomer(id);
  return <Asked query={customer}>{(data) => <File key={data.id} customer={data} />}</Asked>;
}

function File({ customer }: { customer: CustomerFile }): ReactElement {
  const t = useTexts(customersTexts);
  const may = useMay();
  return (
    <div className="file">
      <header className="row">
        <Link to="/customers">← {t.back}</Link>
        <h1>{customer.erased ? t.erased : (customer.name ?? customer.externalCustomerId ?? customer.id)}</h1>
        {customer.legalHold && <Pill tone="warn">{t.hold}</Pill>}
        {customer.restricted && <Pill tone="warn">{t.restricted}</Pill>}
      </header>
      <div className="stack">
        <section className="card stack">
          <h2>{t.profile}</h2>
          <CustomerFacts customer={customer} />
          <Facts
            items={[
              ...(customer.nationalities.length > 0
                ? [[t.nationalities, customer.nationalities.join(', ')] as const]
                : []),
              [
                t.ids,
                customer.externalCustomerIds.length === 0 ? '—' : customer.externalCustomerIds.join(', '),
              ],
              ...(customer.mergedIds.length > 0 ? [[t.merged, customer.mergedIds.length] as const] : []),
              ...(customer.relationshipEndedOn === null
                ? []
                : [[t.relationshipEnded, date(customer.relationshipEndedOn)] as const]),
              ...(customer.retainUntil === null ? [] : [[t.until, date(customer.retainUntil)] as const]),
            ]}
          />
        </section>
        {!customer.erased && <Declared customer={customer} />}
        <Actions customer={customer} />
      </div>
      <div className="stack">
        {may('reviews:read') === 'YES' && <Cases id={customer.id} />}
        {may('screening:read') === 'YES' && <Hits id={customer.id} />}
        {may('sessions:read') === 'YES' && <Sessions id={customer.id} />}
        {may('kyt:read') === 'YES' && <Transactions id={customer.id} />}
        <Timeline customer={customer} />
      </div>
    </div>
  );
}

/** A list of the file: its rows, or that there are none, or why they are not known. */
function Part<T>({
  title,
  none,
  pages,
  children,
}: {
  title: string;
  none: string;
  pages: Pages<T>;
  children: (row: T) => ReactNode;
}): ReactElement {
  const c = useTexts(common);
  return (
    <section className="card stack">
      <h2>{title}</h2>
      {pages.error && <Failure error={pages.error} retry={() => void pages.refetch()} />}
      {!pages.items && !pages.error && <Skeleton lines={2} />}
      {pages.items?.length === 0 && <p className="quiet">{none}</p>}
      {pages.items && pages.items.length > 0 && (
        <table>
          <tbody>{pages.items.map(children)}</tbody>
        </table>
      )}
      {pages.hasMore && (
        <Button disabled={pages.loadingMore} onClick={pages.more}>
          {c.more}
        </Button>
      )}
    </section>
  );
}

function Cases({ id }: { id: string }): ReactElement {
  const t = useTexts(customersTexts);
  return (
    <Part title={t.cases} none={t.noCases} pages={useCasesOf(id)}>
      {(row) => (
        <tr key={row.id}>
          <td>
            <Link to="/cases/$id" params={{ id: row.id }}>
              {word('theme', row.theme)}
            </Link>
          </td>
          <td>{word('caseStatus', row.status)}</td>
          <td className="number">{row.riskScore ?? '—'}</td>
          <td className="quiet">{relative(row.openedAt)}</td>
        </tr>
      )}
    </Part>
  );
}

function Hits({ id }: { id: string }): ReactElement {
  const t = useTexts(customersTexts);
  return (
    <Part title={t.hits} none={t.noHits} pages={useHitsOf(id, true)}>
      {(row) => (
        <tr key={row.id}>
          <td>
            <Link to="/hits/$id" params={{ id: row.id }}>
              {row.list}
            </Link>
          </td>
          <td>{word('hitStatus', row.status)}</td>
          <td className="number">{percent(row.score)}</td>
        </tr>
      )}
    </Part>
  );
}

function Sessions({ id }: { id: string }): ReactElement {
  const t = useTexts(customersTexts);
  const [shown, show] = useState<string | null>(null);
  return (
    <Part title={t.sessions} none={t.noSessions} pages={useSessionsOf(id, true)}>
      {(row) => (
        <tr key={row.reference}>
          <td>
            {row.flowName} <Pill>{word('sessionStatus', row.status)}</Pill>
            {shown === row.reference ? (
              <SessionEvidence reference={row.reference} />
            ) : (
              <Button
                look="bare"
                onClick={() => {
                  show(row.reference);
                }}
              >
                {t.evidence}
              </Button>
            )}
          </td>
          <td className="quiet">{relative(row.createdAt)}</td>
        </tr>
      )}
    </Part>
  );
}

function Transactions({ id }: { id: string }): ReactElement {
  const t = useTexts(customersTexts);
  return (
    <Part title={t.transactions} none={t.noTransactions} pages={useTransactions({ customerId: id })}>
      {(row) => (
        <tr key={row.id}>
          <td>
            <Link to="/transactions/$id" params={{ id: row.id }}>
              {money(row.amount, row.currency)}
            </Link>
          </td>
          <td>{word('transactionType', row.type)}</td>
          <td>{row.outcome === null ? '—' : word('outcome', row.outcome)}</td>
          <td className="number">{row.riskScore ?? '—'}</td>
          <td className="quiet">{dateTime(row.occurredAt)}</td>
        </tr>
      )}
    </Part>
  );
}
