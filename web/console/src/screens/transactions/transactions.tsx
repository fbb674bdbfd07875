import '../customers/customers.css';
import './transactions.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactElement, type SyntheticEvent } from 'react';
import { useTransactions, type TransactionFilter, type TransactionRow } from '../../data/transactions.js';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Field, Pill, type Tone } from '../../parts/controls.js';
import { LongList } from '../../parts/lists/long-list.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { fromTo } from '../../parts/from-to.js';
import { useTitle } from '../../parts/title.js';
import { stepKeys, useRows } from '../../parts/lists/use-rows.js';
import { without } from '../../parts/without.js';
import { money, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { transactionsTexts } from './texts.js';

const OUTCOMES = ['REVIEW', 'CHALLENGED', 'REJECTED', 'APPROVED'] as const;

/** Every transaction that was acknowledged, live. */
export function TransactionsScreen(): ReactElement {
  const t = useTexts(transactionsTexts);
  useTitle(t.title);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<TransactionFilter>({});
  const transactions = useTransactions(filter);
  const rows = useRows(transactions.items);
  const input = useRef<HTMLInputElement>(null);
  const filtered = Object.keys(filter).length > 0;

  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    const rest = without(filter, 'transactionId');
    setFilter({ ...rest, ...(text.trim() !== '' && { transactionId: text.trim() }) });
  };
  useShortcuts([
    ...stepKeys(t, rows.step),
    {
      keys: 'Enter',
      label: t.open,
      footer: true,
      run: () => {
        if (rows.row) void navigate({ to: '/transactions/$id', params: { id: rows.row.id } });
      },
    },
    { keys: 'F', label: t.focusSearch, footer: true, run: () => input.current?.focus() },
  ]);
  return (
    <div className="customers">
      <h1>{t.title}</h1>
      <form onSubmit={search}>
        <Field label={t.find} hint={t.findHint}>
          {(given) => (
            <input
              {...given}
              ref={input}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
          )}
        </Field>
        <Field label={t.outcome}>
          {(given) => (
            <select
              {...given}
              value={filter.outcome ?? ''}
              onChange={(event) => {
                const rest = without(filter, 'outcome');
                const chosen = OUTCOMES.find((one) => one === event.target.value);
                setFilter({ ...rest, ...(chosen && { outcome: chosen }) });
              }}
            >
              <option value="">{t.any}</option>
              {OUTCOMES.map((one) => (
                <option key={one} value={one}>
                  {word('outcome', one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <label className="row">
          <input
            type="checkbox"
            checked={filter.defensible === false}
            onChange={(event) => {
              const rest = without(filter, 'defensible');
              setFilter({ ...rest, ...(event.target.checked && { defensible: false }) });
            }}
          />
          {t.onlyGaps}
        </label>
        <Button look="main" type="submit">
          {t.search}
        </Button>
        {filtered && (
          <Button
            onClick={() => {
              setText('');
              setFilter({});
            }}
          >
            {t.clear}
          </Button>
        )}
      </form>
      {transactions.error && <Failure error={transactions.error} retry={() => void transactions.refetch()} />}
      <section className="card list">
        {!transactions.items && !transactions.error && <Skeleton lines={12} />}
        {transactions.items?.length === 0 && (
          <Empty title={filtered ? t.notFound : t.empty}>{!filtered && t.emptyText}</Empty>
        )}
        {transactions.items && transactions.items.length > 0 && (
          <LongList
            label={t.list}
            items={transactions.items}
            rowHeight={46}
            selected={rows.index}
            onEnd={transactions.more}
          >
            {(row, _index, selected) => (
              <Line
                row={row}
                selected={selected}
                onSelect={() => {
                  rows.select(row.id);
                }}
              />
            )}
          </LongList>
        )}
      </section>
    </div>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  APPROVED: 'good',
  CHALLENGED: 'info',
  REVIEW: 'warn',
  REJECTED: 'bad',
};

export const Outcome = ({ row }: { row: Pick<TransactionRow, 'outcome' | 'status'> }): ReactElement =>
  row.outcome === null ? (
    <Pill tone={row.status === 'DEAD_LETTERED' ? 'bad' : 'plain'}>
      {word('transactionStatus', row.status)}
    </Pill>
  ) : (
    <Pill tone={TONES[row.outcome] ?? 'plain'}>{word('outcome', row.outcome)}</Pill>
  );

/** From whom to whom, as far as it is known. */
function Line({
  row,
  selected,
  onSelect,
}: {
  row: TransactionRow;
  selected: boolean;
  onSelect: () => void;
}): ReactElement {
  return (
    <Link
      to="/transactions/$id"
      params={{ id: row.id }}
      preload={false}
      className="line transaction-line"
      aria-current={selected}
      tabIndex={selected ? 0 : -1}
      onFocus={onSelect}
    >
      <strong>{money(row.amount, row.currency)}</strong>
      <span className="wide">{word('transactionType', row.type)}</span>
      <span className="wide parties">{fromTo(row)}</span>
      <span className="quiet wide">{row.transactionId}</span>
      <span className="number wide">{row.riskScore ?? '—'}</span>
      <span>
        <Outcome row={row} />
      </span>
      <span className="quiet wide">{relative(row.receivedAt)}</span>
    </Link>
  );
}
