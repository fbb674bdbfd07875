import { useState, type ReactElement } from 'react';
import { acceptInvitation } from '../api/access.js';
import { Failure } from '../parts/answers.js';
import { Button, Field } from '../parts/controls.js';
import { useTexts } from '../texts/language.js';
import { signInTexts } from './sign-in.texts.js';

/** The code of an invitation becomes an account; the code is typed, so that it stands in no address. */
export function Invited({ onDone }: { onDone: (news: string) => void }): ReactElement {
  const t = useTexts(signInTexts);
  const [token, setToken] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const send = (): void => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    acceptInvitation(token.trim(), password).then(
      () => {
        onDone(t.accepted);
      },
      (error: unknown) => {
        setFailure(error);
        setBusy(false);
      },
    );
  };
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="logo">Vigia</p>
      <h1>{t.inviteTitle}</h1>
      {failure !== null && <Failure error={failure} />}
      <Field label={t.token} hint={t.tokenHint}>
        {(given) => (
          <input
            {...given}
            className="code"
            autoFocus
            required
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => {
              setToken(event.target.value);
            }}
          />
        )}
      </Field>
      <Field label={t.newPassword} hint={t.newPasswordHint}>
        {(given) => (
          <input
            {...given}
            type="password"
            required
            minLength={12}
            maxLength={128}
            autoComplete="new-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
            }}
          />
        )}
      </Field>
      <Button look="main" type="submit" disabled={busy}>
        {t.accept}
      </Button>
      <Button
        look="bare"
        onClick={() => {
          onDone('');
        }}
      >
        {t.back}
      </Button>
    </form>
  );
}
