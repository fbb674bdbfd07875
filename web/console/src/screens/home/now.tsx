import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { now } from '../../api/clock.js';
import {
  useDeadLetterCount,
  useEndpoints,
  useLists,
  usePipeline,
  useTrail,
  type Pipeline as Activity,
} from '../../data/home.js';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Bars } from '../../parts/bars.js';
import { Facts, Pill } from '../../parts/controls.js';
import { clock, number, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { homeTexts } from './texts.js';

/** Transactions by the hour in which they came, and what became of them. */
export function Verdicts(): ReactElement {
  const t = useTexts(homeTexts);
  return (
    <section className="card half stack">
      <h2>{t.verdicts}</h2>
      <Asked query={usePipeline(true)}>{(activity) => <Hours activity={activity} />}</Asked>
    </section>
  );
}

function Hours({ activity: { hours, most } }: { activity: Activity }): ReactElement {
  const t = useTexts(homeTexts);
  const sum = (of: (hour: Activity['hours'][number]) => number): number =>
    hours.reduce((total, hour) => total + of(hour), 0);
  const received = sum((hour) => hour.received);
  if (received === 0) return <p className="quiet">{t.verdictsNone}</p>;
  return (
    <>
      <Bars
        title={t.verdicts}
        asTable={t.asTable}
        columns={[t.hour, t.received]}
        parts={[word('outcome', 'CHALLENGED'), word('outcome', 'REVIEW')]}
        bars={hours.map((hour) => ({
          label: clock(hour.hour),
          value: hour.received,
          parts: [hour.challenged, hour.review],
        }))}
        format={(value) => (value >= most ? t.atLeast(most) : number(value))}
      />
      <p className="quiet">
        {t.verdictsSum(number(received), number(sum((hour) => hour.challenged + hour.review)))}
      </p>
    </>
  );
}

export function Now(): ReactElement {
  const t = useTexts(homeTexts);
  const may = useMay();
  const items: (readonly [string, ReactNode])[] = [];
  if (may('kyt:read') === 'YES') {
    items.push([t.pipeline, <Pipeline key="pipeline" />], [t.deadLetters, <DeadLetters key="dead" />]);
  }
  if (may('webhooks:read') === 'YES') items.push([t.webhooks, <Webhooks key="webhooks" />]);
  if (may('audit:read') === 'YES') items.push([t.trail, <Trail key="trail" />]);
  return (
    <section className="card half stack">
      <h2>{t.now}</h2>
      <Facts items={items} />
    </section>
  );
}

function Pipeline(): ReactElement {
  const t = useTexts(homeTexts);
  return (
    <Asked query={usePipeline(true)} lines={1}>
      {({ waiting, oldestQueuedAt, most }) => {
        if (oldestQueuedAt === null) return <Pill tone="good">{t.pipelineEmpty}</Pill>;
        const late = now() - new Date(oldestQueuedAt).getTime() > 60_000;
        const count = waiting >= most ? t.atLeast(most) : number(waiting);
        return (
          <span className="row">
            <Pill tone={late ? 'bad' : 'info'}>{t.pipelineWaits(count)}</Pill>
            <span>{t.oldest(relative(oldestQueuedAt))}</span>
          </span>
        );
      }}
    </Asked>
  );
}

function Trail(): ReactElement {
  const t = useTexts(homeTexts);
  return (
    <Asked query={useTrail(true)} lines={1}>
      {({ gaps, status: { checkpoint } }) => (
        <Link to="/audit">
          {gaps > 0 ? (
            <Pill tone="bad">{t.trailGaps(gaps)}</Pill>
          ) : checkpoint === null ? (
            <Pill tone="warn">{t.trailUnsigned}</Pill>
          ) : (
            <Pill tone="good">{t.trailWhole(relative(checkpoint.signedAt))}</Pill>
          )}
        </Link>
      )}
    </Asked>
  );
}

function DeadLetters(): ReactElement {
  const t = useTexts(homeTexts);
  const dead = useDeadLetterCount(true);
  return (
    <Asked query={dead} lines={1}>
      {({ items, more }) =>
        items.length === 0 ? (
          <Pill tone="good">{t.none}</Pill>
        ) : (
          <Link to="/dead-letters">
            <Pill tone="bad">{more ? t.atLeast(items.length) : number(items.length)}</Pill>
          </Link>
        )
      }
    </Asked>
  );
}

function Webhooks(): ReactElement {
  const t = useTexts(homeTexts);
  const endpoints = useEndpoints(true);
  return (
    <Asked query={endpoints} lines={1}>
      {(all) => {
        if (all.length === 0) {
          return (
            <span className="row">
              <Pill tone="warn">{t.webhooksNone}</Pill>
              <span className="quiet">{t.webhooksNoneHint}</span>
            </span>
          );
        }
        const since = now() - 86_400_000;
        const hours = all
          .flatMap(({ statistics }) => statistics.hours)
          .filter(({ hour }) => new Date(hour).getTime() >= since);
        const attempts = hours.reduce((sum, { attempts: one }) => sum + one, 0);
        const failed = hours.reduce((sum, { failedAttempts }) => sum + failedAttempts, 0);
        const waiting = all.reduce((sum, { statistics }) => sum + statistics.waiting, 0);
        const stopped = all.filter(
          ({ endpoint }) => endpoint.status !== 'ACTIVE' || endpoint.failingSince !== null,
        );
        return (
          <span className="row">
            <span>{attempts === 0 ? t.webhooksQuiet : t.webhooksFine(percent(1 - failed / attempts))}</span>
            {waiting > 0 && <Pill tone="info">{t.waiting(number(waiting))}</Pill>}
            {stopped.length > 0 && <Pill tone="bad">{t.endpointTrouble(stopped.length)}</Pill>}
          </span>
        );
      }}
    </Asked>
  );
}

export function Lists(): ReactElement {
  const t = useTexts(homeTexts);
  const lists = useLists(true);
  return (
    <section className="card half stack">
      <h2>{t.lists}</h2>
      <Asked query={lists}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">{t.listsNone}</p>
          ) : (
            <table>
              <tbody>
                {items.map(({ id, name, entries, publishedAt, staleAfterDays }) => {
                  const age = publishedAt === null ? null : now() - new Date(publishedAt).getTime();
                  const stale = age !== null && staleAfterDays !== null && age > staleAfterDays * 86_400_000;
                  return (
                    <tr key={id}>
                      <th scope="row">{name}</th>
                      <td>
                        {publishedAt === null
                          ? t.listEmpty
                          : t.listAge(relative(publishedAt), number(entries))}
                      </td>
                      <td>
                        {stale || publishedAt === null ? (
                          <Pill tone="bad">{t.stale}</Pill>
                        ) : (
                          <Pill tone={staleAfterDays === null ? 'plain' : 'good'}>
                            {staleAfterDays === null ? t.noLimit : t.fine}
                          </Pill>
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )
        }
      </Asked>
    </section>
  );
}
