import './flows.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useTyped } from '../../data/calls/typed.js';
import { useMay } from '../../data/me.js';
import { Asked, Empty, Failure } from '../../parts/answers.js';
import { Button, Pill } from '../../parts/controls.js';
import { Restored } from '../../parts/dialogs/kept.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  flowOf,
  stepTypes,
  textIn,
  tongues,
  useDraft,
  useFlow,
  useKeepDraft,
  type Draft,
  type Flow,
  type FlowVersion,
  type Step,
  type Tongue,
} from './data.js';
import { DraftBar } from './draft.js';
import { Difference, Funnel, Versions } from './history.js';
import { Preview } from './preview.js';
import { Settings } from './settings.js';
import { StepEditor } from './step.js';
import { flowsTexts } from './texts.js';
import { BLANK, whole, blankStep } from './blank.js';

/** One flow: its steps, what each asks for, and how a person sees it. */
export function FlowScreen(): ReactElement {
  const t = useTexts(flowsTexts);
  const { key = '' }: { key?: string } = useParams({ strict: false });
  useTitle(t.flow);
  const flow = useFlow(key, key !== 'new');
  const draft = useDraft(key, key !== 'new');
  if (key === 'new') return <Editor key="new" version={null} draft={null} />;
  return (
    <Asked query={flow}>
      {(version) => (
        <Asked query={draft}>
          {(kept) =>
            version === null && kept === null ? (
              <>
                <h1>{key}</h1>
                <Empty title={t.noFlow}>{t.noFlowHint}</Empty>
              </>
            ) : (
              <Editor key={`${version?.id} ${kept === null}`} version={version} draft={kept} />
            )
          }
        </Asked>
      )}
    </Asked>
  );
}

function Editor({ version, draft }: { version: FlowVersion | null; draft: Draft | null }): ReactElement {
  const t = useTexts(flowsTexts);
  const language = useLanguage();
  const may = useMay();
  const navigate = useNavigate();
  const kept = draft ?? version;
  // With the revision that it was made of: of what another one stored since, the service tells.
  const typed = useTyped<{ readonly flow: Flow; readonly revision: number | null }>(
    `flow ${kept?.key ?? 'new'}`,
    { flow: kept === null ? BLANK : whole(flowOf(kept)), revision: draft?.revision ?? null },
  );
  const { flow, revision } = typed.value;
  const setFlow = (next: Flow): void => {
    typed.set({ flow: next, revision });
  };
  const [key, setKey] = useState(draft?.key ?? version?.key ?? '');
  const [at, choose] = useState(0);
  const [tongue, speak] = useState<Tongue>(language === 'pt' ? 'pt-BR' : 'en');
  const keep = useKeepDraft();
  const writes = may('flows:manage') === 'YES';
  const before = version === null ? null : flowOf(version);
  const changed = typed.isDirty;
  const keepIt = (): void => {
    if (!writes || keep.isPending || !/^[a-z0-9][a-z0-9-]{1,62}$/.test(key)) return;
    const body = {
      definition: flow as unknown as Record<string, unknown>,
      ...(draft && { sample: draft.sample }),
      ...(revision !== null && { revision }),
    };
    keep.mutate(
      { key, body },
      {
        onSuccess: (made) => {
          say(t.kept);
          typed.sent((value) => ({ ...value, revision: made.revision }));
          if (version === null && draft === null) void navigate({ to: '/flows/$key', params: { key } });
        },
      },
    );
  };
  const step = flow.steps[at];

  const setSteps = (steps: readonly Step[]): void => {
    setFlow({ ...flow, steps });
  };
  const move = (by: number): void => {
    const to = at + by;
    if (!writes || step === undefined || to < 0 || to >= flow.steps.length) return;
    const rest = flow.steps.filter((_, index) => index !== at);
    setSteps([...rest.slice(0, to), step, ...rest.slice(to)]);
    choose(to);
  };
  useShortcuts([
    {
      keys: 'J',
      label: t.step,
      footer: true,
      run: () => {
        choose(Math.min(flow.steps.length - 1, at + 1));
      },
    },
    {
      keys: 'K',
      label: t.step,
      run: () => {
        choose(Math.max(0, at - 1));
      },
    },
    {
      keys: 'L',
      label: t.tongue,
      footer: true,
      run: () => {
        speak(tongues[(tongues.indexOf(tongue) + 1) % tongues.length] ?? 'pt-BR');
      },
    },
    ...(writes && changed
      ? [
          {
            keys: 'Ctrl S',
            label: t.keep,
            footer: true,
            run: keepIt,
          },
        ]
      : []),
  ]);
  return (
    <div className="stack">
      <header className="row">
        <Link to="/flows">← {t.back}</Link>
        <h1>{textIn(flow.name, tongue) || t.newName}</h1>
        {version !== null && <Pill>{`${version.key}@${version.version}`}</Pill>}
        <select
          className="input slim end"
          aria-label={t.tongue}
          value={tongue}
          onChange={(event) => {
            speak(tongues.find((one) => one === event.target.value) ?? 'pt-BR');
          }}
        >
          {tongues.map((one) => (
            <option key={one} value={one}>
              {t.tongues[one]}
            </option>
          ))}
        </select>
        {writes && (
          <Button look="main" keys="Ctrl S" disabled={!changed || keep.isPending} onClick={keepIt}>
            {t.keep}
          </Button>
        )}
      </header>
      {!writes && <p className="notice">{t.readOnly}</p>}
      <Restored typed={typed} />
      {keep.error && <Failure error={keep.error} />}
      {draft && <DraftBar draft={draft} changed={changed} revision={revision ?? undefined} writes={writes} />}
      <div className="flow-editor">
        <section className="card stack">
          <h2>{t.steps}</h2>
          <ol className="flow-steps">
            {flow.steps.map((one, index) => (
              <li key={one.id}>
                <button
                  type="button"
                  aria-current={index === at}
                  onClick={() => {
                    choose(index);
                  }}
                >
                  <span>{textIn(one.title, tongue) || one.id}</span>
                  <span className="quiet small">
                    {word('stepType', one.type)}
                    {!one.required && ` · ${t.optional}`}
                    {one.showIf !== undefined && ` · ${t.showIf.toLowerCase()} ${one.showIf.answer}`}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {writes && (
            <>
              <div className="row">
                <Button
                  disabled={at === 0}
                  onClick={() => {
                    move(-1);
                  }}
                >
                  {t.up}
                </Button>
                <Button
                  disabled={at >= flow.steps.length - 1}
                  onClick={() => {
                    move(1);
                  }}
                >
                  {t.down}
                </Button>
                <Button
                  look="danger"
                  disabled={flow.steps.length < 2}
                  onClick={() => {
                    setSteps(flow.steps.filter((_, index) => index !== at));
                    choose(Math.max(0, at - 1));
                  }}
                >
                  {t.remove}
                </Button>
              </div>
              <select
                className="input"
                aria-label={t.addStep}
                value=""
                onChange={(event) => {
                  const type = stepTypes.find((one) => one === event.target.value);
                  if (type === undefined) return;
                  setSteps([
                    ...flow.steps,
                    blankStep(
                      type,
                      flow.steps.map(({ id }) => id),
                    ),
                  ]);
                  choose(flow.steps.length);
                }}
              >
                <option value="">{`+ ${t.addStep}`}</option>
                {stepTypes.map((one) => (
                  <option key={one} value={one}>
                    {word('stepType', one)}
                  </option>
                ))}
              </select>
            </>
          )}
        </section>
        <div className="stack">
          {step !== undefined && (
            <StepEditor
              step={step}
              earlier={flow.steps.slice(0, at)}
              tongue={tongue}
              readOnly={!writes}
              onChange={(next) => {
                setSteps(flow.steps.map((one, index) => (index === at ? next : one)));
              }}
            />
          )}
          <Settings
            flow={flow}
            tongue={tongue}
            readOnly={!writes}
            {...(version === null && draft === null && { flowKey: key, onKey: setKey })}
            onChange={setFlow}
          />
          {before !== null && (changed || draft !== null) && <Difference before={before} after={flow} />}
          {version !== null && <Funnel flowKey={version.key} />}
          {version !== null && <Versions flowKey={version.key} inForce={version.version} writes={writes} />}
        </div>
        {step !== undefined && <Preview step={step} at={at + 1} of={flow.steps.length} tongue={tongue} />}
      </div>
    </div>
  );
}
