import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useActor } from '../../parts/evidence/trail.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { dateTime } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { AskDialog } from '../look-backs/ask.js';
import { Backtests } from './backtest.js';
import { DraftChanges } from './draft-changes.js';
import {
  useRuleset,
  useRuleNames,
  useRulesetAct,
  useStartBacktest,
  type Ruleset,
  type RulesetAct,
} from './data.js';
import { Snoozes } from './snoozes/snoozes.js';
import { backtestTexts } from './backtest-texts.js';
import { rulesTexts } from './texts.js';

const MODES = ['LIVE', 'SHADOW', 'DISABLED'] as const;

/** One version of a ruleset: its rules, what it would change, and how it comes into force. */
export function RulesetScreen(): ReactElement {
  const t = useTexts(rulesTexts);
  const { key = '', version = '' }: { key?: string; version?: string } = useParams({ strict: false });
  useTitle(t.ruleset);
  const ruleset = useRuleset(key, Number(version));
  return <Asked query={ruleset}>{(data) => <Opened key={data.id} ruleset={data} />}</Asked>;
}

function Opened({ ruleset }: { ruleset: Ruleset }): ReactElement {
  const t = useTexts(rulesTexts);
  const b = useTexts(backtestTexts);
  const c = useTexts(common);
  const may = useMay();
  const actor = useActor();
  const names = useRuleNames();
  const complain = useComplain();
  const navigate = useNavigate();
  const { key, version, status, publication } = ruleset;
  const act = useRulesetAct(key, version);
  const start = useStartBacktest(key, version);
  const [asking, ask] = useState(false);
  const [lookingBack, lookBack] = useState(false);
  const [giving, setGiving] = useState<'PUBLISH' | 'ROLLBACK' | 'ARCHIVE' | null>(null);
  const writes = may('rules:write') === 'YES';
  const run = (one: RulesetAct, text: string): void => {
    act.mutate(one, {
      onSuccess: (made) => {
        say(made.version === undefined ? text : t.drafted(made.version));
        if (made.version !== undefined) {
          void navigate({ to: '/rulesets/$key/$version', params: { key, version: String(made.version) } });
        }
      },
      onError: complain,
    });
  };
  const acts = { PUBLISH: t.publish, ROLLBACK: t.rollback, ARCHIVE: t.archive };
  return (
    <div className="stack">
      <header className="row">
        <Link to="/rules">← {t.back}</Link>
        <h1>{`${key}@${version}`}</h1>
        <Pill tone={status === 'PUBLISHED' ? 'good' : status === 'DRAFT' ? 'warn' : 'plain'}>
          {word('rulesetStatus', status)}
        </Pill>
        <span className="end row">
          {status === 'DRAFT' && writes && (
            <>
              <Button
                onClick={() => {
                  ask(true);
                }}
              >
                {b.backtest}
              </Button>
              <Button
                look="danger"
                onClick={() => {
                  setGiving('ARCHIVE');
                }}
              >
                {t.archive}
              </Button>
            </>
          )}
          {status === 'DRAFT' && may('rules:publish') === 'YES' && (
            <Button
              look="main"
              title={t.publishHint}
              onClick={() => {
                setGiving('PUBLISH');
              }}
            >
              {t.publish}
            </Button>
          )}
          {status === 'PUBLISHED' && may('rules:publish') === 'YES' && (
            <Button
              onClick={() => {
                lookBack(true);
              }}
            >
              {t.lookBack}
            </Button>
          )}
          {status === 'ARCHIVED' && publication.publishedAt !== null && may('rules:publish') === 'YES' && (
            <Button
              title={t.rollbackHint}
              onClick={() => {
                setGiving('ROLLBACK');
              }}
            >
              {t.rollback}
            </Button>
          )}
        </span>
      </header>
      <div className="columns">
        <section className="card stack">
          <Facts
            items={[
              [t.author, actor(ruleset.author)],
              [t.published, publication.publishedAt === null ? '—' : dateTime(publication.publishedAt)],
              [t.hash, <code key="hash">{ruleset.contentHash.slice(0, 16)}</code>],
            ]}
          />
          {(ruleset.obstacles ?? []).length > 0 && (
            <div className="notice bad" role="alert">
              <p>
                <strong>{t.obstacles}</strong>
              </p>
              <ul className="small">
                {ruleset.obstacles?.map(({ path, message }, at) => (
                  <li key={at}>
                    <code>{path}</code> {message}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {status === 'DRAFT' && <DraftChanges draft={ruleset} />}
          <h2>{t.rules}</h2>
          <div className="scroll" role="region" aria-label={t.rules} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t.rule}</th>
                  <th scope="col">{t.mode}</th>
                </tr>
              </thead>
              <tbody>
                {ruleset.rules.map((held) => (
                  <tr key={held.key}>
                    <td>
                      <Link to="/rules/$key" params={{ key: held.key }}>
                        {names.get(held.key)} <code>{`${held.key}@${held.version}`}</code>
                      </Link>
                    </td>
                    <td>
                      {writes && status !== 'ARCHIVED' ? (
                        <select
                          className="input slim"
                          aria-label={`${t.mode} ${held.key}`}
                          value={held.mode}
                          onChange={(event) => {
                            const mode = MODES.find((one) => one === event.target.value) ?? held.mode;
                            run(
                              { kind: status === 'DRAFT' ? 'DRAFT_MODE' : 'MODE', rule: held.key, mode },
                              c.saved,
                            );
                          }}
                        >
                          {MODES.map((mode) => (
                            <option key={mode} value={mode}>
                              {word('ruleMode', mode)}
                            </option>
                          ))}
                        </select>
                      ) : (
                        <Pill>{word('ruleMode', held.mode)}</Pill>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
        <Backtests rulesetKey={key} version={version} isDraft={status === 'DRAFT'} />
      </div>
      {status === 'PUBLISHED' && <Snoozes ruleset={ruleset} />}
      {giving !== null && (
        <WritingDialog
          title={acts[giving]}
          label={c.why}
          minimum={10}
          action={acts[giving]}
          danger={giving === 'ARCHIVE'}
          onSend={async (reason) => {
            await act.mutateAsync({ kind: giving, reason });
            say(giving === 'ARCHIVE' ? t.archived : c.askedSecond);
          }}
          onClose={() => {
            setGiving(null);
          }}
        >
          {giving !== 'ARCHIVE' && (
            <p className="quiet">{giving === 'PUBLISH' ? t.publishHint : t.rollbackHint}</p>
          )}
        </WritingDialog>
      )}
      {lookingBack && (
        <AskDialog
          judges={[{ kind: 'RULESET', key, version }]}
          onClose={() => {
            lookBack(false);
          }}
        />
      )}
      {asking && (
        <FormDialog
          title={b.backtest}
          action={b.start}
          fields={[
            { name: 'from', label: b.from, kind: 'date', optional: true },
            { name: 'to', label: b.to, kind: 'date', optional: true },
          ]}
          onSend={async (filled) => {
            await start.mutateAsync(filled.span('from', 'to'));
            say(b.started);
          }}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{b.backtestHint}</p>
        </FormDialog>
      )}
    </div>
  );
}
