import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useEdit, type Content, type Edit, type Party } from './data.js';
import { coafTexts } from './texts.js';

const AMOUNTS = ['credit', 'debit', 'provision', 'proposal'] as const;
const TEXTS = ['from', 'to', ...AMOUNTS, 'details'] as const;
const ROLES = [
  'HOLDER',
  'RESPONSIBLE',
  'DEPOSITOR',
  'PARTNER',
  'DIRECTOR',
  'DRAWER',
  'ATTORNEY',
  'OTHER',
  'BENEFICIARY',
  'SENDER',
] as const;

/** Somebody of the communication as they stand in the form; without a position they are new. */
interface Row {
  readonly position: number | null;
  readonly name: string;
  readonly role: Party['role'];
  readonly account: string;
  readonly taxId: string;
}

const rowOf = ({ position, name, role, account }: Party): Row => ({
  position,
  name: name ?? '',
  role,
  account: account ?? '',
  taxId: '',
});

/** Shows what the communication says; a draft can be changed, with a reason. */
export function Editor({ content }: { content: Content }): ReactElement {
  const t = useTexts(coafTexts);
  const c = useTexts(common);
  const may = useMay();
  const edit = useEdit(content.id);
  const writes = content.status === 'DRAFT' && may('reviews:decide') === 'YES';
  const before = content.codes.map(({ code }) => String(code)).join(', ');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(TEXTS.map((name) => [name, content[name] ?? ''])),
  );
  const [codes, setCodes] = useState(before);
  const [parties, setParties] = useState<readonly Row[]>(() => content.parties.map(rowOf));
  const [reason, setReason] = useState('');

  const changed: Omit<Edit, 'revision' | 'reason'> = {
    ...Object.fromEntries(
      TEXTS.filter((name) => texts[name] !== (content[name] ?? '') && texts[name] !== '').map((name) => [
        name,
        AMOUNTS.some((one) => one === name) ? (texts[name] ?? '').replace(',', '.') : texts[name],
      ]),
    ),
    ...(codes !== before && { codes: [...new Set(codes.match(/\d+/g)?.map(Number))] }),
    ...(JSON.stringify(parties) !== JSON.stringify(content.parties.map(rowOf)) && {
      parties: parties.map(({ position, name, role, account, taxId }) => ({
        role,
        ...(position !== null && { position }),
        ...(name !== '' && { name }),
        ...(account !== '' && { account }),
        ...(taxId !== '' && { taxId }),
      })),
    }),
  };
  const dirty = Object.keys(changed).length > 0;
  const send = (): void => {
    if (!writes || !dirty || reason.trim().length < 20 || edit.isPending) return;
    edit.mutate(
      { ...changed, revision: content.revision, reason: reason.trim() },
      {
        onSuccess: () => {
          say(t.editDone);
        },
      },
    );
  };
  useShortcuts(writes ? [{ keys: 'Ctrl Enter', label: t.save, footer: true, run: send }] : []);

  const drafted = (name: Content['drafted'][number]): ReactElement | null =>
    content.drafted.includes(name) ? <Pill>{t.drafted}</Pill> : null;
  const input = (name: (typeof TEXTS)[number], type = 'text'): ReactElement => (
    <Field label={t[name]} hint={drafted(name)}>
      {(given) => (
        <input
          {...given}
          type={type}
          readOnly={!writes}
          autoComplete="off"
          {...(type === 'text' && { inputMode: 'decimal' as const })}
          value={texts[name] ?? ''}
          onChange={(event) => {
            setTexts({ ...texts, [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <h2>{t.says}</h2>
      {writes && <p className="quiet small">{t.editHint}</p>}
      <div className="fields">
        {input('from', 'date')}
        {input('to', 'date')}
        {AMOUNTS.map((name) => (
          <div key={name}>{input(name)}</div>
        ))}
      </div>
      <Field label={t.codes} hint={writes ? t.codesHint : drafted('codes')}>
        {(given) => (
          <input
            {...given}
            className="code"
            readOnly={!writes}
            value={codes}
            onChange={(event) => {
              setCodes(event.target.value);
            }}
          />
        )}
      </Field>
      <ul className="plain small">
        {content.codes.map(({ code, text }) => (
          <li key={code}>
            <code>{code}</code> {text ?? <Pill tone="warn">{t.codeUnknown}</Pill>}
          </li>
        ))}
      </ul>
      <Field label={t.details} hint={drafted('details')}>
        {(given) => (
          <textarea
            {...given}
            className="tall"
            readOnly={!writes}
            value={texts['details'] ?? ''}
            onChange={(event) => {
              setTexts({ ...texts, details: event.target.value });
            }}
          />
        )}
      </Field>
      <h3>
        {t.parties} {drafted('parties')}
      </h3>
      <Parties rows={parties} shown={content.parties} writes={writes} onChange={setParties} />
      {writes && (
        <>
          <Field label={t.why} hint={c.atLeast(20, reason.trim().length)}>
            {(given) => (
              <textarea
                {...given}
                value={reason}
                onChange={(event) => {
                  setReason(event.target.value);
                }}
              />
            )}
          </Field>
          {edit.error && <Failure error={edit.error} />}
          <div className="row">
            <Button
              look="main"
              type="submit"
              keys="Ctrl Enter"
              disabled={!dirty || reason.trim().length < 20 || edit.isPending}
            >
              {t.save}
            </Button>
            {!dirty && <span className="quiet small">{t.nothingChanged}</span>}
          </div>
        </>
      )}
    </form>
  );
}

/** The people of the communication; documents are masked, and one that is typed in replaces what is there. */
function Parties({
  rows,
  shown,
  writes,
  onChange,
}: {
  rows: readonly Row[];
  shown: readonly Party[];
  writes: boolean;
  onChange: (rows: readonly Row[]) => void;
}): ReactElement {
  const t = useTexts(coafTexts);
  const set = (at: number, part: Partial<Row>): void => {
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  };
  const cell = (at: number, row: Row, name: 'name' | 'account' | 'taxId', label: string): ReactElement => (
    <input
      className="input"
      aria-label={`${label} ${at + 1}`}
      readOnly={!writes}
      autoComplete="off"
      value={row[name]}
      {...(name === 'taxId' && {
        placeholder: shown.find(({ position }) => position === row.position)?.documentMasked ?? '',
      })}
      onChange={(event) => {
        set(at, { [name]: event.target.value });
      }}
    />
  );
  return (
    <>
      <div className="scroll" role="region" aria-label={t.parties} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.role}</th>
              <th scope="col">{t.document}</th>
              <th scope="col">{t.account}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <td>{cell(at, row, 'name', t.name)}</td>
                <td>
                  <select
                    className="input"
                    aria-label={`${t.role} ${at + 1}`}
                    disabled={!writes}
                    value={row.role}
                    onChange={(event) => {
                      set(at, { role: event.target.value as Party['role'] });
                    }}
                  >
                    {ROLES.map((role) => (
                      <option key={role} value={role}>
                        {word('partyRole', role)}
                      </option>
                    ))}
                  </select>
                </td>
                <td>{cell(at, row, 'taxId', t.document)}</td>
                <td>{cell(at, row, 'account', t.account)}</td>
                <td>
                  {writes && rows.length > 1 && (
                    <Button
                      look="bare"
                      aria-label={`${t.removeParty} ${at + 1}`}
                      onClick={() => {
                        onChange(rows.filter((_, index) => index !== at));
                      }}
                    >
                      {t.removeParty}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {writes && (
        <div className="row">
          <Button
            onClick={() => {
              onChange([...rows, { position: null, name: '', role: 'OTHER', account: '', taxId: '' }]);
            }}
          >
            {t.addParty}
          </Button>
          <span className="quiet small">{t.documentKeep}</span>
        </div>
      )}
    </>
  );
}
