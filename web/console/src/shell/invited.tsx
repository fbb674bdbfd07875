import { useState, type ReactElement } from 'react';
import { acceptInvitation, setUp } from '../api/access.js';
import { Failure } from '../parts/answers.js';
import { Button, Field } from '../parts/controls.js';
import { router } from '../router.js';
import { useTexts } from '../texts/language.js';
import { signInTexts } from './sign-in.texts.js';

/**
 * The code of an invitation becomes an account, or that of the set-up the first account of a new service; the code is
 * typed, so that it stands in no address.
 */
export function Invited({ first, onDone }: { first: boolean; onDone: (news: string) => void }): ReactElement {
  const t = useTexts(signInTexts);
  const [values, setValues] = useState({ token: '', name: '', email: '', password: '' });
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    const { password } = values;
    const [token, name, email] = [values.token.trim(), values.name.trim(), values.email.trim()];
    if (!first) {
      await acceptInvitation(token, password);
      onDone(t.accepted);
      return;
    }
    // The account is shown at once: it has no second factor yet.
    await router.navigate({ to: '/account', search: { enrol: true } });
    await setUp({ token, name, email, password });
  };
  const send = (): void => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    make().catch((error: unknown) => {
      setFailure(error);
      setBusy(false);
    });
  };
  const input = (name: keyof typeof values) => ({
    required: true,
    value: values[name],
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
    },
  });
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="logo">Vigia</p>
      <h1>{first ? t.setUpTitle : t.inviteTitle}</h1>
      {failure !== null && <Failure error={failure} />}
      <Field label={first ? t.setUpToken : t.token} hint={first ? t.setUpTokenHint : t.tokenHint}>
        {(given) => (
          <input
            {...given}
            {...input('token')}
            className="code"
            autoFocus
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      {first && (
        <>
          <Field label={t.name}>
            {(given) => <input {...given} {...input('name')} autoComplete="name" maxLength={120} />}
          </Field>
          <Field label={t.email}>
            {(given) => <input {...given} {...input('email')} type="email" autoComplete="username" />}
          </Field>
        </>
      )}
      <Field label={t.newPassword} hint={t.newPasswordHint}>
        {(given) => (
          <input
            {...given}
            {...input('password')}
            type="password"
            minLength={12}
            maxLength={128}
            autoComplete="new-password"
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
