import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Pill } from '../../parts/controls.js';
import { date, number, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useBacktests, type Backtest } from './data.js';
import { backtestTexts } from './backtest-texts.js';
import { rulesTexts } from './texts.js';

type Report = NonNullable<Backtest['report']>;

/** How stored transactions would have ended with this version. */
export function Backtests({
  rulesetKey,
  version,
  isDraft,
}: {
  rulesetKey: string;
  version: number;
  isDraft: boolean;
}): ReactElement {
  const b = useTexts(backtestTexts);
  const { items, error } = useBacktests(rulesetKey, version);
  return (
    <section className="card stack">
      <h2>{b.backtests}</h2>
      {error && <Failure error={error} />}
      {!items && !error && <Skeleton />}
      {items?.length === 0 && (
        <Empty title={b.backtestsEmpty[0]}>{isDraft ? b.backtestsEmpty[1] : b.backtestsNone}</Empty>
      )}
      {items?.map((one, at) => (
        <details key={one.id} open={at === 0}>
          <summary>
            <Pill tone={one.status === 'FINISHED' ? 'good' : one.status === 'FAILED' ? 'bad' : 'info'}>
              {word('backtestStatus', one.status)}
            </Pill>{' '}
            {date(one.from)} – {date(one.to)}{' '}
            <span className="quiet small">
              {b.done(number(one.done), one.total === null ? '…' : number(one.total))} ·{' '}
              {relative(one.createdAt)}
            </span>
          </summary>
          {one.failureCode !== null && <code>{one.failureCode}</code>}
          {one.report && <Reported report={one.report} />}
        </details>
      ))}
    </section>
  );
}

function Reported({ report }: { report: Report }): ReactElement {
  const t = useTexts(rulesTexts);
  const b = useTexts(backtestTexts);
  const changed = report.rules.filter(
    ({ newHits, lostHits, shadowHits }) => newHits + lostHits + shadowHits > 0,
  );
  const shown = changed.length > 0 ? changed : report.rules.slice(0, 5);
  return (
    <div className="stack">
      <h3>
        {b.flips} · {b.unchanged(number(report.outcomes.unchanged))}
      </h3>
      {report.outcomes.flips.length === 0 && <p className="quiet">{b.noFlips}</p>}
      {report.outcomes.flips.map(({ from, to, count, examples }) => (
        <div key={`${from} ${to}`}>
          <strong>{number(count)}</strong> {word('outcome', from)} →{' '}
          <Pill tone="warn">{word('outcome', to)}</Pill>
          <details>
            <summary className="small">{b.examples}</summary>
            <ul className="plain small">
              {examples.map((id) => (
                <li key={id}>
                  <Link to="/transactions/$id" params={{ id }}>
                    <code>{id}</code>
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        </div>
      ))}
      <PerDay days={report.alertsPerDay} />
      <h3>{b.byRule}</h3>
      <div className="scroll" role="region" aria-label={b.byRule} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.rule}</th>
              {[b.hits, b.newHits, b.lostHits, b.shadowHits, b.alone].map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.key}>
                <td>
                  <code>{one.key}</code>
                </td>
                {[one.hits, one.newHits, one.lostHits, one.shadowHits, one.hitsAlone].map((count, at) => (
                  <td key={at} className="number">
                    {number(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {report.overlap.length > 0 && (
        <>
          <h3>{b.overlap}</h3>
          <ul className="plain small">
            {report.overlap.slice(0, 5).map(({ rules, both, likeness }) => (
              <li key={rules.join()}>
                <code>{rules.join(' + ')}</code>: {number(both)} · {percent(likeness)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Alerts of a day, in force beside draft; the legend stands outside of the bars. */
function PerDay({ days }: { days: Report['alertsPerDay'] }): ReactElement | null {
  const t = useTexts(rulesTexts);
  const b = useTexts(backtestTexts);
  if (days.length === 0) return null;
  const most = Math.max(1, ...days.flatMap(({ live, tested }) => [live, tested]));
  const width = 100 / days.length;
  return (
    <figure className="stack">
      <figcaption>
        <h3>{b.perDay}</h3>
        <span className="legend live-bar">{b.liveLine}</span> <span className="legend">{b.testedLine}</span>
      </figcaption>
      <svg className="bars" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={b.perDay}>
        {days.map(({ day, live, tested }, at) => (
          <g key={day}>
            <rect
              className="live-bar"
              x={at * width + width * 0.1}
              width={width * 0.38}
              y={40 - (live / most) * 38}
              height={(live / most) * 38}
            />
            <rect
              x={at * width + width * 0.5}
              width={width * 0.38}
              y={40 - (tested / most) * 38}
              height={(tested / most) * 38}
            />
          </g>
        ))}
      </svg>
      <details>
        <summary className="small">{t.table}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.day}</th>
              <th scope="col" className="number">
                {b.liveLine}
              </th>
              <th scope="col" className="number">
                {b.testedLine}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, live, tested }) => (
              <tr key={day}>
                <td>{date(day)}</td>
                <td className="number">{number(live)}</td>
                <td className="number">{number(tested)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
