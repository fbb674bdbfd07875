import { useState, type ReactElement } from 'react';
import { Asked } from '../../parts/answers.js';
import { Button } from '../../parts/controls.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { useActor } from '../../parts/evidence/trail.js';
import { Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { number, percent, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { useFunnel, useGoBack, useLastSessions, useVersions, type Flow } from './data.js';
import { flowsTexts } from './texts.js';

const MOST = 60;

/** Every value of a plain object, by its path. */
function leaves(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      leaves(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`, into);
    }
  } else into.set(path, String(value));
  return into;
}

/** Steps by their ids, so that one that moved does not look as if all behind it were others. */
const byId = (flow: Flow): unknown => ({
  ...flow,
  order: flow.steps.map(({ id }) => id).join(' → '),
  steps: Object.fromEntries(flow.steps.map((step) => [step.id, step])),
});

/** Lists what would be another than in the version in force. */
export function Difference({ before, after }: { before: Flow; after: Flow }): ReactElement {
  const t = useTexts(flowsTexts);
  const was = leaves(byId(before), '', new Map());
  const is = leaves(byId(after), '', new Map());
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path));
  return (
    <section className="card stack">
      <h2>{t.difference}</h2>
      {paths.length === 0 && <p className="quiet">{t.same}</p>}
      {paths.length > 0 && (
        <div className="scroll" role="region" aria-label={t.difference} tabIndex={0}>
          <table className="small">
            <thead>
              <tr>
                <th scope="col">{t.place}</th>
                <th scope="col">{t.before}</th>
                <th scope="col">{t.after}</th>
              </tr>
            </thead>
            <tbody>
              {paths.slice(0, MOST).map((path) => (
                <tr key={path}>
                  <td>
                    <code>{path}</code>
                  </td>
                  <td>{was.get(path) ?? '—'}</td>
                  <td>{is.get(path) ?? '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {paths.length > MOST && <p className="quiet small">+ {number(paths.length - MOST)}</p>}
        </div>
      )}
    </section>
  );
}

/** How many of the newest sessions came how far. */
export function Funnel({ flowKey }: { flowKey: string }): ReactElement {
  const t = useTexts(flowsTexts);
  const sessions = useLastSessions(flowKey);
  return (
    <section className="card stack">
      <Asked query={sessions} lines={3}>
        {(all) => {
          const stages = [
            ['MADE', all.length],
            ['SUBMITTED', all.filter(({ submittedAt }) => submittedAt !== null).length],
            ['CHECKED', all.filter(({ status }) => status === 'COMPLETED').length],
            ['APPROVED', all.filter(({ result }) => result?.outcome === 'APPROVED').length],
          ] as const;
          return (
            <>
              <h2>{t.funnel(all.length)}</h2>
              {all.length === 0 ? (
                <p className="quiet">{t.funnelNone}</p>
              ) : (
                <table>
                  <tbody>
                    {stages.map(([name, count]) => (
                      <tr key={name}>
                        <th scope="row">{t.stages[name]}</th>
                        <td className="funnel">
                          <span className="meter" style={{ width: `${(count / all.length) * 100}%` }} />
                        </td>
                        <td className="number">{number(count)}</td>
                        <td className="number quiet">{percent(count / all.length)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
              {all.length > 0 && <Steps flowKey={flowKey} />}
            </>
          );
        }}
      </Asked>
    </section>
  );
}

/** The versions that were in force; an earlier one comes back by two people. */
export function Versions({
  flowKey,
  inForce,
  writes,
}: {
  flowKey: string;
  inForce: number;
  writes: boolean;
}): ReactElement {
  const t = useTexts(flowsTexts);
  const c = useTexts(common);
  const actor = useActor();
  const versions = useVersions(flowKey);
  const goBack = useGoBack(flowKey);
  const [asking, ask] = useState<number | null>(null);
  return (
    <section className="card stack">
      <h2>{t.versions}</h2>
      <Table
        caption={t.versions}
        pages={versions}
        keyOf={({ id }) => id}
        empty={t.empty}
        columns={[
          [t.version, ({ version }) => version, 'number'],
          [t.made, ({ createdAt }) => relative(createdAt), 'quiet'],
          [t.by, ({ createdBy }) => actor(createdBy)],
          ['', ({ contentHash }) => <code className="quiet">{contentHash.slice(0, 12)}</code>],
          [
            '',
            ({ version }) =>
              writes &&
              version !== inForce && (
                <Button
                  onClick={() => {
                    ask(version);
                  }}
                >
                  {t.goBack}
                </Button>
              ),
          ],
        ]}
      />
      {asking !== null && (
        <WritingDialog
          title={t.goBackTo(asking)}
          label={c.why}
          minimum={20}
          action={t.goBack}
          onSend={async (reason) => {
            await goBack.mutateAsync({ version: asking, reason });
            say(c.askedSecond);
          }}
          onClose={() => {
            ask(null);
          }}
        >
          <p className="quiet">{t.goBackHint}</p>
        </WritingDialog>
      )}
    </section>
  );
}

/** Says how many came to each step, did it, and had to send it again. */
function Steps({ flowKey }: { flowKey: string }): ReactElement {
  const t = useTexts(flowsTexts);
  const funnel = useFunnel(flowKey);
  return (
    <Asked query={funnel} lines={3}>
      {({ steps, days }) => (
        <>
          <h3>{t.byStep(days)}</h3>
          <div className="scroll" role="region" aria-label={t.byStep(days)} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t.step}</th>
                  <th scope="col" className="number">
                    {t.shown}
                  </th>
                  <th scope="col" className="number">
                    {t.done}
                  </th>
                  <th scope="col" className="number">
                    {t.again}
                  </th>
                  <th scope="col" className="number">
                    {t.median}
                  </th>
                </tr>
              </thead>
              <tbody>
                {steps.map((step) => (
                  <tr key={step.stepId}>
                    <td>{step.title}</td>
                    <td className="number">{number(step.shown)}</td>
                    <td className="number">{number(step.done)}</td>
                    <td className="number">{number(step.retries)}</td>
                    <td className="number">
                      {step.medianSeconds === null ? '—' : `${number(step.medianSeconds)} s`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Asked>
  );
}
