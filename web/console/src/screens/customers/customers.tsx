import './customers.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactElement, type SyntheticEvent } from 'react';
import type { Schemas } from '../../api/client.js';
import { useCustomers, type CustomerFilter, type CustomerRow } from '../../data/customers.js';
import { useSearchFor } from '../../data/search.js';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { LongList } from '../../parts/lists/long-list.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { CustomerName } from '../../parts/customer-name.js';
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
  // A text that is no document is a name or an id: the search of everything finds both.
  const [words, setWords] = useState('');
  const customers = useCustomers(filter);
  const search = useSearchFor(words);
  const items: readonly Row[] | undefined = words === '' ? customers.items : search.found?.customers;
  const error = words === '' ? customers.error : search.error;
  const rows = useRows(items);
  const input = useRef<HTMLInputElement>(null);
  const searched = filter.document !== undefined || words !== '';

  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const given = text.trim();
    const { riskLevel } = filter;
    setFilter({ ...(riskLevel && { riskLevel }), ...(isDocument(given) && { document: given }) });
    setWords(isDocument(given) ? '' : given);
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
      <form onSubmit={onSubmit}>
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
              disabled={words !== ''}
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
              setWords('');
              setFilter({});
            }}
          >
            {t.clear}
          </Button>
        )}
      </form>
      {error && <Failure error={error} retry={() => void (words === '' ? customers : search).refetch()} />}
      <section className="card list">
        {!items && !error && (words === '' || search.busy) && <Skeleton lines={12} />}
        {words !== '' && words.length < 3 && <Empty title={t.tooShort} />}
        {items?.length === 0 && (
          <Empty title={searched ? t.notFound : t.empty}>{searched ? t.notFoundText : t.emptyText}</Empty>
        )}
        {items && items.length > 0 && (
          <LongList
            label={t.list}
            items={items}
            rowHeight={46}
            selected={rows.index}
            onEnd={words === '' ? customers.more : () => undefined}
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

/** A customer as both the list and the search show one. */
type Row = Schemas['SearchCustomerView'] & Partial<CustomerRow>;

/** Digits with the length of a document are one. */
const isDocument = (text: string): boolean =>
  /^(\d{11}|[0-9A-Z]{12}\d{2})$/i.test(text.replace(/[.\-/\s]/g, ''));

function Line({
  row,
  selected,
  onSelect,
}: {
  row: Row;
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
        {row.erased === true ? (
          <span className="quiet">{t.erased}</span>
        ) : (
          (row.name ?? row.externalCustomerId ?? <CustomerName id={row.id} />)
        )}
      </span>
      <span className="quiet">{row.documentMasked}</span>
      <span className="quiet wide">{row.externalCustomerId}</span>
      <span className="wide">
        {row.riskLevel !== null && (
          <Pill tone={row.riskLevel === 'HIGH' ? 'bad' : 'plain'}>{word('risk', row.riskLevel)}</Pill>
        )}{' '}
        {row.legalHold === true && <Pill tone="warn">{t.hold}</Pill>}
      </span>
      <span className="quiet wide">{row.identifiedAt !== undefined && relative(row.identifiedAt)}</span>
    </Link>
  );
}
