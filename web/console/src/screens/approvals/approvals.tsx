import './approvals.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import {
  inboxes,
  useApproval,
  useApprovals,
  useJudge,
  type Approval,
  type Inbox,
} from '../../data/approvals.js';
import { useMe } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { asProblem } from '../../api/problem.js';
import { Asked, Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Facts, Pill, type Tone } from '../../parts/controls.js';
import { LongList } from '../../parts/lists/long-list.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { stepKeys, useRows } from '../../parts/lists/use-rows.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { dateTime, money, number, relative } from '../../texts/formats.js';
import { useTexts, type Catalogue } from '../../texts/language.js';
import { word } from '../../texts/words.js';
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
                <span className="quiet small">{people(row.requestedBy)}</span>
                <span className="number">{relative(row.requestedAt)}</span>
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

const TONES: Readonly<Record<string, Tone>> = {
  REQUESTED: 'info',
  APPROVED: 'warn',
  APPLIED: 'good',
  REFUSED: 'bad',
  FAILED: 'bad',
};

const StatusPill = ({ approval: { status } }: { approval: Approval }): ReactElement => (
  <Pill tone={TONES[status] ?? 'plain'}>{word('approvalStatus', status)}</Pill>
);

const SUBJECTS: Readonly<Record<string, string>> = {
  rev: '/cases/$id',
  cus: '/customers/$id',
  txn: '/transactions/$id',
  hit: '/hits/$id',
  com: '/coaf/$id',
};

function Request({ approval }: { approval: Approval }): ReactElement {
  const t = useTexts(approvalsTexts);
  const people = usePeople();
  const { data: me } = useMe();
  const judge = useJudge();
  const [asking, setAsking] = useState<'REFUSE' | 'WITHDRAW' | null>(null);
  const waits = approval.status === 'REQUESTED';
  const own = approval.requestedBy === me?.id;
  const subject = SUBJECTS[approval.subjectId.slice(0, 3)];

  const approve = (singleControl = false): void => {
    if (!waits || judge.isPending) return;
    judge.mutate(
      { approval, verdict: { kind: 'APPROVE', singleControl } },
      {
        onSuccess: () => {
          say(t.approved);
        },
      },
    );
  };
  const refuse = (): void => {
    setAsking(own ? 'WITHDRAW' : 'REFUSE');
  };
  useShortcuts(
    waits
      ? [
          ...(own
            ? []
            : [
                {
                  keys: 'Ctrl Enter',
                  label: t.approve,
                  footer: true,
                  run: () => {
                    approve();
                  },
                },
              ]),
          { keys: 'X', label: own ? t.withdraw : t.refuse, footer: true, run: refuse },
        ]
      : [],
  );
  const single =
    judge.error !== null && asProblem(judge.error).details.some(({ code }) => code === 'NOBODY_ELSE');

  return (
    <div className="stack">
      <div className="row">
        <h2>{word('act', approval.act)}</h2>
        <StatusPill approval={approval} />
        {approval.singleControl && <Pill tone="warn">{t.single}</Pill>}
      </div>
      <p className="quiet">
        {t.requested(people(approval.requestedBy) ?? '', relative(approval.requestedAt))}
        {waits && ` · ${t.expires(relative(approval.expiresAt))}`}
      </p>
      {approval.decidedBy !== null && approval.decidedAt !== null && (
        <p className="quiet">{t.decided(people(approval.decidedBy) ?? '', relative(approval.decidedAt))}</p>
      )}
      {approval.decisionReason !== null && (
        <blockquote className="quote">{approval.decisionReason}</blockquote>
      )}
      <h3>{t.reason}</h3>
      <blockquote className="quote">{approval.reason}</blockquote>
      {approval.summary && <Summary of={approval.summary} />}
      <h3>{t.change}</h3>
      <Change before={approval.before} after={approval.after} />
      <Facts
        items={[
          [
            t.subject,
            <span key="subject" className="row">
              <code>{approval.subjectId}</code>
              {subject !== undefined && (
                <Link to={subject} params={{ id: approval.subjectId }}>
                  {t.openSubject}
                </Link>
              )}
            </span>,
          ],
          [t.effect, approval.effect],
          [t.undo, approval.undo],
          ...(approval.effectiveAt === null
            ? []
            : [[t.change, <span key="when">{t.effective(dateTime(approval.effectiveAt))}</span>] as const]),
          [
            t.digest,
            <span key="digest">
              <code>{approval.digest.slice(0, 16)}…</code>
              <span className="quiet small"> {t.digestHint}</span>
            </span>,
          ],
        ]}
      />
      {judge.error && <Failure error={judge.error} />}
      {waits && (
        <div className="row">
          {own ? (
            <>
              <span className="quiet">{t.yours}</span>
              <Button keys="X" onClick={refuse}>
                {t.withdraw}
              </Button>
            </>
          ) : (
            <>
              <Button
                look="main"
                keys="Ctrl Enter"
                disabled={judge.isPending}
                onClick={() => {
                  approve();
                }}
              >
                {t.approve}
              </Button>
              <Button keys="X" onClick={refuse}>
                {t.refuse}
              </Button>
            </>
          )}
        </div>
      )}
      {waits && (own || single) && (
        <details>
          <summary className="small">{t.alone}</summary>
          <p className="quiet small">{t.aloneHint}</p>
          <Button
            onClick={() => {
              approve(true);
            }}
          >
            {t.alone}
          </Button>
        </details>
      )}
      {asking !== null && (
        <WritingDialog
          title={asking === 'REFUSE' ? t.refuse : t.withdraw}
          label={t.why}
          minimum={20}
          action={asking === 'REFUSE' ? t.refuse : t.withdraw}
          onSend={async (reason) => {
            await judge.mutateAsync({ approval, verdict: { kind: asking, reason } });
            say(asking === 'REFUSE' ? t.refused : t.withdrawn);
          }}
          onClose={() => {
            setAsking(null);
          }}
        />
      )}
    </div>
  );
}

const summaryTexts: Catalogue<Readonly<Record<SummaryText, string>>> = {
  pt: {
    title: 'Em resumo',
    customer: 'Cliente',
    amount: 'Valor',
    transactions: 'Transações',
    rules: 'Regras',
    justification: 'Justificativa',
  },
  en: {
    title: 'In short',
    customer: 'Customer',
    amount: 'Amount',
    transactions: 'Transactions',
    rules: 'Rules',
    justification: 'Justification',
  },
};
type SummaryText = 'title' | 'customer' | 'amount' | 'transactions' | 'rules' | 'justification';

/** The object of the request, as far as the reader may see it. */
function Summary({ of }: { of: NonNullable<Approval['summary']> }): ReactElement {
  const t = useTexts(summaryTexts);
  const { customerId, customerName, amount, transactions, rules, justification } = of;
  const customer = customerId !== null && (
    <Link to="/customers/$id" params={{ id: customerId }}>
      {customerName ?? customerId}
    </Link>
  );
  return (
    <>
      <h3>{t.title}</h3>
      <Facts
        items={[
          ...(customer ? [[t.customer, customer] as const] : []),
          ...(amount === null ? [] : [[t.amount, money(amount, 'BRL')] as const]),
          ...(transactions === null ? [] : [[t.transactions, number(transactions)] as const]),
          ...(rules.length === 0 ? [] : [[t.rules, rules.join(', ')] as const]),
          ...(justification === null ? [] : [[t.justification, justification] as const]),
        ]}
      />
    </>
  );
}

type Values = Readonly<Record<string, unknown>>;

/** The values that change, side by side; anything that they hold is shown as text. */
function Change({ before, after }: { before: Values; after: Values }): ReactElement {
  const t = useTexts(approvalsTexts);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return <p className="quiet">{t.same}</p>;
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
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="before">{shown(before[name]) ?? <span className="quiet">{t.nothing}</span>}</td>
            <td className="after">{shown(after[name]) ?? <span className="quiet">{t.gone}</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
