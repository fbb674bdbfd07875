import { useState, type ReactElement, type SyntheticEvent } from 'react';
import { signIn, signInBesidePassword, signInWithPasskey } from '../api/access.js';
import { passkeysWork } from '../api/passkeys.js';
import { asProblem, Problem, problemOf } from '../api/problem.js';
import { Failure } from '../parts/answers.js';
import { Button, Field } from '../parts/controls.js';
import { languages, setLanguage, useLanguage, useTexts } from '../texts/language.js';
import { Invited } from './invited.js';
import { providerRefusal } from './provider-refusal.js';
import { signInTexts } from './sign-in.texts.js';

type Step = 'PASSWORD' | 'TOTP' | 'RECOVERY' | 'INVITED' | 'SETUP';

/** Password first, then the second factor where the account has one; or a passkey alone. Nothing of it is kept. */
export function SignIn({ reason }: { reason: 'NEW' | 'LEFT' | 'ENDED' }): ReactElement {
  const t = useTexts(signInTexts);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [organisation, setOrganisation] = useState('');
  const [code, setCode] = useState('');
  const [step, setStep] = useState<Step>('PASSWORD');
  const [failure, setFailure] = useState<unknown>(reason === 'NEW' ? providerRefusal : null);
  const [news, setNews] = useState(t.reasons[reason]);
  const [busy, setBusy] = useState(false);
  const credentials = { email, password, ...(organisation !== '' && { organisation }) };

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    setNews('');
    try {
      await work();
    } catch (error) {
      if (asProblem(error).code === 'TOTP_REQUIRED') setStep('TOTP');
      else {
        setFailure(error);
        setCode('');
      }
    } finally {
      setBusy(false);
    }
  };
  const submit = (): Promise<void> =>
    attempt(() =>
      signIn({
        ...credentials,
        ...(step === 'TOTP' && { totp: code.replace(/\s/g, '') }),
        ...(step === 'RECOVERY' && { recoveryCode: code.trim() }),
      }),
    );
  /** Goes to the provider where there is one; a redirect is all that this page can see of it. */
  const withProvider = async (): Promise<void> => {
    const meant = organisation === '' ? '' : `&organisation=${encodeURIComponent(organisation)}`;
    const path = `/operator/auth/oidc/login?cookie=true${meant}`;
    setFailure(null);
    try {
      const answer = await fetch(path, { redirect: 'manual', cache: 'no-store' });
      if (answer.type === 'opaqueredirect') location.assign(path);
      else setFailure(problemOf(answer, await answer.json()));
    } catch {
      setFailure(new Problem('OFFLINE', 0));
    }
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void submit();
  };
  const restart = (text: string): void => {
    setStep('PASSWORD');
    setPassword('');
    setCode('');
    setFailure(null);
    setNews(text);
  };

  return (
    <main className="sign-in">
      {step === 'INVITED' || step === 'SETUP' ? (
        <Invited first={step === 'SETUP'} onDone={restart} />
      ) : (
        <form className="card stack" onSubmit={onSubmit}>
          <p className="logo">Vigia</p>
          <h1>{t.title}</h1>
          {news !== '' && <p className="notice">{news}</p>}
          {failure !== null && <Failure error={failure} />}
          {step === 'PASSWORD' ? (
            <>
              <First
                email={email}
                onEmail={setEmail}
                password={password}
                onPassword={setPassword}
                organisation={organisation}
                onOrganisation={setOrganisation}
              />
              <Button look="main" type="submit" disabled={busy}>
                {t.go}
              </Button>
              {passkeysWork() && (
                <Button disabled={busy} onClick={() => void attempt(signInWithPasskey)}>
                  {t.passkey}
                </Button>
              )}
              <div className="row">
                <Button look="bare" disabled={busy} onClick={() => void withProvider()}>
                  {t.provider}
                </Button>
                <Button
                  look="bare"
                  onClick={() => {
                    setStep('INVITED');
                  }}
                >
                  {t.invited}
                </Button>
                <Button
                  look="bare"
                  onClick={() => {
                    setStep('SETUP');
                  }}
                >
                  {t.setUp}
                </Button>
              </div>
            </>
          ) : (
            <>
              <Field
                key={step}
                label={step === 'TOTP' ? t.code : t.recoveryCode}
                hint={step === 'TOTP' ? t.codeHint : t.recoveryHint}
              >
                {(given) => (
                  <input
                    {...given}
                    autoFocus
                    required
                    className="code"
                    autoComplete="one-time-code"
                    inputMode={step === 'TOTP' ? 'numeric' : 'text'}
                    value={code}
                    onChange={(event) => {
                      setCode(event.target.value);
                    }}
                  />
                )}
              </Field>
              <Button look="main" type="submit" disabled={busy}>
                {t.signIn}
              </Button>
              {passkeysWork() && (
                <Button disabled={busy} onClick={() => void attempt(() => signInBesidePassword(credentials))}>
                  {t.passkeySecond}
                </Button>
              )}
              <div className="row">
                <Button
                  look="bare"
                  onClick={() => {
                    setStep(step === 'TOTP' ? 'RECOVERY' : 'TOTP');
                    setCode('');
                  }}
                >
                  {step === 'TOTP' ? t.recovery : t.useApp}
                </Button>
                <Button
                  look="bare"
                  onClick={() => {
                    restart('');
                  }}
                >
                  {t.other}
                </Button>
              </div>
            </>
          )}
        </form>
      )}
      <Languages />
    </main>
  );
}

function First({
  email,
  onEmail,
  password,
  onPassword,
  organisation,
  onOrganisation,
}: {
  email: string;
  onEmail: (text: string) => void;
  password: string;
  onPassword: (text: string) => void;
  organisation: string;
  onOrganisation: (text: string) => void;
}): ReactElement {
  const t = useTexts(signInTexts);
  const [caps, setCaps] = useState(false);
  return (
    <>
      <Field label={t.email}>
        {(given) => (
          <input
            {...given}
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => {
              onEmail(event.target.value);
            }}
          />
        )}
      </Field>
      <Field label={t.password} {...(caps && { hint: t.caps })}>
        {(given) => (
          <input
            {...given}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onKeyUp={(event) => {
              setCaps(event.getModifierState('CapsLock'));
            }}
            onChange={(event) => {
              onPassword(event.target.value);
            }}
          />
        )}
      </Field>
      <details open={organisation !== ''}>
        <summary className="small">{t.organisationMore}</summary>
        <Field label={t.organisation} hint={t.organisationHint}>
          {(given) => (
            <input
              {...given}
              autoComplete="organization"
              value={organisation}
              onChange={(event) => {
                onOrganisation(event.target.value.trim());
              }}
            />
          )}
        </Field>
      </details>
    </>
  );
}

function Languages(): ReactElement {
  const language = useLanguage();
  return (
    <p className="row">
      {languages.map((one) => (
        <Button
          key={one}
          look="bare"
          lang={one === 'pt' ? 'pt-BR' : 'en'}
          aria-pressed={one === language}
          onClick={() => {
            setLanguage(one);
          }}
        >
          {one === 'pt' ? 'Português' : 'English'}
        </Button>
      ))}
    </p>
  );
}
