import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Button, Facts, Field, Pill, type Tone } from '../../parts/controls.js';
import { CustomerName } from '../../parts/customer-name.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { Tabs } from '../../parts/lists/tabs.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { today } from '../../texts/days.js';
import { cnpj, date, money, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  useCommunications,
  useInstitution,
  useSetInstitution,
  useYear,
  type Institution,
  type Status,
} from './data.js';
import { coafTexts } from './texts.js';

const VIEWS = ['OPEN', 'OVERDUE', 'RECORDED', 'FILED', 'ALL'] as const;
type View = (typeof VIEWS)[number];

const FILTERS: Readonly<Record<View, { status?: Status; overdue?: boolean }>> = {
  OPEN: { status: 'DRAFT' },
  OVERDUE: { overdue: true },
  RECORDED: { status: 'RECORDED' },
  FILED: { status: 'FILED' },
  ALL: {},
};

/** Lists what is to be communicated to COAF and what was, and counts the year. */
export function CoafScreen(): ReactElement {
  const t = useTexts(coafTexts);
  useTitle(t.title);
  const [view, show] = useState<View>('OPEN');
  const communications = useCommunications(FILTERS[view]);
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      <p className="quiet">{t.never}</p>
      <section className="card stack">
        <Tabs label={t.list} values={VIEWS} value={view} names={t.views} onChange={show} />
        <Table
          caption={t.list}
          pages={communications}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.kind,
              ({ id, kind }) => (
                <Link to="/coaf/$id" params={{ id }}>
                  {word('communicationKind', kind)}
                </Link>
              ),
            ],
            [t.whose, ({ customerId }) => <CustomerName id={customerId} />],
            [t.state, ({ status }) => <StatusPill status={status} />],
            [t.amount, ({ amountBrl }) => (amountBrl === null ? '—' : money(amountBrl, 'BRL')), 'number'],
            [t.decided, ({ decidedAt }) => relative(decidedAt), 'quiet'],
            [
              t.due,
              ({ dueAt, overdue, status }) =>
                status === 'DRAFT' || status === 'RECORDED' ? (
                  <Pill tone={overdue ? 'bad' : 'warn'}>{overdue ? t.overdue : relative(dueAt)}</Pill>
                ) : (
                  date(dueAt)
                ),
            ],
          ]}
        />
      </section>
      <div className="columns">
        <Year />
        <Who />
      </div>
    </div>
  );
}

const TONES: Readonly<Record<Status, Tone>> = {
  DRAFT: 'warn',
  RECORDED: 'info',
  FILED: 'good',
  DISMISSED: 'plain',
};

export const StatusPill = ({ status }: { status: Status }): ReactElement => (
  <Pill tone={TONES[status]}>{word('communicationStatus', status)}</Pill>
);

function Year(): ReactElement {
  const t = useTexts(coafTexts);
  const now = Number(today().slice(0, 4));
  const [year, setYear] = useState(now);
  const figures = useYear(year);
  return (
    <section className="card stack">
      <Field label={t.year}>
        {(given) => (
          <select
            {...given}
            value={year}
            onChange={(event) => {
              setYear(Number(event.target.value));
            }}
          >
            {[now, now - 1, now - 2, now - 3, now - 4].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      <Asked query={figures} lines={3}>
        {({ counts, noOccurrence, statementDueAt }) => (
          <>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t.kind}</th>
                  <th scope="col" className="number">
                    {t.yearDrafted}
                  </th>
                  <th scope="col" className="number">
                    {t.yearFiled}
                  </th>
                </tr>
              </thead>
              <tbody>
                {counts.map(({ kind, drafted, filed }) => (
                  <tr key={kind}>
                    <td>{word('communicationKind', kind)}</td>
                    <td className="number">{number(drafted)}</td>
                    <td className="number">{number(filed)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className={noOccurrence ? 'notice warn' : 'quiet'}>
              {noOccurrence ? t.noOccurrence(date(statementDueAt)) : t.occurrence}
            </p>
          </>
        )}
      </Asked>
    </section>
  );
}

function Who(): ReactElement {
  const t = useTexts(coafTexts);
  const may = useMay();
  const institution = useInstitution();
  const [asking, ask] = useState(false);
  return (
    <section className="card stack">
      <h2>{t.institution}</h2>
      <Asked query={institution} lines={4}>
        {(data) => (
          <>
            {data.taxId === null ? (
              <p className="notice warn">{t.institutionNone}</p>
            ) : (
              <Facts
                items={MEMBERS.map(([name, label]) => [
                  t[label],
                  name === 'taxId' ? cnpj(data.taxId ?? '') : (data[name] ?? '—'),
                ])}
              />
            )}
            {may('settings:manage') === 'YES' && (
              <div>
                <Button
                  onClick={() => {
                    ask(true);
                  }}
                >
                  {t.change}
                </Button>
              </div>
            )}
            {asking && (
              <InstitutionDialog
                institution={data}
                onClose={() => {
                  ask(false);
                }}
              />
            )}
          </>
        )}
      </Asked>
    </section>
  );
}

const MEMBERS = [
  ['taxId', 'taxId'],
  ['name', 'name'],
  ['branchNumber', 'branchNumber'],
  ['branchName', 'branchName'],
  ['city', 'city'],
  ['state', 'stateOf'],
] as const;

function InstitutionDialog({
  institution,
  onClose,
}: {
  institution: Institution;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(coafTexts);
  const c = useTexts(common);
  const set = useSetInstitution();
  const fields = MEMBERS.map(([name, label]): FormField => ({
    name,
    label: t[label],
    kind: 'text',
    initial: institution[name] ?? '',
    ...(name !== 'taxId' && name !== 'name' && { optional: true }),
  }));
  return (
    <FormDialog
      title={t.institution}
      action={t.change}
      fields={fields}
      onSend={async (filled) => {
        await set.mutateAsync({
          taxId: filled.text('taxId'),
          name: filled.text('name'),
          ...filled.given('branchNumber'),
          ...filled.given('branchName'),
          ...filled.given('city'),
          ...filled.given('state'),
        });
        say(c.saved);
      }}
      onClose={onClose}
    />
  );
}
