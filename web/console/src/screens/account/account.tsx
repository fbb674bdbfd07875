import { useState, type ReactElement } from 'react';
import { passkeysWork } from '../../api/passkeys.js';
import { useMe, type Me } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog, type Filled, type FormField } from '../../parts/dialogs/form-dialog.js';
import { Qr } from '../../parts/qr.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { dateTime, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  useAddPasskey,
  useAppSeed,
  useChangePassword,
  useConfirmApp,
  useEndSession,
  useNewCodes,
  usePasskeys,
  useRemovePasskey,
  useSessions,
  useStepUp,
  type Proof,
} from './data.js';
import { accountTexts } from './texts.js';

/** The own account: second factor, passkeys, password, and where one is signed in. */
export function AccountScreen(): ReactElement {
  const t = useTexts(accountTexts);
  useTitle(t.title);
  const me = useMe();
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      <Asked query={me}>
        {(data) => (
          <div className="columns">
            <Who me={data} />
            <Second me={data} />
            <Sessions />
          </div>
        )}
      </Asked>
    </div>
  );
}

function Who({ me }: { me: Me }): ReactElement {
  const t = useTexts(accountTexts);
  const complain = useComplain();
  const change = useChangePassword();
  const stepUp = useStepUp();
  const proof = useProof(me);
  const [asking, ask] = useState<'PASSWORD' | 'CODE' | null>(null);
  const close = (): void => {
    ask(null);
  };
  return (
    <section className="card stack">
      <h2>{t.who}</h2>
      <Facts
        items={[
          [t.name, me.name],
          [t.email, me.email ?? '—'],
          [
            t.organisation,
            <span key="org">
              {me.organisation.name}{' '}
              <span className="quiet">
                {t.key} <code>{me.organisation.key}</code>
              </span>
            </span>,
          ],
          [t.roles, me.roles.map((role) => word('role', role)).join(', ')],
        ]}
      />
      {me.strong ? (
        <p>
          <Pill tone="good">{t.strong}</Pill>
        </p>
      ) : (
        <div className="notice warn">
          <p>{t.weak}</p>
          <div className="row">
            {me.totpEnrolled && (
              <Button
                onClick={() => {
                  ask('CODE');
                }}
              >
                {t.stepUp}
              </Button>
            )}
            {me.passkeys > 0 && passkeysWork() && (
              <Button
                onClick={() => {
                  stepUp.mutate(null, { onError: complain });
                }}
              >
                {t.stepUpPasskey}
              </Button>
            )}
          </div>
        </div>
      )}
      <div>
        <Button
          onClick={() => {
            ask('PASSWORD');
          }}
        >
          {t.passwordChange}
        </Button>
      </div>
      {asking === 'PASSWORD' && (
        <FormDialog
          title={t.passwordChange}
          action={t.passwordChange}
          fields={[...proof.fields, { name: 'new', label: t.passwordNew, kind: 'password', minimum: 12 }]}
          onSend={(filled) =>
            change.mutateAsync({ ...proof.of(filled), newPassword: filled.text('new') }).then(() => {
              say(t.passwordChanged);
            })
          }
          onClose={close}
        />
      )}
      {asking === 'CODE' && (
        <FormDialog
          title={t.stepUp}
          action={t.confirm}
          fields={[{ name: 'code', label: t.code, kind: 'text', minimum: 6 }]}
          onSend={(filled) => stepUp.mutateAsync(filled.text('code').replace(/\s/g, ''))}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Proof that is asked for again before something about the account changes. */
function useProof(me: Me): { readonly fields: readonly FormField[]; readonly of: (filled: Filled) => Proof } {
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

function Second({ me }: { me: Me }): ReactElement {
  const t = useTexts(accountTexts);
  const passkeys = usePasskeys();
  const proof = useProof(me);
  const seed = useAppSeed();
  const confirm = useConfirmApp();
  const newCodes = useNewCodes();
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const [asking, ask] = useState<'APP' | 'SCAN' | 'CODES' | 'PASSKEY' | { readonly id: string } | null>(null);
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

function Sessions(): ReactElement {
  const t = useTexts(accountTexts);
  const complain = useComplain();
  const sessions = useSessions();
  const end = useEndSession();
  return (
    <section className="card stack scroll">
      <h2>{t.sessions}</h2>
      <Asked query={sessions}>
        {(all) => (
          <table>
            <thead>
              <tr>
                <th scope="col">{t.device}</th>
                <th scope="col">{t.last}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {all.map((one) => (
                <tr key={one.id}>
                  <td>
                    {one.userAgent ?? '—'}
                    <span className="quiet small"> {one.ip}</span>{' '}
                    {one.current && <Pill tone="info">{t.current}</Pill>}{' '}
                    {!one.strong && <Pill tone="warn">{t.noSecond}</Pill>}
                  </td>
                  <td className="quiet" title={dateTime(one.lastUsedAt)}>
                    {relative(one.lastUsedAt)}
                  </td>
                  <td>
                    {!one.current && (
                      <Button
                        onClick={() => {
                          end.mutate(one.id, {
                            onSuccess: () => {
                              say(t.ended);
                            },
                            onError: complain,
                          });
                        }}
                      >
                        {t.end}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Asked>
    </section>
  );
}
