import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { date, dateTime, number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { useCallOff, useLookBack, type LookBack } from './data.js';
import { StatePill, useJudgeOf } from './look-backs.js';
import { lookBacksTexts } from './texts.js';

/** One look-back: how far it is, and what it came to. */
export function LookBackScreen(): ReactElement {
  const t = useTexts(lookBacksTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.one);
  const lookBack = useLookBack(id);
  return <Asked query={lookBack}>{(data) => <Opened lookBack={data} />}</Asked>;
}

const moment = (iso: string | null): string => (iso === null ? '—' : dateTime(iso));

function Opened({ lookBack }: { lookBack: LookBack }): ReactElement {
  const t = useTexts(lookBacksTexts);
  const may = useMay();
  const people = usePeople();
  const complain = useComplain();
  const callOff = useCallOff();
  const judgeOf = useJudgeOf();
  const { status, total, done, counts } = lookBack;
  const runs = status === 'QUEUED' || status === 'RUNNING';
  return (
    <div className="stack">
      <header className="row">
        <Link to="/look-backs">← {t.back}</Link>
        <h1>{judgeOf(lookBack)}</h1>
        <StatePill status={status} />
        {lookBack.singleControl && <Pill tone="warn">{t.alone}</Pill>}
        {runs && may('rules:publish') === 'YES' && (
          <Button
            className="end"
            look="danger"
            title={t.cancelHint}
            disabled={callOff.isPending}
            onClick={() => {
              callOff.mutate(lookBack.id, {
                onSuccess: () => {
                  say(t.cancelled);
                },
                onError: complain,
              });
            }}
          >
            {t.cancel}
          </Button>
        )}
      </header>
      <div className="columns">
        <section className="card stack">
          <h2>{t.progress}</h2>
          <progress
            aria-label={t.progress}
            {...(total !== null && { value: done, max: Math.max(1, total) })}
          />
          <p className="quiet">{total === null ? t.counting : t.of(number(done), number(total))}</p>
          <Facts
            items={[
              [t.span, `${t.over(lookBack.days)} (${date(lookBack.from)} – ${date(lookBack.to)})`],
              [t.asked, people(lookBack.requestedBy) ?? lookBack.requestedBy],
              [t.approved, people(lookBack.approvedBy) ?? lookBack.approvedBy],
              [t.begun, moment(lookBack.startedAt)],
              [t.ended, moment(lookBack.finishedAt)],
              ...(lookBack.failureCode === null
                ? []
                : [[t.failure, <code key="failure">{lookBack.failureCode}</code>] as const]),
              ...(lookBack.cancelledBy === null
                ? []
                : [[t.cancelledBy, people(lookBack.cancelledBy) ?? lookBack.cancelledBy] as const]),
            ]}
          />
        </section>
        <section className="card stack">
          <h2>{t.result}</h2>
          <Facts
            items={(['looked', 'alerts', 'known', 'opened', 'joined', 'unreadable'] as const).map((name) => [
              t.counts[name],
              number(counts[name]),
            ])}
          />
          <p className="quiet small">
            {t.judgedBy}: <code>{counts.judgedBy.join(', ') || '—'}</code>
          </p>
          {counts.opened + counts.joined > 0 && (
            <p>
              <Link to="/cases">{t.cases}</Link>
            </p>
          )}
          {counts.undecided.length > 0 && (
            <>
              <h3>{t.undecided}</h3>
              <p className="quiet small">{t.undecidedHint}</p>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t.rule}</th>
                    <th scope="col" className="number">
                      {t.times}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {counts.undecided.map(({ rule, count }) => (
                    <tr key={rule}>
                      <td>
                        <Link to="/rules/$key" params={{ key: rule }}>
                          <code>{rule}</code>
                        </Link>
                      </td>
                      <td className="number">{number(count)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )}
        </section>
      </div>
    </div>
  );
}
