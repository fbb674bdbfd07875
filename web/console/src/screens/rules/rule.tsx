import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useTyped } from '../../data/calls/typed.js';
import { useMay } from '../../data/me.js';
import { Asked, Empty, Failure } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { Restored } from '../../parts/dialogs/kept.js';
import { part } from '../../parts/part.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { without } from '../../parts/without.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Aggregates } from './aggregates/aggregates.js';
import { Condition } from './condition.js';
import { useReleaseRule, useRule, useSaveRule, type Draft, type Rule } from './data.js';
import { RuleFields } from './fields/rule-fields.js';
import { rulesTexts } from './texts.js';
import { TryIt } from './try-it.js';

const BLANK: Draft = {
  key: '',
  name: { 'pt-BR': '', en: '' },
  when: '',
  message: { 'pt-BR': '', en: '' },
  score: { points: 30, group: 'HOUSE' },
  effect: { reasonCode: '', recommend: 'NONE' },
};

/** One rule: its condition, the points that it is worth, and the sentence that explains it. */
export function RuleScreen(): ReactElement {
  const t = useTexts(rulesTexts);
  const { key = '' }: { key?: string } = useParams({ strict: false });
  useTitle(t.rule);
  const rule = useRule(key, key !== 'new');
  if (key === 'new') return <Editor key="new" rule={null} />;
  return (
    <Asked query={rule}>
      {(data) =>
        data === null ? (
          <>
            <h1>{key}</h1>
            <Empty title={t.noRule}>{t.noRuleHint}</Empty>
          </>
        ) : (
          <Editor key={data.id} rule={data} />
        )
      }
    </Asked>
  );
}

function Editor({ rule }: { rule: Rule | null }): ReactElement {
  const t = useTexts(rulesTexts);
  const may = useMay();
  const navigate = useNavigate();
  const complain = useComplain();
  const save = useSaveRule();
  const release = useReleaseRule();
  // With the revision that it was made of: of what another one stored since, the service tells.
  const typed = useTyped<Draft>(`rule ${rule?.key ?? 'new'}`, draftOf(rule));
  const draft = typed.value;
  const writes = may('rules:write') === 'YES';
  const set = (part: Partial<Draft>): void => {
    typed.set({ ...draft, ...part });
  };
  const keep = (): void => {
    if (!writes || save.isPending) return;
    save.mutate(completed(draft), {
      onSuccess: ({ key, revision }) => {
        say(t.savedDraft);
        typed.sent((value) => ({ ...value, revision }));
        if (rule?.key !== key) void navigate({ to: '/rules/$key', params: { key } });
      },
    });
  };
  useShortcuts(writes ? [{ keys: 'Ctrl S', label: t.save, footer: true, run: keep }] : []);
  const input = (
    label: string,
    value: string,
    onText: (text: string) => void,
    hint?: string,
  ): ReactElement => (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(given) => (
        <input
          {...given}
          readOnly={!writes}
          value={value}
          onChange={(event) => {
            onText(event.target.value);
          }}
        />
      )}
    </Field>
  );
  return (
    <div className="stack">
      <header className="row">
        <Link to="/rules">← {t.back}</Link>
        <h1>{rule === null ? t.newRule : `${rule.key}@${rule.version}`}</h1>
        {rule && (
          <Pill tone={rule.status === 'RELEASED' ? 'good' : 'warn'}>
            {word('rulesetStatus', rule.status)}
          </Pill>
        )}
      </header>
      <div className="columns">
        <form
          className="card stack"
          onSubmit={(event) => {
            event.preventDefault();
            keep();
          }}
        >
          <Restored typed={typed} />
          {rule === null &&
            input(
              t.key,
              draft.key,
              (key) => {
                set({ key });
              },
              t.keyHint,
            )}
          <div className="pair">
            {input(t.namePt, draft.name['pt-BR'], (text) => {
              set({ name: { ...draft.name, 'pt-BR': text } });
            })}
            {input(
              t.nameEn,
              draft.name.en,
              (text) => {
                set({ name: { ...draft.name, en: text } });
              },
              t.emptyEn,
            )}
          </div>
          <Aggregates
            aggregates={draft.aggregates ?? {}}
            readOnly={!writes}
            onChange={(aggregates) => {
              set({ aggregates });
            }}
          />
          <Condition
            rule={draft}
            value={draft.when}
            readOnly={!writes}
            onChange={(when) => {
              set({ when });
            }}
          />
          {input(
            t.messagePt,
            draft.message['pt-BR'],
            (text) => {
              set({ message: { ...draft.message, 'pt-BR': text } });
            },
            t.messageHint,
          )}
          {input(
            t.messageEn,
            draft.message.en,
            (text) => {
              set({ message: { ...draft.message, en: text } });
            },
            t.emptyEn,
          )}
          <div className="fields">
            {input(t.points, String(draft.score.points), (text) => {
              set({ score: { ...draft.score, points: Number(text.replace(/\D/g, '')) } });
            })}
            {input(t.group, draft.score.group, (group) => {
              set({ score: { ...draft.score, group } });
            })}
            {input(
              t.reasonCode,
              draft.effect.reasonCode,
              (reasonCode) => {
                set({ effect: { ...draft.effect, reasonCode } });
              },
              t.emptyCode,
            )}
            <Field label={t.recommend}>
              {(given) => (
                <select
                  {...given}
                  disabled={!writes}
                  value={draft.effect.recommend ?? 'NONE'}
                  onChange={(event) => {
                    const recommend = event.target.value as NonNullable<Draft['effect']['recommend']>;
                    set({ effect: { ...draft.effect, recommend } });
                  }}
                >
                  {(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'] as const).map((one) => (
                    <option key={one} value={one}>
                      {word('recommend', one)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <RuleFields draft={draft} readOnly={!writes} onChange={set} />
          {save.error && <Failure error={save.error} />}
          {writes && (
            <div className="row">
              <Button look="main" type="submit" keys="Ctrl S" disabled={save.isPending}>
                {t.save}
              </Button>
              {rule?.status === 'DRAFT' && (
                <Button
                  title={t.releaseHint}
                  onClick={() => {
                    release.mutate(rule.key, {
                      onSuccess: ({ version }) => {
                        say(t.released(version));
                      },
                      onError: complain,
                    });
                  }}
                >
                  {t.release}
                </Button>
              )}
            </div>
          )}
        </form>
        {rule && (
          <div className="stack">
            {may('kyt:evaluate') === 'YES' && <TryIt rule={rule} />}
            {writes && rule.status === 'RELEASED' && <AddTo rule={rule} />}
          </div>
        )}
      </div>
    </div>
  );
}

/** Returns the rule with what was left empty: English texts as the Portuguese ones, the reason code as the key. */
function completed(draft: Draft): Draft {
  const { key, name, message, effect } = draft;
  const inBoth = (texts: Draft['name']): Draft['name'] => ({
    'pt-BR': texts['pt-BR'],
    en: texts.en.trim() === '' ? texts['pt-BR'] : texts.en,
  });
  return {
    ...draft,
    ...{ name: inBoth(name), message: inBoth(message) },
    effect: {
      ...effect,
      reasonCode: effect.reasonCode === '' ? key.replaceAll('-', '_') : effect.reasonCode,
    },
  };
}

/** A released version is the beginning of the next draft. */
function draftOf(rule: Rule | null): Draft {
  if (rule === null) return BLANK;
  return {
    ...without(rule.definition, 'version'),
    ...(rule.status === 'DRAFT' && { revision: rule.revision }),
  };
}

// Loaded when it is asked for: the editor takes most of what a screen may weigh.
const AddToDialog = part(() => import('./add-to.js').then((one) => one.AddToDialog), 1);

function AddTo({ rule }: { rule: Rule }): ReactElement {
  const t = useTexts(rulesTexts);
  const [asking, ask] = useState(false);
  return (
    <section className="card stack">
      <h2>{t.addTo}</h2>
      <p className="quiet small">{t.addToHint}</p>
      <div>
        <Button
          onClick={() => {
            ask(true);
          }}
        >
          {t.addTo}
        </Button>
      </div>
      {asking && (
        <AddToDialog
          rule={rule}
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </section>
  );
}
