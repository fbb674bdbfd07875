import './approvals.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { inboxes, useApproval, useApprovals, type Approval, type Inbox } from '../../data/approvals.js';
import { usePeople } from '../../data/people.js';
import { Asked, Empty, Failure, Skeleton } from '../../parts/answers.js';
import { inLanguage } from '../../parts/evidence/looked.js';
import { LongList } from '../../parts/lists/long-list.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { stepKeys, useRows } from '../../parts/lists/use-rows.js';
import { apart, money, relative } from '../../texts/formats.js';
import { useLanguage, useTexts, type Language } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Request, StatusPill } from './request.js';
import { approvalsTexts } from './texts.js';

/** One inbox for everything that needs two people, each with before and after. */
export function ApprovalsScreen(): ReactElement {
  const t = useTexts(approvalsTexts);
  useTitle(t.title);
  const navigate = useNavigate();
  const search: { readonly inbox?: unknown; readonly id?: unknown } = useSearch({ strict: false });
  const inbox = inboxes.find((one) => one === search.inbox) ?? 'TO_APPROVE';
  const linked = typeof search.id === 'string' ? search.id : null;
  const approvals = useApprovals(inbox);
  const people = usePeople();
  const language = useLanguage();
  const rows = useRows(approvals.items);
  const id = linked ?? rows.row?.id ?? null;
  const approval = useApproval(id);

  const leave = (): void => {
    if (linked !== null) void navigate({ to: '/approvals', search: { inbox }, replace: true });
  };
  const show = (next: Inbox): void => {
    void navigate({ to: '/approvals', search: { inbox: next }, replace: true });
  };
  useShortcuts(
    stepKeys(t, (by) => {
      leave();
      rows.step(by);
    }),
  );
  const [emptyTitle, emptyText] = t.empty[inbox] ?? ['', ''];
  return (
    <div className="split approvals-split">
      <section className="card list">
        <header>
          <h1>{t.title}</h1>
          <Tabs label={t.title} values={inboxes} value={inbox} names={t.inboxes} onChange={show} />
          {approvals.error && <Failure error={approvals.error} retry={() => void approvals.refetch()} />}
        </header>
        {!approvals.items && !approvals.error && <Skeleton lines={8} />}
        {approvals.items?.length === 0 && <Empty title={emptyTitle}>{emptyText}</Empty>}
        {approvals.items && approvals.items.length > 0 && (
          <LongList
            label={t.list}
            items={approvals.items}
            rowHeight={62}
            selected={rows.index}
            onEnd={approvals.more}
          >
            {(row, _index, selected) => (
              <button
                type="button"
                className="line approval-line"
                aria-current={selected && linked === null}
                tabIndex={selected ? 0 : -1}
                onClick={() => {
                  leave();
                  rows.select(row.id);
                }}
              >
                <strong>{word('act', row.act)}</strong>
                <StatusPill approval={row} />
                <span className="about">{aboutOf(row, language)}</span>
                <span className="number">
                  {[people(row.requestedBy), relative(row.requestedAt)].filter(Boolean).join(', ')}
                </span>
              </button>
            )}
          </LongList>
        )}
      </section>
      <section className="card preview" aria-label={t.choose}>
        {id === null ? (
          <Empty title={t.choose} />
        ) : (
          <Asked query={approval}>{(one) => <Request key={one.id} approval={one} />}</Asked>
        )}
      </section>
    </div>
  );
}

/** Whom or what a request is about, so that two of one kind can be told apart. */
function aboutOf({ summary }: Approval, language: Language): string {
  const [line] = summary?.lines ?? [];
  const amount = summary?.amount ?? null;
  const about = [
    amount === null ? null : money(amount, 'BRL'),
    summary?.customerName && apart(summary.customerName),
    summary?.rules.join(', '),
    line && inLanguage(line.what, language),
  ];
  return about.filter(Boolean).join(' · ');
}
