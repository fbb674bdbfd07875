import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill, type Tone } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { allOf, Table } from '../../parts/lists/table.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { date, money, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { checks, useAskForProvider, useDisable, useProviders, useSecret, type Provider } from './data.js';
import { providersTexts } from './texts.js';

const MICROS = 1_000_000;
const TONES: Readonly<Record<Provider['health'], Tone>> = {
  NEVER_ASKED: 'plain',
  OK: 'good',
  FAILING: 'warn',
  CIRCUIT_OPEN: 'bad',
  DISABLED: 'plain',
};
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const reais = (micros: number): string => money(micros / MICROS, 'BRL');

/** Who checks what in sessions, whether they answer, and what they cost. */
export function ProvidersScreen(): ReactElement {
  const t = useTexts(providersTexts);
  useTitle(t.title);
  const may = useMay();
  const complain = useComplain();
  const providers = useProviders();
  const disable = useDisable();
  const reveal = useSecret();
  const [asking, ask] = useState<Provider | 'NEW' | null>(null);
  const [secret, setSecret] = useState<readonly (readonly [string, string])[] | null>(null);
  const manages = may('flows:manage') === 'YES';
  const begin = (): void => {
    ask('NEW');
  };
  useShortcuts(manages ? [{ keys: 'N', label: t.new, footer: true, run: begin }] : []);
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {manages && (
          <Button className="end" look="main" keys="N" onClick={begin}>
            {t.new}
          </Button>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.title}
          pages={allOf(providers)}
          keyOf={({ name }) => name}
          empty={t.empty}
          columns={[
            [
              t.name,
              ({ name, version, url, singleControl }) => (
                <>
                  <strong>{name}</strong> <code className="quiet">@{version}</code>{' '}
                  {singleControl && <Pill tone="warn">{t.alone}</Pill>}
                  <div className="quiet small">{url}</div>
                </>
              ),
            ],
            [t.checks, (one) => one.checks.map((check) => word('providerCheck', check)).join(', ')],
            [
              t.health,
              ({ health, lastFailure, lastAnswerAt }) => (
                <>
                  <Pill tone={TONES[health]}>{word('providerHealth', health)}</Pill>
                  <div className="quiet small">
                    {lastAnswerAt !== null && t.last(relative(lastAnswerAt))}{' '}
                    {lastFailure !== null && <code>{lastFailure}</code>}
                  </div>
                </>
              ),
            ],
            [t.usage, (one) => <Usage provider={one} />],
            [
              t.cost,
              ({ usage, costMicros }) => (
                <>
                  {reais(sum(usage.map((day) => day.costMicros)))}
                  <div className="quiet small">{reais(costMicros)} / 1</div>
                </>
              ),
              'number',
            ],
            [t.rank, ({ rank }) => rank, 'number'],
            [
              '',
              (one) =>
                manages && (
                  <span className="row">
                    <Button
                      onClick={() => {
                        ask(one);
                      }}
                    >
                      {t.change}
                    </Button>
                    <Button
                      onClick={() => {
                        reveal.mutate(one.name, {
                          onSuccess: ({ secret: value }) => {
                            setSecret([[one.name, value]]);
                          },
                          onError: complain,
                        });
                      }}
                    >
                      {t.secret}
                    </Button>
                    {one.enabled && (
                      <Button
                        look="danger"
                        title={t.disableHint}
                        onClick={() => {
                          disable.mutate(one.name, {
                            onSuccess: () => {
                              say(t.disabled);
                            },
                            onError: complain,
                          });
                        }}
                      >
                        {t.disable}
                      </Button>
                    )}
                  </span>
                ),
            ],
          ]}
        />
      </section>
      {asking !== null && (
        <AskDialog
          provider={asking === 'NEW' ? null : asking}
          onClose={() => {
            ask(null);
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title={t.secretTitle}
          hint={t.secretHint}
          secrets={secret}
          onClose={() => {
            setSecret(null);
          }}
        />
      )}
    </div>
  );
}

/** How often a provider was asked, how often in vain, and the days of it. */
function Usage({ provider: { usage } }: { provider: Provider }): ReactElement {
  const t = useTexts(providersTexts);
  const calls = sum(usage.map((day) => day.calls));
  const failed = sum(usage.map((day) => day.failures));
  if (usage.length === 0) return <span className="quiet">—</span>;
  return (
    <details>
      <summary>{t.calls(number(calls), number(failed))}</summary>
      <table className="small">
        <thead>
          <tr>
            <th scope="col">{t.day}</th>
            <th scope="col" className="number">
              {t.callsColumn}
            </th>
            <th scope="col" className="number">
              {t.failures}
            </th>
            <th scope="col" className="number">
              ms
            </th>
            <th scope="col" className="number">
              R$
            </th>
          </tr>
        </thead>
        <tbody>
          {usage.map((day) => (
            <tr key={day.day}>
              <td>{date(day.day)}</td>
              <td className="number">{number(day.calls)}</td>
              <td className="number">{number(day.failures)}</td>
              <td className="number">{day.meanMs === null ? '—' : number(day.meanMs)}</td>
              <td className="number">{number(day.costMicros / MICROS)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function AskDialog({ provider, onClose }: { provider: Provider | null; onClose: () => void }): ReactElement {
  const t = useTexts(providersTexts);
  const c = useTexts(common);
  const ask = useAskForProvider();
  const { keep, new: another } = t.secretChoices;
  return (
    <FormDialog
      title={provider === null ? t.new : `${t.change}: ${provider.name}`}
      action={provider === null ? t.new : t.change}
      fields={[
        ...(provider === null
          ? [{ name: 'name', label: t.name, kind: 'text' as const, hint: t.nameHint }]
          : []),
        {
          name: 'checks',
          label: t.checks,
          kind: 'choices',
          options: checks.map((one) => [one, word('providerCheck', one)]),
          initial: provider?.checks ?? ['DOCUMENT'],
        },
        { name: 'url', label: t.url, kind: 'text', initial: provider?.url ?? 'https://' },
        { name: 'timeout', label: t.timeout, kind: 'number', initial: String(provider?.timeoutMs ?? 10_000) },
        {
          name: 'price',
          label: t.price,
          kind: 'number',
          initial: String((provider?.costMicros ?? 0) / MICROS),
        },
        {
          name: 'rank',
          label: t.rank,
          kind: 'number',
          hint: t.rankHint,
          initial: String(provider?.rank ?? 100),
        },
        ...(provider === null
          ? []
          : [
              {
                name: 'newSecret',
                label: t.newSecret,
                kind: 'choice' as const,
                options: [
                  ['keep', keep],
                  ['new', another],
                ] as const,
              },
            ]),
        { name: 'reason', label: c.why, kind: 'long', minimum: 10 },
      ]}
      onSend={async (filled) => {
        const { price = 0 } = filled.number('price');
        const { timeout: timeoutMs = 10_000 } = filled.number('timeout');
        await ask.mutateAsync({
          name: provider?.name ?? filled.text('name'),
          checks: checks.filter((one) => filled.many('checks').includes(one)),
          url: filled.text('url'),
          timeoutMs,
          costMicros: Math.round(price * MICROS),
          ...filled.number('rank'),
          ...(filled.text('newSecret') === 'new' && { newSecret: true }),
          reason: filled.text('reason'),
        });
        say(c.askedSecond);
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.askHint}</p>
    </FormDialog>
  );
}
