import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useAddPeople, useAddTransactions, useSplit, useTakeOut } from '../../data/case-parts.js';
import { isWorkedOn, type CaseFile } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { useSearchFor } from '../../data/search.js';
import { useTransactions } from '../../data/transactions.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field } from '../../parts/controls.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { apart } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { belongsTexts } from './belongs-texts.js';
import { paymentName } from './payment-name.js';

type Asking = 'TRANSACTIONS' | 'PEOPLE' | 'SPLIT' | TakenOut;
interface TakenOut {
  readonly what: 'transaction' | 'customer';
  readonly which: string;
}

/** People and transactions that somebody adds to a case or takes out again, and a part that becomes a case of its own. */
export function Belongs({ file }: { file: CaseFile }): ReactElement {
  const t = useTexts(belongsTexts);
  const may = useMay();
  const [asking, ask] = useState<Asking | null>(null);
  const works = may('reviews:work') === 'YES' && isWorkedOn(file);
  const related = file.transactions.filter((one) => one.related);
  const splits = file.transactions.length - related.length + file.hits.length > 1;
  const close = (): void => {
    ask(null);
  };
  const takeOut = (what: TakenOut['what'], which: string): ReactElement | null =>
    works ? (
      <Button
        look="bare"
        onClick={() => {
          ask({ what, which });
        }}
      >
        {t.takeOut}
      </Button>
    ) : null;
  return (
    <div className="block">
      <h3>{t.title}</h3>
      {file.people.length + related.length > 0 && (
        <ul className="plain">
          {file.people.map(({ customerId, name }) => (
            <li key={customerId} className="row">
              <Link to="/customers/$id" params={{ id: customerId }}>
                {name ?? customerId}
              </Link>
              {takeOut('customer', customerId)}
            </li>
          ))}
          {related.map((one) => (
            <li key={one.id} className="row">
              <Link to="/transactions/$id" params={{ id: one.id }}>
                {paymentName(one)}
              </Link>
              {takeOut('transaction', one.id)}
            </li>
          ))}
        </ul>
      )}
      {works && (
        <div className="row">
          <Button
            onClick={() => {
              ask('TRANSACTIONS');
            }}
          >
            {t.addTransactions}
          </Button>
          <Button
            onClick={() => {
              ask('PEOPLE');
            }}
          >
            {t.addPeople}
          </Button>
          {splits && (
            <Button
              onClick={() => {
                ask('SPLIT');
              }}
            >
              {t.split}
            </Button>
          )}
        </div>
      )}
      {asking === 'TRANSACTIONS' && <AddTransactions file={file} onClose={close} />}
      {asking === 'PEOPLE' && <AddPeople file={file} onClose={close} />}
      {asking === 'SPLIT' && <Split file={file} onClose={close} />}
      {asking !== null && typeof asking === 'object' && (
        <TakeOut file={file} which={asking} onClose={close} />
      )}
    </div>
  );
}

interface PartProps {
  readonly file: CaseFile;
  readonly onClose: () => void;
}

/** Boxes to mark, where there is anything to choose from. */
const choices = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, name: string])[],
): readonly FormField[] =>
  options.length === 0 ? [] : [{ name, label, kind: 'choices', optional: true, options }];

function AddTransactions({ file, onClose }: PartProps): ReactElement {
  const t = useTexts(belongsTexts);
  const c = useTexts(common);
  const add = useAddTransactions(file.id);
  const { items } = useTransactions({ customerId: file.customerId ?? '' }, file.customerId !== null);
  const inside = new Set(file.transactions.map(({ id }) => id));
  const others = (items ?? []).filter(({ id }) => !inside.has(id)).slice(0, 50);
  return (
    <FormDialog
      title={t.addTransactions}
      action={t.add}
      wide
      fields={[
        ...choices(
          'chosen',
          t.ofTheCustomer,
          others.map((one) => [one.id, paymentName(one)]),
        ),
        { name: 'ids', label: t.otherIds, hint: t.otherIdsHint, kind: 'code', optional: true },
        { name: 'reason', label: c.why, kind: 'long', minimum: 20 },
      ]}
      onSend={async (filled) => {
        const typed = filled.lines('ids').filter((line) => line !== '');
        await add.mutateAsync({
          transactions: [...new Set([...filled.many('chosen'), ...typed])],
          reason: filled.text('reason'),
        });
        say(t.added);
      }}
      onClose={onClose}
    />
  );
}

function AddPeople({ file, onClose }: PartProps): ReactElement {
  const t = useTexts(belongsTexts);
  const c = useTexts(common);
  const add = useAddPeople(file.id);
  const [text, setText] = useState('');
  const [chosen, choose] = useState<ReadonlyMap<string, string>>(new Map());
  const search = useSearchFor(text);
  const inside = new Set([file.customerId, ...file.people.map(({ customerId }) => customerId)]);
  const found = (search.found?.customers ?? [])
    .filter(({ id }) => !inside.has(id))
    .map(
      ({ id, name, documentMasked }) =>
        [id, [name && apart(name), documentMasked].filter(Boolean).join(', ') || id] as const,
    );
  const shown = new Map([...chosen, ...found]);
  return (
    <WritingDialog
      title={t.addPeople}
      label={c.why}
      minimum={20}
      action={t.add}
      onSend={async (reason) => {
        await add.mutateAsync({ customers: [...chosen.keys()], reason });
        say(t.added);
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.addPeopleHint}</p>
      <Field label={t.find} hint={t.findHint}>
        {(given) => (
          <input
            {...given}
            autoComplete="off"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
          />
        )}
      </Field>
      {search.error && <Failure error={search.error} />}
      <fieldset className="checks">
        <legend>{t.people}</legend>
        {[...shown].map(([id, name]) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={() => {
                const next = new Map(chosen);
                if (!next.delete(id)) next.set(id, name);
                choose(next);
              }}
            />{' '}
            {name}
          </label>
        ))}
        {shown.size === 0 && <p className="quiet">{text.length < 3 || search.busy ? '—' : t.nobody}</p>}
      </fieldset>
    </WritingDialog>
  );
}

function Split({ file, onClose }: PartProps): ReactElement {
  const t = useTexts(belongsTexts);
  const c = useTexts(common);
  const split = useSplit(file.id);
  const navigate = useNavigate();
  const transactions = file.transactions.filter((one) => !one.related);
  return (
    <FormDialog
      title={t.split}
      action={t.split}
      wide
      fields={[
        ...choices(
          'transactions',
          t.transactions,
          transactions.map((one) => [one.id, paymentName(one)]),
        ),
        ...choices(
          'hits',
          t.hits,
          file.hits.map(({ hit, entry }) => [
            hit.id,
            `${apart(entry?.names[0] ?? hit.found ?? hit.entryKey)}, ${apart(hit.list)}`,
          ]),
        ),
        { name: 'reason', label: c.why, kind: 'long', minimum: 20 },
      ]}
      onSend={async (filled) => {
        const { id } = await split.mutateAsync({
          transactions: [...filled.many('transactions')],
          hits: [...filled.many('hits')],
          reason: filled.text('reason'),
        });
        say(t.apart);
        await navigate({ to: '/cases/$id', params: { id } });
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.splitHint}</p>
    </FormDialog>
  );
}

function TakeOut({ file, which, onClose }: PartProps & { readonly which: TakenOut }): ReactElement {
  const t = useTexts(belongsTexts);
  const c = useTexts(common);
  const takeOut = useTakeOut(file.id);
  return (
    <WritingDialog
      title={t.takeOut}
      about={which.which}
      label={c.why}
      minimum={20}
      action={t.takeOut}
      onSend={async (reason) => {
        await takeOut.mutateAsync({ ...which, reason });
        say(t.out);
      }}
      onClose={onClose}
    />
  );
}
