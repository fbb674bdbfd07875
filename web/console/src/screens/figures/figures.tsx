import { Link } from '@tanstack/react-router';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, download, type Schemas } from '../../api/client.js';
import { now } from '../../api/clock.js';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Bars } from '../../parts/bars.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { Table } from '../../parts/lists/table.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { dayOf } from '../../texts/days.js';
import { date, number, percent } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { figuresTexts } from './texts.js';

type Figures = Schemas['ComplianceFiguresView'];

const SPANS = ['30', '90', '365'] as const;
type Span = (typeof SPANS)[number];
const DAY_MS = 86_400_000;
// Fewer decided cases than these say little about a rule.
const FEW = 10;

/** How rules and lists did, and how fast cases were decided. */
export function FiguresScreen(): ReactElement {
  const t = useTexts(figuresTexts);
  useTitle(t.title);
  const may = useMay();
  const complain = useComplain();
  const [span, setSpan] = useState<Span>('30');
  const from = dayOf(new Date(now() - Number(span) * DAY_MS));
  const figures = useQuery({
    queryKey: ['figures', from],
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/operator/figures/compliance', { params: { query: { from } } })),
  });
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        <span className="end row">
          <Tabs label={t.span} values={SPANS} value={span} names={t.spans} onChange={setSpan} />
          {may('audit:export') === 'YES' && (
            <Button
              onClick={() => {
                download(`/operator/figures/compliance.csv?from=${from}`, 'figures.csv').catch(complain);
              }}
            >
              {t.csv}
            </Button>
          )}
        </span>
      </header>
      <Asked query={figures}>{(data) => <Shown figures={data} />}</Asked>
    </div>
  );
}

const hours = (value: number | null): string => (value === null ? '—' : `${number(value)} h`);
const share = (value: number | null): string => (value === null ? '—' : percent(value));

function Shown({ figures }: { figures: Figures }): ReactElement {
  const t = useTexts(figuresTexts);
  const perDay = new Map<string, number>();
  for (const { day, opened } of figures.alertsPerDay) perDay.set(day, (perDay.get(day) ?? 0) + opened);
  const { timeToDecision: time, overdue } = figures;
  return (
    <>
      <div className="columns">
        <section className="card stack">
          <h2>{t.opened}</h2>
          {perDay.size === 0 ? (
            <p className="quiet">{t.noCase}</p>
          ) : (
            <Bars
              title={t.opened}
              asTable={t.asTable}
              columns={[t.day, t.cases]}
              bars={[...perDay].map(([day, value]) => ({ label: date(day), value }))}
            />
          )}
        </section>
        <section className="card stack">
          <h2>{t.time}</h2>
          <Facts
            items={[
              [t.decided, number(time.cases)],
              [t.median, hours(time.medianHours)],
              [t.mean, hours(time.meanHours)],
              [t.p90, hours(time.p90Hours)],
              ...figures.ageing.map(({ days, cases }) => [t.age(days), number(cases)] as const),
              [t.overdueCases, number(overdue.cases)],
              [t.overdueCommunications, number(overdue.communications)],
            ]}
          />
        </section>
      </div>
      <section className="card stack">
        <h2>{t.rules}</h2>
        <p className="quiet small">{t.rulesHint}</p>
        <Table
          caption={t.rules}
          pages={{ items: figures.rules, error: null, refetch: () => Promise.resolve() }}
          keyOf={({ ruleId }) => ruleId}
          empty={t.rulesEmpty}
          columns={[
            [
              t.rule,
              ({ ruleId }) => (
                <Link to="/rules/$key" params={{ key: ruleId }}>
                  <code>{ruleId}</code>
                </Link>
              ),
            ],
            [t.cases, ({ cases }) => number(cases), 'number'],
            [t.truePositives, ({ truePositives }) => number(truePositives), 'number'],
            [t.falsePositives, ({ falsePositives }) => number(falsePositives), 'number'],
            [
              t.falseRate,
              ({ falsePositiveRate, truePositives, falsePositives }) => (
                <>
                  {truePositives + falsePositives < FEW && <Pill>{t.few}</Pill>} {share(falsePositiveRate)}
                </>
              ),
              'number',
            ],
          ]}
        />
      </section>
      <section className="card stack">
        <h2>{t.lists}</h2>
        <Table
          caption={t.lists}
          pages={{ items: figures.lists, error: null, refetch: () => Promise.resolve() }}
          keyOf={({ list }) => list}
          empty={t.listsEmpty}
          columns={[
            [t.list, ({ list }) => list],
            [t.hits, ({ hits }) => number(hits), 'number'],
            [t.confirmed, ({ confirmed }) => number(confirmed), 'number'],
            [t.dismissed, ({ dismissed }) => number(dismissed), 'number'],
            [t.waiting, ({ waiting }) => number(waiting), 'number'],
            [t.falseRate, ({ falsePositiveRate }) => share(falsePositiveRate), 'number'],
          ]}
        />
      </section>
    </>
  );
}
