import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Approval } from '../../data/approvals.js';
import { usePeople } from '../../data/people.js';
import { Facts, Pill } from '../../parts/controls.js';
import { dateTime, money, number } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { customersTexts } from '../customers/texts.js';
import { actTexts } from './act-texts.js';
import { approvalsTexts } from './texts.js';
import { inWords } from './values.js';

/** The object of the request, as far as the reader may see it. */
export function Summary({ of }: { of: NonNullable<Approval['summary']> }): ReactElement {
  const t = useTexts(approvalsTexts);
  const language = useLanguage() === 'pt' ? 'pt-BR' : 'en';
  const { customerId, customerName, amount, transactions, rules, hits, communication, lines } = of;
  const nameOf = usePeople();
  const customer = customerId !== null && (
    <Link to="/customers/$id" params={{ id: customerId }}>
      {customerName ?? customerId}
    </Link>
  );
  return (
    <>
      <h3>{t.summary}</h3>
      <Facts
        items={[
          ...(customer ? [[t.customer, customer] as const] : []),
          ...(amount === null ? [] : [[t.amount, money(amount, 'BRL')] as const]),
          ...(transactions === null ? [] : [[t.transactions, number(transactions)] as const]),
          ...(rules.length === 0 ? [] : [[t.rules, rules.join(', ')] as const]),
          ...(hits.length === 0
            ? []
            : [
                [
                  t.hits,
                  hits.map(({ id, status }) => (
                    <p key={id}>
                      <Link to="/hits/$id" params={{ id }}>
                        <Pill tone={status === 'PENDING' ? 'bad' : 'plain'}>{word('hitStatus', status)}</Pill>
                      </Link>
                    </p>
                  )),
                ] as const,
              ]),
        ]}
      />
      {lines.length > 0 && (
        <Table
          rows={lines.map(({ what, before, after }, i) => ({
            name: String(i),
            label: what[language],
            before: before?.[language] ?? '—',
            after: after?.[language] ?? '—',
          }))}
        />
      )}
      {communication && (
        <>
          <Facts
            items={[
              [t.days, `${communication.from ?? '—'} … ${communication.to ?? '—'}`],
              [t.credit, money(communication.credit, 'BRL')],
              [t.debit, money(communication.debit, 'BRL')],
              [t.codes, communication.codes.join(', ')],
              [
                t.parties,
                communication.parties.map(({ name, documentMasked, role }, i) => (
                  <p key={i}>
                    {name ?? '—'} <span className="quiet small">{[documentMasked, role].join(' · ')}</span>
                  </p>
                )),
              ],
            ]}
          />
          <p className="quote">{communication.details}</p>
          {communication.edits.map(({ revision, editedBy, editedAt, fields, reason }) => (
            <p key={revision} className="small">
              <strong>{t.edited(nameOf(editedBy) ?? t.somebody, dateTime(editedAt))}</strong>{' '}
              {fields.join(', ')}: {reason}
            </p>
          ))}
        </>
      )}
    </>
  );
}

interface ChangedRow {
  readonly name: string;
  readonly label: string;
  /** Who wrote the value, and when. */
  readonly note?: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

/**
 * The values that change, side by side, and those that only have to be as they were: the approval is refused when the object
 * was changed since. The values of a confirmation of facts are read with its summary: the request has only their names.
 */
export function Change({ approval }: { approval: Approval }): ReactElement {
  const t = useTexts(approvalsTexts);
  const { fields } = useTexts(actTexts);
  const { act, before, after, status, summary } = approval;
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const kept = Object.keys(before).filter((name) => !(name in after));
  const cell = (name: string, value: unknown): ReactNode => <Value act={act} name={name} value={value} />;
  const facts = useFacts(summary?.facts ?? [], cell);
  const rows = changed.map((name) => ({
    name,
    label: fields[name] ?? name,
    before: name in before ? cell(name, before[name]) : '—',
    after: cell(name, after[name]),
  }));
  return (
    <>
      {act === 'fact.confirm' && status === 'REQUESTED' && facts.length === 0 && (
        <p className="notice warn">{t.factsGone}</p>
      )}
      {changed.length === 0 ? (
        <p className="quiet">{t.same}</p>
      ) : (
        <Table rows={facts.length > 0 ? facts : rows} />
      )}
      {kept.length > 0 && (
        <>
          <h3>{t.onlyWhile}</h3>
          <Facts items={kept.map((name) => [fields[name] ?? name, cell(name, before[name])])} />
        </>
      )}
    </>
  );
}

/** The values of a confirmation of facts, each with who wrote it. */
function useFacts(
  facts: NonNullable<Approval['summary']>['facts'],
  cell: (name: string, value: unknown) => ReactNode,
): readonly ChangedRow[] {
  const t = useTexts(approvalsTexts);
  const names: Readonly<Record<string, string>> = useTexts(customersTexts).declaredNames;
  const nameOf = usePeople();
  return facts.map(({ field, before, after, withheld, writtenBy, writtenAt }) => {
    const who = writtenBy === null ? t.bySession : (nameOf(writtenBy) ?? t.somebody);
    const shown = (value: unknown): ReactNode =>
      withheld ? <span className="quiet">{t.withheld}</span> : cell(field, value);
    return {
      name: field,
      label: names[field] ?? field,
      ...(writtenAt !== null && { note: t.written(who, dateTime(writtenAt)) }),
      before: shown(before),
      after: shown(after),
    };
  });
}

function Table({ rows }: { rows: readonly ChangedRow[] }): ReactElement {
  const t = useTexts(approvalsTexts);
  return (
    <table className="change">
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, label, note, before, after }) => (
          <tr key={name}>
            <th scope="row">
              {label}
              {note !== undefined && <p className="quiet small">{note}</p>}
            </th>
            <td className="before">{before}</td>
            <td className="after">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValueProps {
  readonly act: Approval['act'];
  readonly name: string;
  readonly value: unknown;
}

function Value({ act, name, value }: ValueProps): ReactElement {
  const t = useTexts(approvalsTexts);
  const { words } = useTexts(actTexts);
  const { declaredNames } = useTexts(customersTexts);
  const shown = inWords({ ...words, fields: declaredNames }, act, name, value);
  if (shown === null) return <span className="quiet">{t.nothing}</span>;
  if (typeof shown === 'string') return <>{shown}</>;
  return (
    <details>
      <summary>{t.content}</summary>
      {JSON.stringify(shown.content, null, 2)}
    </details>
  );
}
