import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked, Empty } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { date, number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Quotas } from '../apps/quotas.js';
import { useFlows } from '../flows/data.js';
import { Branding } from './branding.js';
import { useControl, usePutTerms, useTerms, type Terms } from './data.js';
import { PrivacyNotice } from './notice.js';
import { Rates } from './rates.js';
import { settingsTexts } from './texts.js';

/** Settings of the organisation. */
export function SettingsScreen(): ReactElement {
  const t = useTexts(settingsTexts);
  useTitle(t.title);
  const may = useMay();
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      <div className="columns">
        <PrivacyNotice />
        <div className="stack">
          <Control />
          <Again />
          {may('kyt:read') === 'YES' && <Rates />}
        </div>
      </div>
      {may('apps:read') === 'YES' && (
        <>
          <Branding />
          <Quotas hint={t.quotas} />
        </>
      )}
    </div>
  );
}

function Control(): ReactElement {
  const t = useTexts(settingsTexts);
  const control = useControl();
  const nameOf = usePeople();
  return (
    <section className="card stack">
      <h2>{t.control}</h2>
      <Asked query={control} lines={3}>
        {({ singleControl: acts, people, singleHanded }) =>
          acts.length === 0 && people.length === 0 ? (
            <p className="row">
              <Pill tone="good">{t.dual}</Pill>
            </p>
          ) : (
            <>
              {acts.length > 0 && (
                <>
                  <p>
                    <strong>{t.single}</strong>
                  </p>
                  <Acts acts={acts} />
                </>
              )}
              {people.map(({ id, alone, notIndependent }) => (
                <div key={id} className="stack small">
                  <strong>{nameOf(id) ?? t.somebody}</strong>
                  {alone.length > 0 && (
                    <>
                      <span className="quiet">{t.onlyThisPerson}</span>
                      <Acts acts={alone} />
                    </>
                  )}
                  {notIndependent.map((other) => (
                    <div key={other.id}>
                      <span className="quiet">
                        {t.notIndependent(nameOf(other.id) ?? t.somebody, date(other.until))}
                      </span>
                      <Acts acts={other.acts} />
                    </div>
                  ))}
                </div>
              ))}
              <p className="quiet small">{t.singleHint}</p>
              <p className="quiet small">{singleHanded ? t.singleHanded : t.notSingleHanded}</p>
            </>
          )
        }
      </Asked>
      <p className="quiet small">{t.controlHint}</p>
    </section>
  );
}

function Acts({ acts }: { readonly acts: readonly string[] }): ReactElement {
  return (
    <p className="row">
      {acts.map((act) => (
        <Pill key={act} tone="warn">
          {word('act', act)}
        </Pill>
      ))}
    </p>
  );
}

function Again(): ReactElement {
  const t = useTexts(settingsTexts);
  const may = useMay();
  const terms = useTerms();
  const [asking, ask] = useState(false);
  return (
    <section className="card stack">
      <h2>{t.again}</h2>
      <Asked query={terms} lines={4}>
        {(data) => (
          <>
            {data === null ? (
              <Empty title={t.noTerms[0]}>{t.noTerms[1]}</Empty>
            ) : (
              <Facts
                items={[
                  [
                    t.again,
                    <Pill key="on" tone={data.enabled ? 'good' : 'plain'}>
                      {data.enabled ? t.on : t.off}
                    </Pill>,
                  ],
                  [t.flow, <code key="flow">{data.flowKey}</code>],
                  [t.low, number(data.lowMonths)],
                  [t.medium, number(data.mediumMonths)],
                  [t.high, number(data.highMonths)],
                  [t.documentDays, number(data.documentDays)],
                ]}
              />
            )}
            {may('flows:manage') === 'YES' && (
              <div>
                <Button
                  onClick={() => {
                    ask(true);
                  }}
                >
                  {t.changeTerms}
                </Button>
              </div>
            )}
            {asking && (
              <TermsDialog
                terms={data}
                onClose={() => {
                  ask(false);
                }}
              />
            )}
          </>
        )}
      </Asked>
    </section>
  );
}

const BEFORE: Terms = {
  ...{ flowKey: '', lowMonths: 60, mediumMonths: 24, highMonths: 12, documentDays: 30, enabled: true },
};

function TermsDialog({ terms, onClose }: { terms: Terms | null; onClose: () => void }): ReactElement | null {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const put = usePutTerms();
  const flows = useFlows();
  const was = terms ?? BEFORE;
  // The dialog begins with the first choice, so it waits for them.
  if (!flows.items && !flows.error) return null;
  const keys = [...new Set((flows.items ?? []).map(({ key }) => key))];
  const whole = (name: 'lowMonths' | 'mediumMonths' | 'highMonths' | 'documentDays', label: string) => ({
    ...{ name, label, kind: 'number' as const, initial: String(was[name]) },
  });
  return (
    <FormDialog
      title={t.changeTerms}
      action={t.changeTerms}
      fields={[
        {
          name: 'flowKey',
          label: t.flow,
          kind: 'choice',
          options: keys.map((key) => [key, key]),
          ...(was.flowKey !== '' && { initial: was.flowKey }),
        },
        whole('lowMonths', t.low),
        whole('mediumMonths', t.medium),
        whole('highMonths', t.high),
        whole('documentDays', t.documentDays),
        {
          name: 'enabled',
          label: t.again,
          kind: 'choice',
          options: [
            ['on', t.on],
            ['off', t.off],
          ],
          initial: was.enabled ? 'on' : 'off',
        },
      ]}
      onSend={async (filled) => {
        await put.mutateAsync({
          ...was,
          flowKey: filled.text('flowKey'),
          ...filled.number('lowMonths'),
          ...filled.number('mediumMonths'),
          ...filled.number('highMonths'),
          ...filled.number('documentDays'),
          enabled: filled.text('enabled') === 'on',
        });
        say(c.saved);
      }}
      onClose={onClose}
    />
  );
}
