import type { ReactElement } from 'react';
import { useTyped } from '../../data/calls/typed.js';
import { useMay } from '../../data/me.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { Restored } from '../../parts/dialogs/kept.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { amount } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { readNumber } from '../../texts/numbers.js';
import { useEdit, type Content, type Edit, type Party } from './data.js';
import { Parties, type Row } from './parties.js';
import { coafTexts } from './texts.js';

const AMOUNTS = ['credit', 'debit', 'provision', 'proposal'] as const;
const TEXTS = ['from', 'to', ...AMOUNTS, 'details'] as const;

/** The form as somebody fills it in. */
interface Form {
  readonly texts: Readonly<Record<string, string>>;
  readonly codes: string;
  readonly parties: readonly Row[];
  /** The revision that it was made of. */
  readonly revision: number;
  readonly reason: string;
}

const rowOf = ({ position, name, role, account }: Party): Row => ({
  position,
  name: name ?? '',
  role,
  account: account ?? '',
  taxId: '',
});

const isAmount = (name: string): boolean => AMOUNTS.some((one) => one === name);

/** Returns what the communication says, as the form shows it. */
function shown(content: Content, name: (typeof TEXTS)[number]): string {
  const text = content[name] ?? '';
  return isAmount(name) && text !== '' ? amount(text) : text;
}

/** A number in the writing of the service; what is none goes as it is, for the service to refuse at its place. */
function plainNumber(text: string): string {
  return readNumber(text).decimal ?? text;
}

/** Shows what the communication says; a draft can be changed, with a reason. */
export function Editor({ content }: { content: Content }): ReactElement {
  const t = useTexts(coafTexts);
  const c = useTexts(common);
  const may = useMay();
  const edit = useEdit(content.id);
  const writes = content.status === 'DRAFT' && may('reviews:decide') === 'YES';
  const before = content.codes.map(({ code }) => String(code)).join(', ');
  const typed = useTyped<Form>(`communication ${content.id}`, {
    revision: content.revision,
    texts: Object.fromEntries(TEXTS.map((name) => [name, shown(content, name)])),
    codes: before,
    parties: content.parties.map(rowOf),
    reason: '',
  });
  const { texts, codes, parties, revision, reason } = typed.value;
  const set = (part: Partial<Form>): void => {
    typed.set({ ...typed.value, ...part });
  };

  const changed: Omit<Edit, 'revision' | 'reason'> = {
    ...Object.fromEntries(
      TEXTS.filter((name) => texts[name] !== shown(content, name) && texts[name] !== '').map((name) => [
        name,
        isAmount(name) ? plainNumber(texts[name] ?? '') : texts[name],
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
      { ...changed, revision, reason: reason.trim() },
      {
        onSuccess: () => {
          typed.sent();
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
            set({ texts: { ...texts, [name]: event.target.value } });
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
      <Restored typed={typed} />
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
              set({ codes: event.target.value });
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
              set({ texts: { ...texts, details: event.target.value } });
            }}
          />
        )}
      </Field>
      <h3>
        {t.parties} {drafted('parties')}
      </h3>
      <Parties
        rows={parties}
        shown={content.parties}
        writes={writes}
        onChange={(rows) => {
          set({ parties: rows });
        }}
      />
      {writes && (
        <>
          <Field label={t.why} hint={c.atLeast(20, reason.trim().length)}>
            {(given) => (
              <textarea
                {...given}
                value={reason}
                onChange={(event) => {
                  set({ reason: event.target.value });
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
