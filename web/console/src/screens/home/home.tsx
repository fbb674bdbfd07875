import './home.css';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { now } from '../../api/clock.js';
import { useApprovalsForMe, useFigures, useMyCases, type Few, type Figures } from '../../data/home.js';
import { useMay, useMe, type Me } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Bars } from '../../parts/bars.js';
import { Facts, Pill } from '../../parts/controls.js';
import { useTitle } from '../../parts/title.js';
import { date, number, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { Lists, Now, Verdicts } from './now.js';
import { homeTexts } from './texts.js';

/** Tells what waits for this person, and whether the service does its work. */
export function HomeScreen(): ReactElement {
  const me = useMe();
  return <Asked query={me}>{(data) => <Home me={data} />}</Asked>;
}

function Home({ me }: { me: Me }): ReactElement {
  const t = useTexts(homeTexts);
  const may = useMay();
  useTitle(t.now);
  const seesCases = may('reviews:read') === 'YES';
  return (
    <div className="home">
      <h1>{t.title(me.name)}</h1>
      {seesCases && <MyCases me={me} />}
      <ToApprove />
      {may('kyt:read') === 'YES' && <Verdicts />}
      <Now />
      {seesCases && <CaseFigures />}
      {may('screening:read') === 'YES' && <Lists />}
    </div>
  );
}

function MyCases({ me }: { me: Me }): ReactElement {
  const t = useTexts(homeTexts);
  const mine = useMyCases(me.id, true);
  const soon = now() + 86_400_000;
  return (
    <>
      <Figure title={t.mine} query={mine} to="/cases" search={{ view: 'mine' }} none={t.mineNone}>
        {(few) => few}
      </Figure>
      <Figure
        title={t.overdueMine}
        query={mine}
        to="/cases"
        search={{ view: 'mine', overdue: true }}
        tone="bad"
      >
        {({ items, more }) => ({ items: items.filter(({ overdue }) => overdue), more })}
      </Figure>
      <Figure title={t.dueToday} query={mine} to="/cases" search={{ view: 'mine' }} tone="warn">
        {({ items, more }) => ({
          items: items.filter(({ overdue, dueAt }) => !overdue && new Date(dueAt).getTime() < soon),
          more,
        })}
      </Figure>
    </>
  );
}

function ToApprove(): ReactElement {
  const t = useTexts(homeTexts);
  const approvals = useApprovalsForMe();
  return (
    <Figure
      title={t.toApprove}
      query={approvals}
      to="/approvals"
      tone="info"
      more={({ items }) => {
        const oldest = items.map(({ requestedAt }) => requestedAt).toSorted()[0];
        return oldest === undefined ? null : t.oldest(relative(oldest));
      }}
    >
      {(few) => few}
    </Figure>
  );
}

interface FigureProps<T> {
  readonly title: string;
  readonly query: Parameters<typeof Asked<Few<T>>>[0]['query'];
  readonly to: string;
  readonly search?: Readonly<Record<string, string | boolean>>;
  readonly tone?: 'bad' | 'warn' | 'info';
  readonly none?: string;
  readonly more?: (few: Few<T>) => string | null;
  readonly children: (few: Few<T>) => Few<T>;
}

/** A number that leads to what it counts; as "or more" where only the first page was counted. */
function Figure<T>({ title, query, to, search, tone, none, more, children }: FigureProps<T>): ReactElement {
  const t = useTexts(homeTexts);
  return (
    <Link to={to} search={search ?? {}} className="card figure">
      <span className="quiet">{title}</span>
      <Asked query={query} lines={2}>
        {(few) => {
          const counted = children(few);
          const remark = counted.items.length === 0 ? (none ?? null) : (more?.(counted) ?? null);
          return (
            <>
              <strong>{counted.more ? t.atLeast(counted.items.length) : number(counted.items.length)}</strong>
              {remark !== null && (
                <span>{tone && counted.items.length > 0 ? <Pill tone={tone}>{remark}</Pill> : remark}</span>
              )}
            </>
          );
        }}
      </Asked>
    </Link>
  );
}

function CaseFigures(): ReactElement {
  const t = useTexts(homeTexts);
  const figures = useFigures(true);
  return (
    <>
      <section className="card half stack">
        <h2>{t.opened}</h2>
        <Asked query={figures}>{(data) => <Opened figures={data} />}</Asked>
      </section>
      <section className="card half stack">
        <h2>{t.rules}</h2>
        <Asked query={figures}>{(data) => <Rules figures={data} />}</Asked>
      </section>
    </>
  );
}

function Opened({ figures }: { figures: Figures }): ReactElement {
  const t = useTexts(homeTexts);
  const perDay = new Map<string, number>();
  for (const { day, opened } of figures.alertsPerDay) perDay.set(day, (perDay.get(day) ?? 0) + opened);
  const { overdue, timeToDecision } = figures;
  return (
    <>
      {perDay.size === 0 ? (
        <p className="quiet">{t.openedNone}</p>
      ) : (
        <Bars
          title={t.opened}
          asTable={t.asTable}
          columns={[t.day, t.cases]}
          bars={[...perDay].sort().map(([day, value]) => ({ label: date(day), value }))}
        />
      )}
      <p className="row">
        {overdue.cases > 0 && (
          <Pill tone="bad">
            {t.overdueAll}: {number(overdue.cases)}
          </Pill>
        )}
        {overdue.communications > 0 && <Pill tone="bad">{t.communications(overdue.communications)}</Pill>}
        <span className="quiet">
          {timeToDecision.medianHours === null
            ? t.decisionNone
            : t.decision(t.hours(number(timeToDecision.medianHours)), timeToDecision.cases)}
        </span>
      </p>
      <h3>{t.ageing}</h3>
      <Facts items={figures.ageing.map(({ days, cases }) => [t.days(days), number(cases)])} />
    </>
  );
}

function Rules({ figures }: { figures: Figures }): ReactElement {
  const t = useTexts(homeTexts);
  const worst = figures.rules.toSorted((a, b) => b.cases - a.cases).slice(0, 8);
  if (worst.length === 0) return <p className="quiet">{t.rulesNone}</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.rule}</th>
          <th scope="col" className="number">
            {t.cases}
          </th>
          <th scope="col">{t.falsePositives}</th>
        </tr>
      </thead>
      <tbody>
        {worst.map(({ ruleId, cases, falsePositiveRate }) => (
          <tr key={ruleId}>
            <td>{ruleId}</td>
            <td className="number">{number(cases)}</td>
            <td>
              {falsePositiveRate !== null && (
                <>
                  <span className="meter" style={{ width: `${falsePositiveRate * 5}rem` }} />{' '}
                  {percent(falsePositiveRate)}
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
