import { useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { passkeysWork } from '../../api/passkeys.js';
import type { Me } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Button, Pill } from '../../parts/controls.js';
import type { Filled } from '../../parts/dialogs/filled.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { Qr } from '../../parts/qr.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { say } from '../../parts/toasts.js';
import { relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import {
  useAddPasskey,
  useAppSeed,
  useConfirmApp,
  useNewCodes,
  usePasskeys,
  useRemovePasskey,
  type Proof,
} from './data.js';
import { accountTexts } from './texts.js';

/** Proof that is asked for again before something about the account changes. */
export function useProof(me: Me): {
  readonly fields: readonly FormField[];
  readonly of: (filled: Filled) => Proof;
} {
  const t = useTexts(accountTexts);
  return {
    fields: [
      { name: 'password', label: t.passwordNow, kind: 'password' },
      ...(me.totpEnrolled
        ? [{ name: 'totp', label: t.codeOptional, kind: 'text', minimum: 6 } as const]
        : []),
    ],
    of: (filled) => ({ ...filled.given('password'), ...filled.given('totp') }),
  };
}

export function Second({ me }: { me: Me }): ReactElement {
  const t = useTexts(accountTexts);
  const passkeys = usePasskeys();
  const proof = useProof(me);
  const seed = useAppSeed();
  const confirm = useConfirmApp();
  const newCodes = useNewCodes();
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const search: { readonly enrol?: unknown } = useSearch({ strict: false });
  const [asking, ask] = useState<'APP' | 'SCAN' | 'CODES' | 'PASSKEY' | { readonly id: string } | null>(
    search.enrol === true && !me.totpEnrolled ? 'APP' : null,
  );
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = (): void => {
    ask(null);
  };
  return (
    <section className="card stack">
      <h2>{t.second}</h2>
      <div className="row">
        <strong>{t.app}</strong>
        <Pill tone={me.totpEnrolled ? 'good' : 'warn'}>{me.totpEnrolled ? t.appOn : t.appOff}</Pill>
        <Button
          onClick={() => {
            ask('APP');
          }}
        >
          {me.totpEnrolled ? t.appChange : t.appSet}
        </Button>
        {me.totpEnrolled && (
          <Button
            onClick={() => {
              ask('CODES');
            }}
          >
            {t.codesNew}
          </Button>
        )}
      </div>
      <h3>{t.passkeys}</h3>
      <Asked query={passkeys} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <p className="quiet">{t.passkeysNone}</p>
          ) : (
            <ul className="plain">
              {all.map(({ id, name, lastUsedAt }) => (
                <li key={id} className="row">
                  <strong>{name}</strong>
                  <span className="quiet small">
                    {lastUsedAt === null ? t.never : t.usedLast(relative(lastUsedAt))}
                  </span>
                  <Button
                    look="danger"
                    onClick={() => {
                      ask({ id });
                    }}
                  >
                    {t.remove}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
      {passkeysWork() ? (
        <div>
          <Button
            onClick={() => {
              ask('PASSKEY');
            }}
          >
            {t.passkeyAdd}
          </Button>
        </div>
      ) : (
        <p className="quiet small">{t.passkeysNot}</p>
      )}
      {asking === 'APP' && (
        <FormDialog
          title={t.appSet}
          about={null}
          action={t.confirm}
          fields={proof.fields}
          onSend={async (filled) => {
            await seed.mutateAsync(proof.of(filled));
            // After this dialog has closed.
            setTimeout(() => {
              ask('SCAN');
            });
          }}
          onClose={close}
        />
      )}
      {asking === 'SCAN' && seed.data && (
        <FormDialog
          title={t.appSet}
          about={null}
          action={t.confirm}
          fields={[{ name: 'code', label: t.code, kind: 'text', minimum: 6 }]}
          onSend={async (filled) => {
            setCodes(await confirm.mutateAsync(filled.text('code').replace(/\s/g, '')));
          }}
          onClose={close}
        >
          <p>{t.appScan}</p>
          <Qr text={seed.data.uri} label={t.appQr} />
          <p className="small">
            {t.appSecret}: <code>{seed.data.secret}</code>
          </p>
        </FormDialog>
      )}
      {asking === 'CODES' && (
        <FormDialog
          title={t.codesNew}
          about={null}
          action={t.confirm}
          fields={proof.fields}
          onSend={async (filled) => {
            setCodes(await newCodes.mutateAsync(proof.of(filled)));
          }}
          onClose={close}
        />
      )}
      {asking === 'PASSKEY' && (
        <FormDialog
          title={t.passkeyAdd}
          about={null}
          action={t.passkeyAdd}
          fields={[{ name: 'name', label: t.passkeyName, kind: 'text' }, ...proof.fields]}
          onSend={async (filled) => {
            setCodes(await add.mutateAsync({ name: filled.text('name'), proof: proof.of(filled) }));
            say(t.passkeyAdded);
          }}
          onClose={close}
        />
      )}
      {asking !== null && typeof asking === 'object' && (
        <FormDialog
          title={t.remove}
          about={null}
          action={t.remove}
          danger
          fields={proof.fields}
          onSend={async (filled) => {
            await remove.mutateAsync({ id: asking.id, proof: proof.of(filled) });
            say(t.removed);
          }}
          onClose={close}
        />
      )}
      {codes && (
        <SecretDialog
          title={t.codes}
          hint={t.codesHint}
          secrets={codes.map((code, at) => [String(at + 1), code])}
          onClose={() => {
            setCodes(null);
          }}
        />
      )}
    </section>
  );
}
