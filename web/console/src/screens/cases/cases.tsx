import './cases.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement } from 'react';
import { caseViews, useAssign, useCases, type CaseRow, type CaseView } from '../../data/cases.js';
import { countText, useCounts } from '../../data/counts.js';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { CustomerName } from '../../parts/customer-name.js';
import { inLanguage } from '../../parts/evidence/looked.js';
import { withoutCodes } from '../../parts/evidence/reason-words.js';
import { LongList } from '../../parts/lists/long-list.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { without } from '../../parts/without.js';
import { stepKeys, useRows } from '../../parts/lists/use-rows.js';
import { useWidth } from '../../parts/width.js';
import { money, number } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { queryOf, readFilter, searchOf, type Filter } from './filter.js';
import { Filters } from './filters.js';
import { Marked } from './marked.js';
import { Due, Score } from './parts.js';
import { Preview } from './preview.js';
import { sequence } from './sequence.js';
import { casesTexts } from './texts.js';

const COUNTED = { open: 'open', mine: 'mine', free: 'unassigned', overdue: 'overdue' } as const;

/** The queue on the left, and on the right enough of a case to know whether to open it. */
export function CasesScreen(): ReactElement {
  const t = useTexts(casesTexts);
  useTitle(t.title);
  const navigate = useNavigate();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const view = caseViews.find((one) => one === search['view']) ?? 'open';
  const filter = readFilter(search);
  const [text, setText] = useState('');
  const narrowed = text !== '' || Object.keys(without(filter, 'sort')).length > 0;
  const cases = useCases({ ...queryOf(view, filter), ...(text !== '' && { text }) });
  const rows = useRows(cases.items);
  const assign = useAssign();
  const complain = useComplain();
  const { data: counts } = useCounts();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const mark = (id: string): void => {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
  };
  const chosen = cases.items?.filter(({ id }) => marked.has(id)) ?? [];
  const names = Object.fromEntries(
    caseViews.map((one) => {
      const count = one in COUNTED ? countText(counts, COUNTED[one as keyof typeof COUNTED]) : null;
      return [one, count === null ? t.views[one] : `${t.views[one]} ${count}`];
    }),
  ) as typeof t.views;
  // Name and reason stand whole, one above the other, where there is no room beside each other.
  const narrow = useWidth() < 1_400;

  const open = (): void => {
    if (rows.row) void navigate({ to: '/cases/$id', params: { id: rows.row.id } });
  };
  const take = (): void => {
    if (!rows.row) return;
    assign.mutate(
      { id: rows.row.id, assigneeId: 'me' },
      {
        onSuccess: () => {
          say(t.taken);
        },
        onError: complain,
      },
    );
  };
  const show = (next: CaseView, nextFilter: Filter = filter, nextText = text): void => {
    setMarked(new Set());
    setText(nextText);
    void navigate({ to: '/cases', search: { view: next, ...searchOf(nextFilter) }, replace: true });
  };
  useShortcuts([
    ...stepKeys(t, rows.step),
    { keys: 'Enter', label: t.open, footer: true, run: open },
    { keys: 'A', label: t.take, footer: true, run: take },
    {
      keys: 'X',
      label: t.mark,
      footer: true,
      run: () => {
        if (rows.row) mark(rows.row.id);
      },
    },
    ...caseViews.map((one, at) => ({
      keys: String(at + 1),
      label: t.views[one],
      run: () => {
        show(one);
      },
    })),
  ]);
  useEffect(() => {
    sequence.ids = cases.items?.map(({ id }) => id) ?? [];
  }, [cases.items]);

  const count = number(cases.items?.length ?? 0);
  const [emptyTitle, emptyText] = (narrowed ? t.emptyFiltered : t.empty[view]) ?? ['', ''];
  return (
    <div className="split">
      <section className="card list">
        <header>
          <div className="row">
            <h1>{t.title}</h1>
            <span className="end quiet small" role="status">
              {cases.items && (cases.hasMore ? t.shownMore(count) : t.shown(count))}
            </span>
          </div>
          <Tabs
            label={t.title}
            values={caseViews}
            value={view}
            names={names}
            onChange={(next) => {
              show(next);
            }}
          />
          <Filters
            view={view}
            filter={filter}
            text={text}
            onFilter={(nextFilter, nextText, nextView) => {
              show(nextView, nextFilter, nextText);
            }}
          />
          {chosen.length > 0 && (
            <Marked
              cases={chosen}
              onDone={() => {
                setMarked(new Set());
              }}
            />
          )}
          {cases.error && <Failure error={cases.error} retry={() => void cases.refetch()} />}
        </header>
        {!cases.items && !cases.error && <Skeleton lines={12} />}
        {cases.items?.length === 0 && <Empty title={emptyTitle}>{emptyText}</Empty>}
        {cases.items && cases.items.length > 0 && (
          <LongList
            label={t.list}
            items={cases.items}
            rowHeight={narrow ? 62 : 42}
            selected={rows.index}
            onEnd={cases.more}
          >
            {(row, _index, selected) => (
              <Line
                row={row}
                selected={selected}
                marked={marked.has(row.id)}
                onSelect={() => {
                  rows.select(row.id);
                }}
              />
            )}
          </LongList>
        )}
      </section>
      <aside className="card preview" aria-label={t.preview}>
        {rows.row && <Preview key={rows.row.id} row={rows.row} onTake={take} onOpen={open} />}
      </aside>
    </div>
  );
}

function Line({
  row,
  selected,
  marked,
  onSelect,
}: {
  row: CaseRow;
  selected: boolean;
  marked: boolean;
  onSelect: () => void;
}): ReactElement {
  const t = useTexts(casesTexts);
  const language = useLanguage();
  return (
    <Link
      to="/cases/$id"
      params={{ id: row.id }}
      preload={false}
      className="line case-line"
      aria-current={selected}
      tabIndex={selected ? 0 : -1}
      onFocus={onSelect}
      onMouseEnter={onSelect}
    >
      <span>
        {marked && (
          <b aria-label={t.marked} role="img">
            ✓{' '}
          </b>
        )}
        <Due row={row} />
      </span>
      <span>{row.customerName ?? row.partyName ?? <CustomerName id={row.customerId} />}</span>
      <span className="why">
        {row.amount !== null && <b>{money(row.amount, 'BRL')} </b>}
        {withoutCodes(inLanguage(row.reason, language) ?? word('theme', row.theme))}
      </span>
      <span className="number">
        <Score value={row.riskScore} />
      </span>
      <span className="state quiet">
        {[row.status === 'OPEN' ? null : word('caseStatus', row.status), row.assigneeName]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </Link>
  );
}
