import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { completeSession, Problem, saveStep, type SessionView, type Step } from './api.js';
import { flowOf, isSavedElsewhere, keysOf } from './answers.js';
import type { StepAnswer } from './conditions.js';
import { keep, readKept, type Kept } from './keeping.js';
import { useLanguage, useTexts } from './texts/language.js';
import { answeredIn } from './parts/answered.js';
import { Intro } from './parts/intro.js';
import { ConsentStep } from './steps/consent-step.js';
import { CodeStep } from './steps/code-step.js';
import { DataFormStep } from './steps/data-form-step.js';
import { GroupStep } from './steps/group-step.js';
import { InfoStep } from './steps/info-step.js';
import { QuestionnaireStep } from './steps/questionnaire-step.js';
import type { StepProps } from './steps/step-props.js';
import { SummaryStep } from './steps/summary-step.js';
import { UploadStep } from './steps/upload-step.js';
import { isReceived, isUploadStep } from './uploads/uploads.js';

const SUMMARY = ' summary';

/** The steps, one at a time, and the sending of what they gathered. */
export function Flow({
  sessionId,
  view,
  onSent,
  onOver,
  onRefresh,
  onView,
}: {
  readonly sessionId: string;
  readonly view: SessionView;
  readonly onSent: () => void;
  readonly onOver: (problem: Problem) => void;
  /** Reads the session anew: its steps may have changed. */
  readonly onRefresh: () => Promise<void>;
  readonly onView: (view: SessionView) => void;
}): VNode {
  const texts = useTexts();
  const language = useLanguage();
  const [kept, setKept] = useState<Kept>(() => readKept(sessionId));
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const { visible, answers } = flowOf(view.steps, kept.drafts);

  const isDone = (step: Step): boolean =>
    isUploadStep(step)
      ? isReceived(step, kept.received)
      : step.status === 'DONE' || kept.passed.includes(step.id);
  const isBehind = (step: Step): boolean => isDone(step) || kept.passed.includes(step.id);
  const firstOpen = (): string => {
    // In a new tab only the service knows how far the person got; what was only read leaves no trace there.
    const skipped = visible.findIndex(({ id }) => id === view.currentStepId);
    const from = kept.passed.length > 0 || view.currentStepId === undefined ? 0 : skipped;
    if (view.currentStepId === null && kept.passed.length === 0) return SUMMARY;
    return visible.slice(Math.max(from, 0)).find((step) => !isBehind(step))?.id ?? SUMMARY;
  };
  const [at, setAt] = useState(firstOpen);
  const entered = useRef(0);
  // The newest view that came of something done here.
  const ownView = useRef(view);

  const change = (update: (before: Kept) => Kept): void => {
    setKept((before) => {
      const next = update(before);
      keep(sessionId, next);
      return next;
    });
  };
  const go = (to: string): void => {
    entered.current += 1;
    history.pushState({ at: to }, '');
    setAt(to);
  };

  // Another device goes on with the same session: whoever has nothing begun here is led to where it is.
  const seen = useRef(view);
  useEffect(() => {
    const before = seen.current;
    seen.current = view;
    const to = view.currentStepId ?? SUMMARY;
    if (view === ownView.current || to === at || view.currentStepId === before.currentStepId) return;
    const here = view.steps.find(({ id }) => id === at);
    const wasOpen = before.steps.some(({ id, status }) => id === at && status === 'TODO');
    const isSentHere = kept.received.some((upload) => upload.startsWith(`${at}/`));
    if (!here || (here.type !== 'INFO' && (here.status === 'TODO' || !wasOpen || isSentHere))) return;
    // Answers that were begun here are finished there.
    change((now) => ({ ...now, drafts: keysOf(here).reduce((left, key) => without(left, key), now.drafts) }));
    go(to);
  }, [view]);

  // The browser's own way back leads to the step before, not out of the page.
  useEffect(() => {
    history.replaceState({ at }, '');
    const back = (event: PopStateEvent): void => {
      const state = event.state as { readonly at?: string } | null;
      entered.current += 1;
      if (state?.at !== undefined) setAt(state.at);
    };
    window.addEventListener('popstate', back);
    return () => {
      window.removeEventListener('popstate', back);
    };
  }, []);

  // Data from the service, or an answer, may have taken the step away.
  const index = visible.findIndex(({ id }) => id === at);
  const step = visible[index];

  useEffect(() => {
    document.title = `${step?.title ?? texts.summary.title} – ${view.flowName}`;
  }, [step?.title, texts, view.flowName]);

  /** Goes to the next step that is still open, or to where everything is sent. */
  const pass = (id: string, steps: readonly Step[] = view.steps): void => {
    change((before) => ({ ...before, passed: [...new Set([...before.passed, id])] }));
    const behind = (one: Step): boolean => one.id === id || isBehind(one);
    const after = flowOf(steps, kept.drafts).visible;
    const position = after.findIndex((one) => one.id === id);
    const open = [...after.slice(position + 1), ...after].find((one) => !behind(one));
    go(open?.id ?? SUMMARY);
  };

  /** Saves a step and goes on. Without a connection it goes on too: the answers are sent again with the last call. */
  const finish = async (of: Step): Promise<boolean> => {
    if (view.preview === true || keysOf(of).length === 0 || isSavedElsewhere(of, kept.drafts)) {
      pass(of.id);
      return true;
    }
    try {
      const keys = keysOf(of);
      const own = Object.fromEntries(Object.entries(answers).filter(([key]) => keys.includes(key)));
      const next = await saveStep(sessionId, of.id, own, language);
      ownView.current = next;
      onView(next);
      pass(of.id, next.steps);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === 'EXPIRED' || error.kind === 'CONFLICT') {
        onOver(error);
      } else if (error.kind === 'REFUSED' && error.details.length > 0) {
        setRefused(faultsIn(error));
        return false;
      } else {
        pass(of.id);
      }
    }
    return true;
  };

  const send = async (): Promise<void> => {
    if (view.preview === true) {
      onSent();
      return;
    }
    try {
      await completeSession(sessionId, answers);
      onSent();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === 'EXPIRED' || error.kind === 'NOT_FOUND' || error.kind === 'CONFLICT') onOver(error);
      else if (error.kind === 'REFUSED' && error.details.length > 0) await showRefusal(error);
      else throw error;
    }
  };

  /** Leads to the first step with something that the service does not take. */
  const showRefusal = async (problem: Problem): Promise<void> => {
    await onRefresh();
    const found = faultsIn(problem);
    const concerned = visible.find((one) => [one.id, ...keysOf(one)].some((key) => found[key] !== undefined));
    if (!concerned) throw problem;
    setRefused(found);
    change((before) => ({ ...before, passed: before.passed.filter((id) => id !== concerned.id) }));
    go(concerned.id);
  };

  const props = (of: Step): StepProps => ({
    sessionId,
    step: of,
    drafts: kept.drafts,
    answers,
    refused,
    received: kept.received,
    first: index === 0,
    preview: view.preview === true,
    quiet: entered.current === 0,
    onDraft: (key: string, value: StepAnswer | undefined) => {
      change((before) => {
        const others = without(before.drafts, key);
        return { ...before, drafts: value === undefined ? others : { ...others, [key]: value } };
      });
      if (refused[key] !== undefined) setRefused(without(refused, key));
    },
    onReceived: (upload: string) => {
      change((before) => ({ ...before, received: [...new Set([...before.received, upload])] }));
    },
    onDone: () => finish(of),
    onSkip: () => {
      pass(of.id);
    },
    onBack: () => {
      go(visible[Math.max(0, index - 1)]?.id ?? of.id);
    },
    onOver,
  });

  return (
    <>
      <Progress name={view.flowName} at={step ? index + 1 : visible.length + 1} of={visible.length + 1} />
      {index === 0 && <Intro view={view} steps={visible} />}
      {step ? (
        <StepView key={`${step.id}/${entered.current}`} {...props(step)} />
      ) : (
        <SummaryStep
          key="summary"
          steps={visible}
          isDone={isDone}
          isSavedElsewhere={(one) => isSavedElsewhere(one, kept.drafts)}
          answeredIn={(one) => answeredIn(one, { ...kept, answers }, texts, language)}
          onReview={(one) => {
            go(one.id);
          }}
          onSend={send}
          onBack={() => {
            go(visible.at(-1)?.id ?? SUMMARY);
          }}
        />
      )}
    </>
  );
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

/** The fields that the service does not take, by the key of the answer or the id of the step. */
function faultsIn({ details }: Problem): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { path, code } of details) {
    // `userData.cpf`, `userData.owners[1].cpf`, `steps.person.cpf`, `steps.selfie` or `steps.document.FRONT`
    const [root, first, second] = path.replaceAll(/\[\d+\]/g, '').split('.');
    if (first !== undefined) found[first] = code;
    if (root === 'steps' && second !== undefined) found[second] = code;
  }
  return found;
}

function StepView(props: StepProps): VNode {
  const { type } = props.step;
  switch (type) {
    case 'CONSENT':
      return <ConsentStep {...props} />;
    case 'INFO':
      return <InfoStep {...props} />;
    case 'DATA_FORM':
      return <DataFormStep {...props} />;
    case 'QUESTIONNAIRE':
      return <QuestionnaireStep {...props} />;
    case 'REPEATED_GROUP':
      return <GroupStep {...props} />;
    case 'ONE_TIME_CODE':
      return <CodeStep {...props} />;
    case 'DOCUMENT_CAPTURE':
    case 'SELFIE':
    case 'PROOF_OF_ADDRESS':
      return <UploadStep {...props} />;
    default:
      return type satisfies never;
  }
}

function Progress({
  name,
  at,
  of,
}: {
  readonly name: string;
  readonly at: number;
  readonly of: number;
}): VNode {
  const texts = useTexts();
  return (
    <div class="progress">
      <p>
        <span>{name}</span>
        <span>{texts.progress(at, of)}</span>
      </p>
      <div class="segments" aria-hidden="true">
        {Array.from({ length: of }, (_, i) => (
          <span key={i} class={i < at ? 'on' : ''} />
        ))}
      </div>
    </div>
  );
}
