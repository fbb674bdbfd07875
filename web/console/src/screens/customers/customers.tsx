import './customers.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactElement, type SyntheticEvent } from 'react';
import { useCustomers, type CustomerFilter, type CustomerRow } from '../../data/customers.js';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { LongList } from '../../parts/lists/long-list.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { stepKeys, useRows } from '../../parts/lists/use-rows.js';
import { without } from '../../parts/without.js';
import { relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { customersTexts } from './texts.js';

const RISKS = ['HIGH', 'MEDIUM', 'LOW'] as const;

/** Customers, and the one with a document or an id. */
export function CustomersScreen(): ReactElement {
  const t = useTexts(customersTexts);
  useTitle(t.title);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<CustomerFilter>({});
  const customers = useCustomers(filter);
  const rows = useRows(customers.items);
  const input = useRef<HTMLInputElement>(null);
  const searched = filter.document !== undefined || filter.externalCustomerId !== undefined;

  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    const { riskLevel } = filter;
    setFilter({ ...(riskLevel && { riskLevel }), ...found(text.trim()) });
  };
  useShortcuts([
    ...stepKeys(t, rows.step),
    {
      keys: 'Enter',
      label: t.open,
      footer: true,
      run: () => {
        if (rows.row) void navigate({ to: '/customers/$id', params: { id: rows.row.id } });
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
        <Field label={t.risk}>
          {(given) => (
            <select
              {...given}
              value={filter.riskLevel ?? ''}
              onChange={(event) => {
                const rest = without(filter, 'riskLevel');
                const chosen = RISKS.find((one) => one === event.target.value);
                setFilter({ ...rest, ...(chosen && { riskLevel: chosen }) });
              }}
            >
              <option value="">{t.anyRisk}</option>
              {RISKS.map((one) => (
                <option key={one} value={one}>
                  {word('risk', one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button look="main" type="submit">
          {t.search}
        </Button>
        {searched && (
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
      {customers.error && <Failure error={customers.error} retry={() => void customers.refetch()} />}
      <section className="card list">
        {!customers.items && !customers.error && <Skeleton lines={12} />}
        {customers.items?.length === 0 && (
          <Empty title={searched ? t.notFound : t.empty}>{searched ? t.notFoundText : t.emptyText}</Empty>
        )}
        {customers.items && customers.items.length > 0 && (
          <LongList
            label={t.list}
            items={customers.items}
            rowHeight={46}
            selected={rows.index}
            onEnd={customers.more}
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

/** Digits with the length of a document are one; everything else is an id of the integrator. */
function found(text: string): CustomerFilter {
  if (text === '') return {};
  const bare = text.replace(/[.\-/\s]/g, '');
  return /^(\d{11}|[0-9A-Z]{12}\d{2})$/i.test(bare) ? { document: text } : { externalCustomerId: text };
}

function Line({
  row,
  selected,
  onSelect,
}: {
  row: CustomerRow;
  selected: boolean;
  onSelect: () => void;
}): ReactElement {
  const t = useTexts(customersTexts);
  return (
    <Link
      to="/customers/$id"
      params={{ id: row.id }}
      preload={false}
      className="line customer-line"
      aria-current={selected}
      tabIndex={selected ? 0 : -1}
      onFocus={onSelect}
    >
      <span>
        {row.erased ? (
          <span className="quiet">{t.erased}</span>
        ) : (
          (row.name ?? row.externalCustomerId ?? row.id)
        )}
      </span>
      <span className="quiet">{row.documentMasked}</span>
      <span className="quiet wide">{row.externalCustomerId}</span>
      <span className="wide">
        {row.riskLevel !== null && (
          <Pill tone={row.riskLevel === 'HIGH' ? 'bad' : 'plain'}>{word('risk', row.riskLevel)}</Pill>
        )}{' '}
        {row.legalHold && <Pill tone="warn">{t.hold}</Pill>}
      </span>
      <span className="quiet wide">{relative(row.identifiedAt)}</span>
    </Link>
  );
}
