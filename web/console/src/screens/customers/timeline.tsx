import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Pages } from '../../data/calls/paging.js';
import { useCasesOf } from '../../data/cases.js';
import { useHitsOf, useSessionsOf, type CustomerFile } from '../../data/customers.js';
import { useMay } from '../../data/me.js';
import { useTransactions } from '../../data/transactions.js';
import { date, dateTime, money } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { customersTexts } from './texts.js';

interface Moment {
  readonly at: string;
  readonly what: keyof (typeof customersTexts)['pt']['happened'];
  readonly about?: ReactNode;
}

/** Tells what happened to a customer in one order, as far back as every list of the file was asked for. */
export function Timeline({ customer }: { customer: CustomerFile }): ReactElement {
  const t = useTexts(customersTexts);
  const may = useMay();
  const id = customer.id;
  const moments: Moment[] = [
    { at: customer.identifiedAt, what: 'known', about: word('identifiedBy', customer.identifiedBy) },
  ];
  // Where a list has more, what is older than its last row would be told in part only.
  let from = '';
  const add = <T,>(
    pages: Pages<T>,
    timeOf: (row: T) => string,
    tell: (row: T) => readonly Moment[],
  ): void => {
    const items = pages.items ?? [];
    const last = items.at(-1);
    if (pages.hasMore && last !== undefined && timeOf(last) > from) from = timeOf(last);
    moments.push(...items.flatMap(tell));
  };
  const once = (at: string | null, what: Moment['what'], about?: ReactNode): readonly Moment[] =>
    at === null ? [] : [{ at, what, about }];
  add(
    useCasesOf(may('reviews:read') === 'YES' ? id : null),
    (row) => row.openedAt,
    (row) => {
      const about = (
        <Link to="/cases/$id" params={{ id: row.id }}>
          {word('theme', row.theme)}
        </Link>
      );
      return [...once(row.openedAt, 'opened', about), ...once(row.closedAt, 'closed', about)];
    },
  );
  add(
    useHitsOf(id, may('screening:read') === 'YES'),
    (row) => row.createdAt,
    (row) => {
      const about = (
        <Link to="/hits/$id" params={{ id: row.id }}>
          {row.list}
        </Link>
      );
      return [...once(row.createdAt, 'hit', about), ...once(row.decidedAt, 'decided', about)];
    },
  );
  add(
    useSessionsOf(id, may('sessions:read') === 'YES'),
    (row) => row.createdAt,
    (row) => {
      const about = (
        <Link to="/sessions/$id" params={{ id: row.reference }}>
          {row.flowName}
        </Link>
      );
      return [
        ...once(row.createdAt, 'asked', about),
        ...once(row.submittedAt, 'submitted', about),
        ...once(row.endedAt, 'ended', about),
      ];
    },
  );
  add(
    useTransactions({ customerId: id }, may('kyt:read') === 'YES'),
    (row) => row.receivedAt,
    (row) =>
      once(
        row.receivedAt,
        'transaction',
        <>
          <Link to="/transactions/$id" params={{ id: row.id }}>
            {money(row.amount, row.currency)}
          </Link>{' '}
          {word('transactionType', row.type)}
          {row.outcome !== null && ` · ${word('outcome', row.outcome)}`}
        </>,
      ),
  );
  moments.push(
    ...once(customer.legalHoldAt, 'hold'),
    ...once(customer.relationshipEndedOn, 'left'),
    ...once(customer.erasedAt, 'erased'),
  );
  const shown = moments.filter(({ at }) => at >= from).toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <section className="card stack">
      <h2>{t.timeline}</h2>
      {shown.length === 0 ? (
        <p className="quiet">{t.timelineNone}</p>
      ) : (
        <ol className="timeline">
          {shown.map(({ at, what, about }, place) => (
            <li key={place}>
              <span className="quiet small">{at.length === 10 ? date(at) : dateTime(at)}</span>
              <span>
                <strong>{t.happened[what]}</strong> {about}
              </span>
            </li>
          ))}
        </ol>
      )}
      {from !== '' && <p className="quiet small">{t.timelineFrom(dateTime(from))}</p>}
    </section>
  );
}
