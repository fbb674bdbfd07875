import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useCasesAbout } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { SessionEvidence, useEvidence } from '../../parts/evidence/session-evidence.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { gapWords } from '../../parts/evidence/reason-words.js';
import { common } from '../../texts/common.js';
import { apart, dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useCancelSession, useNewSession, useRevealAnswers, useSession, type Session } from './data.js';
import { SessionLink } from './link.js';
import { outcomeTone, SessionState } from './sessions.js';
import { sessionsTexts } from './texts.js';

/** One session: how far it came, what the person gave, what the checks found, and its link while it is good. */
export function SessionScreen(): ReactElement {
  const t = useTexts(sessionsTexts);
  const { id = '' }: { id?: string } = useParams({ strict: false });
  useTitle(t.session);
  const session = useSession(id);
  return <Asked query={session}>{(data) => <Opened key={data.reference} session={data} />}</Asked>;
}

function Opened({ session }: { session: Session }): ReactElement {
  const t = useTexts(sessionsTexts);
  return (
    <div className="stack">
      <header className="row">
        <Link to="/sessions">← {t.back}</Link>
        <h1>{session.flowName}</h1>
        <SessionState session={session} />
        {session.result && (
          <Pill tone={outcomeTone(session.result.outcome)}>{word('outcome', session.result.outcome)}</Pill>
        )}
        <Acts session={session} />
      </header>
      <div className="aside">
        <section className="card stack">
          <h2>{t.evidence}</h2>
          <SessionEvidence reference={session.reference} />
          <Reveal session={session} />
        </section>
        <div className="stack">
          <Progress session={session} />
          <Result session={session} />
          <OwnLink session={session} />
          <About session={session} />
        </div>
      </div>
    </div>
  );
}

function Acts({ session }: { session: Session }): ReactElement | null {
  const t = useTexts(sessionsTexts);
  const may = useMay();
  const navigate = useNavigate();
  const complain = useComplain();
  const cancel = useCancelSession(session.reference);
  const make = useNewSession();
  if (may('sessions:create') !== 'YES') return null;
  const again = (): void => {
    make.mutate(
      {
        flowKey: session.flowKey,
        customerId: session.customerId,
        previousSessionId: session.sessionId ?? session.reference,
      },
      {
        onSuccess: ({ reference }) => void navigate({ to: '/sessions/$id', params: { id: reference } }),
        onError: complain,
      },
    );
  };
  return (
    <span className="end row">
      {session.status === 'PENDING' && (
        <Button
          look="danger"
          disabled={cancel.isPending}
          onClick={() => {
            cancel.mutate(undefined, {
              onSuccess: () => {
                say(t.cancelled);
              },
              onError: complain,
            });
          }}
        >
          {t.cancel}
        </Button>
      )}
      {(session.status === 'COMPLETED' || session.status === 'EXPIRED') && (
        <Button title={t.againHint} disabled={make.isPending} onClick={again}>
          {t.again}
        </Button>
      )}
    </span>
  );
}

function Progress({ session }: { session: Session }): ReactElement {
  const t = useTexts(sessionsTexts);
  const { data } = useEvidence(session.reference);
  // A page that only says something is no step of the person.
  const steps = (data?.steps ?? []).filter(({ type }) => type !== 'INFO');
  const isBegun = (step: (typeof steps)[number]): boolean =>
    step.files.length > 0 || step.answers.some(({ text }) => text !== null);
  const files = steps.reduce((sum, step) => sum + step.files.length, 0);
  const next = steps.find((step) => !isBegun(step));
  const marks = [
    ['ISSUED', session.createdAt],
    ['SUBMITTED', session.submittedAt],
    ['CHECKED', session.status === 'COMPLETED' ? session.endedAt : null],
    ...(session.decision === null ? [] : [['DECIDED', session.decision.decidedAt] as const]),
  ] as const;
  return (
    <section className="card stack">
      <h2>{t.progress}</h2>
      <ol className="plain">
        {marks.map(([name, at]) => (
          <li key={name} className="row">
            <Pill tone={at === null ? 'plain' : 'good'}>{at === null ? '○' : '✓'}</Pill>
            <span>{t.steps[name]}</span>
            <span className="quiet small">{at === null ? t.notYet : dateTime(at)}</span>
          </li>
        ))}
      </ol>
      {session.status === 'PENDING' && steps.length > 0 && (
        <p>
          {t.sent(steps.filter(isBegun).length, steps.length, files)}{' '}
          {next && <span className="quiet">{t.at(apart(next.title))}</span>}
        </p>
      )}
    </section>
  );
}

function Result({ session: { result, decision } }: { session: Session }): ReactElement | null {
  const t = useTexts(sessionsTexts);
  if (result === null) return null;
  return (
    <section className="card stack">
      <h2>{t.result}</h2>
      <Facts
        items={[
          [t.score, result.riskScore === undefined ? '—' : number(result.riskScore)],
          [t.composition, word('composition', result.composition)],
          [
            t.defensible,
            result.defensible ? (
              <Pill key="defensible" tone="good">
                {t.yes}
              </Pill>
            ) : (
              <span key="defensible">
                <Pill tone="warn">{t.no}</Pill>{' '}
                <span className="quiet small">
                  {t.because} {result.nonDefensibleReasons.map(gapWords).join(' · ')}
                </span>
              </span>
            ),
          ],
          ...(decision === null
            ? []
            : [
                [
                  t.decision,
                  `${word('outcome', decision.outcome)}, ${dateTime(decision.decidedAt)}`,
                ] as const,
              ]),
        ]}
      />
    </section>
  );
}

function OwnLink({ session }: { session: Session }): ReactElement | null {
  const t = useTexts(sessionsTexts);
  if (session.status !== 'PENDING') return null;
  return (
    <section className="card stack">
      <h2>{t.link}</h2>
      {session.url === null ? <p className="quiet">{t.linkHidden}</p> : <SessionLink url={session.url} />}
    </section>
  );
}

function About({ session }: { session: Session }): ReactElement {
  const t = useTexts(sessionsTexts);
  const may = useMay();
  const { data: cases = [] } = useCasesAbout(may('reviews:read') === 'YES' ? session.transactionRef : null);
  return (
    <section className="card stack">
      <Facts
        items={[
          [t.flow, `${session.flowKey}@${session.flowVersion}`],
          [t.by, word('sessionTrigger', session.trigger)],
          [t.attempt, number(session.attempt)],
          [t.made, relative(session.createdAt)],
          [t.expires, relative(session.expiresAt)],
          [t.session, <code key="reference">{session.reference}</code>],
        ]}
      />
      <p className="row">
        {may('customers:read') === 'YES' && (
          <Link to="/customers/$id" params={{ id: session.customerId }}>
            {t.openCustomer}
          </Link>
        )}
        {session.transactionRef !== null && (
          <Link to="/transactions/$id" params={{ id: session.transactionRef }}>
            {t.transaction}
          </Link>
        )}
        {cases.map(({ id }, at) => (
          <Link key={id} to="/cases/$id" params={{ id }}>
            {t.case(at + 1, cases.length)}
          </Link>
        ))}
        {session.previousReference !== null && (
          <Link to="/sessions/$id" params={{ id: session.previousReference }}>
            {t.previous}
          </Link>
        )}
      </p>
    </section>
  );
}

function Reveal({ session }: { session: Session }): ReactElement | null {
  const t = useTexts(sessionsTexts);
  const c = useTexts(common);
  const may = useMay();
  const reveal = useRevealAnswers(session.reference);
  const [asking, ask] = useState(false);
  if (session.status !== 'COMPLETED' || may('customers:reveal') !== 'YES') return null;
  return (
    <>
      {reveal.data && (
        <div className="notice">
          <strong>{t.revealed}</strong>
          <Facts items={reveal.data.answers.map(({ label, text }) => [label, text ?? '—'])} />
        </div>
      )}
      <div>
        <Button
          onClick={() => {
            ask(true);
          }}
        >
          {t.reveal}
        </Button>
      </div>
      {asking && (
        <WritingDialog
          title={t.reveal}
          label={c.why}
          minimum={20}
          action={t.reveal}
          onSend={(reason) => reveal.mutateAsync(reason)}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{t.revealHint}</p>
        </WritingDialog>
      )}
    </>
  );
}
