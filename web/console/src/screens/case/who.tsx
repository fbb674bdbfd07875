import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { now } from '../../api/clock.js';
import type { CaseFile } from '../../data/cases.js';
import type { CustomerFile } from '../../data/customers.js';
import { useMay } from '../../data/me.js';
import { useTransactions } from '../../data/transactions.js';
import { Asked } from '../../parts/answers.js';
import { Bars } from '../../parts/bars.js';
import { Facts, Pill } from '../../parts/controls.js';
import { Relations } from '../../parts/evidence/relations.js';
import { dayOf } from '../../texts/days.js';
import { date, dateTime, money, relative } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { tiesOf } from './parties.js';
import { caseTexts } from './texts.js';

/** The customer as far as is known, with every gap said. */
export function Who({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(caseTexts);
  const may = useMay();
  const { customer } = file;
  const ties = tiesOf(file, useLanguage());
  return (
    <section className="card stack" aria-label={t.who}>
      <div className="block">
        <h2>{t.who}</h2>
        {file.customerId === null ? (
          <p className="notice warn">{t.noCustomer}</p>
        ) : customer === null ? (
          <p>{file.customerName}</p>
        ) : (
          <>
            {customer.erased && <p className="notice warn">{t.erasedCustomer}</p>}
            <CustomerFacts customer={customer} />
            <Link to="/customers/$id" params={{ id: customer.id }}>
              {t.openFile}
            </Link>
          </>
        )}
      </div>
      {file.customerId !== null && may('kyt:read') === 'YES' && <Recent customerId={file.customerId} />}
      {(file.related !== null || ties.edges.length > 0) && (
        <div className="block">
          <h3>{t.relations}</h3>
          <Relations ties={ties} />
        </div>
      )}
      <div className="block">
        <h3>{t.clocks}</h3>
        <Facts
          stacked
          items={(
            ['responseDeadline', 'selectionDeadline', 'analysisDeadline', 'reportDeadline'] as const
          ).flatMap((name) => {
            const at = file[name];
            if (at === null) return [];
            const over = file.status !== 'CLOSED' && new Date(at).getTime() < now();
            return [
              [
                t.clockNames[name],
                <span key={name} title={dateTime(at)}>
                  {over ? <Pill tone="bad">{relative(at)}</Pill> : relative(at)}
                </span>,
              ] as const,
            ];
          })}
        />
      </div>
    </section>
  );
}

export function CustomerFacts({ customer }: { customer: CustomerFile }): ReactElement {
  const t = useTexts(caseTexts);
  const { profile } = customer;
  const gap = <span className="quiet">{t.notDeclared}</span>;
  const unknown = <span className="quiet">{t.notKnown}</span>;
  const amount = (value: number | null | undefined): ReactElement | string =>
    value === null || value === undefined ? gap : money(value, 'BRL');
  return (
    <Facts
      items={[
        [t.name, customer.name ?? unknown],
        [t.document, customer.documentMasked ?? unknown],
        [t.person, customer.personType === null ? unknown : word('personType', customer.personType)],
        [t.born, customer.birthDate === null ? unknown : date(customer.birthDate)],
        [
          t.assurance,
          <span key="assurance">
            {word('assurance', customer.assurance)}
            <span className="quiet small">
              {' '}
              · {word('identifiedBy', customer.identifiedBy)}, {relative(customer.identifiedAt)}
            </span>
          </span>,
        ],
        [
          t.riskLevel,
          customer.riskLevel === null ? (
            <span className="quiet">{t.noRisk}</span>
          ) : (
            <Pill key="risk" tone={customer.riskLevel === 'HIGH' ? 'bad' : 'plain'}>
              {word('risk', customer.riskLevel)}
            </Pill>
          ),
        ],
        customer.personType === 'LEGAL'
          ? [t.revenue, amount(profile?.monthlyRevenue)]
          : [t.income, amount(profile?.monthlyIncome)],
        [t.occupation, profile?.occupation ?? gap],
        [t.pep, profile?.pep === undefined || profile.pep === null ? gap : profile.pep ? t.yes : t.no],
        ...(customer.legalHold ? [[t.hold, <Pill key="hold">{t.yes}</Pill>] as const] : []),
      ]}
    />
  );
}

function Recent({ customerId }: { customerId: string }): ReactElement {
  const t = useTexts(caseTexts);
  const { items, error, refetch } = useTransactions({ customerId });
  const query = { data: items, error, refetch: refetch as never };
  return (
    <div className="block">
      <h3>{t.recent}</h3>
      <Asked query={query} lines={3}>
        {(rows) => {
          const currency = rows[0]?.currency ?? 'BRL';
          const counted = rows.filter((row) => row.currency === currency);
          const perDay = new Map<string, number>();
          for (const { occurredAt, amount } of counted) {
            const day = dayOf(occurredAt);
            perDay.set(day, (perDay.get(day) ?? 0) + Number(amount));
          }
          return (
            <>
              <p className="quiet small">
                {t.recentOf(rows.length)}
                {counted.length < rows.length && ` · ${t.otherCurrencies(rows.length - counted.length)}`}
              </p>
              <Bars
                title={t.amountPerDay}
                asTable={t.amountPerDay}
                columns={[t.day, t.amount]}
                format={(value) => money(value, currency)}
                bars={[...perDay].sort().map(([day, value]) => ({ label: date(day), value }))}
              />
            </>
          );
        }}
      </Asked>
    </div>
  );
}
