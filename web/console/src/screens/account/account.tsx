import { useState, type ReactElement } from 'react';
import { passkeysWork } from '../../api/passkeys.js';
import { useMe, type Me } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { dateTime, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useChangePassword, useEndSession, useSessions, useStepUp } from './data.js';
import { deviceOf } from './device.js';
import { accountTexts } from './texts.js';
import { useProof, Second } from './second.js';

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
          about={null}
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
          about={null}
          action={t.confirm}
          fields={[{ name: 'code', label: t.code, kind: 'text', minimum: 6 }]}
          onSend={(filled) => stepUp.mutateAsync(filled.text('code').replace(/\s/g, ''))}
          onClose={close}
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
                    <span title={one.userAgent ?? ''}>
                      {one.userAgent === null ? '—' : deviceOf(one.userAgent)}
                    </span>
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
