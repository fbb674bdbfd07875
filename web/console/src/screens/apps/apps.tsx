import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import type { Filled } from '../../parts/dialogs/filled.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  scopes,
  useApps,
  useAskToEnable,
  useAskToWrite,
  useChangeApp,
  useNewApp,
  useNewSecret,
  useSwitchApp,
  writes,
  type App,
  type Scope,
} from './data.js';
import { Inputs } from './inputs.js';
import { Quotas } from './quotas.js';
import { appsTexts } from './texts.js';

type Asking =
  { readonly kind: 'NEW' } | { readonly kind: 'CHANGE' | 'SECRET' | 'WRITE' | 'ENABLE'; readonly app: App };

/** Applications: their scopes and limits, and secrets that are shown once. */
export function AppsScreen(): ReactElement {
  const t = useTexts(appsTexts);
  useTitle(t.title);
  const may = useMay();
  const complain = useComplain();
  const apps = useApps();
  const make = useNewApp();
  const change = useChangeApp();
  const write = useAskToWrite();
  const renew = useNewSecret();
  const turn = useSwitchApp();
  const enable = useAskToEnable();
  const [asking, ask] = useState<Asking | null>(null);
  const [secret, setSecret] = useState<readonly (readonly [string, string])[] | null>(null);
  const close = (): void => {
    ask(null);
  };
  const manages = may('apps:manage') === 'YES';
  const fields = (app: App | null): readonly FormField[] => [
    { name: 'name', label: t.name, kind: 'text', initial: app?.name ?? '' },
    { name: 'publicName', label: t.publicName, kind: 'text', initial: app?.publicName ?? '' },
    {
      name: 'scopes',
      label: t.scopes,
      kind: 'choices',
      // Two people grant this one.
      options: scopes
        .filter((one) => one !== 'customers:write' || app?.scopes.includes(one) === true)
        .map((one) => [one, one]),
      initial: app?.scopes ?? ['kyt:ingest', 'kyt:read'],
    },
    { name: 'perSecond', label: t.rate, kind: 'number', initial: String(app?.rateLimit.perSecond ?? 50) },
    { name: 'burst', label: t.burst, kind: 'number', initial: String(app?.rateLimit.burst ?? 100) },
  ];
  const bodyOf = (filled: Filled) => ({
    name: filled.text('name'),
    publicName: filled.text('publicName'),
    scopes: [...filled.many('scopes')] as Scope[],
    rateLimit: { perSecond: filled.count('perSecond'), burst: filled.count('burst') },
  });
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {may('apps:secrets') === 'YES' && (
          <Button
            className="end"
            onClick={() => {
              ask({ kind: 'NEW' });
            }}
          >
            {t.new}
          </Button>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.title}
          pages={apps}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.app,
              ({ name, clientId }) => (
                <>
                  <strong>{name}</strong> <code className="quiet">{clientId}</code>
                </>
              ),
            ],
            [
              t.state,
              ({ status }) => (
                <Pill tone={status === 'ENABLED' ? 'good' : 'warn'}>{word('appStatus', status)}</Pill>
              ),
            ],
            [t.scopes, (app) => <span className="small">{app.scopes.join(', ')}</span>],
            [
              t.limit,
              ({ rateLimit }) => t.perSecond(number(rateLimit.perSecond), number(rateLimit.burst)),
              'quiet',
            ],
            [t.used, ({ lastUsedAt }) => (lastUsedAt === null ? t.never : relative(lastUsedAt)), 'quiet'],
            [
              '',
              (app) => (
                <span className="row">
                  {manages && (
                    <Button
                      onClick={() => {
                        ask({ kind: 'CHANGE', app });
                      }}
                    >
                      {t.change}
                    </Button>
                  )}
                  {may('apps:secrets') === 'YES' && !writes(app) && (
                    <Button
                      onClick={() => {
                        ask({ kind: 'WRITE', app });
                      }}
                    >
                      {t.write}
                    </Button>
                  )}
                  {may('apps:secrets') === 'YES' && (
                    <Button
                      onClick={() => {
                        ask({ kind: 'SECRET', app });
                      }}
                    >
                      {t.newSecret}
                    </Button>
                  )}
                  {manages && app.status !== 'REVOKED' && (
                    <Button
                      onClick={() => {
                        const on = app.status !== 'ENABLED';
                        if (on && writes(app)) ask({ kind: 'ENABLE', app });
                        else turn.mutate({ id: app.id, on }, { onError: complain });
                      }}
                    >
                      {app.status === 'ENABLED' ? t.disable : t.enable}
                    </Button>
                  )}
                </span>
              ),
            ],
          ]}
        />
      </section>
      {may('rules:read') === 'YES' && <Inputs />}
      <Quotas />
      {asking?.kind === 'NEW' && (
        <FormDialog
          title={t.new}
          action={t.create}
          fields={fields(null)}
          onSend={async (filled) => {
            const { clientId, clientSecret } = await make.mutateAsync(bodyOf(filled));
            setSecret([
              [t.clientId, clientId],
              [t.clientSecret, clientSecret],
            ]);
          }}
          onClose={close}
        />
      )}
      {asking?.kind === 'CHANGE' && (
        <FormDialog
          title={t.change}
          about={asking.app.id}
          action={t.change}
          fields={fields(asking.app)}
          onSend={async (filled) => {
            await change.mutateAsync({ id: asking.app.id, body: bodyOf(filled) });
            say(t.done);
          }}
          onClose={close}
        />
      )}
      {asking?.kind === 'WRITE' && (
        <WritingDialog
          title={t.write}
          about={asking.app.id}
          label={t.why}
          minimum={10}
          action={t.write}
          onSend={async (reason) => {
            await write.mutateAsync({ app: asking.app, reason });
            say(t.asked);
          }}
          onClose={close}
        />
      )}
      {asking?.kind === 'ENABLE' && (
        <WritingDialog
          title={t.enable}
          about={asking.app.id}
          label={t.why}
          minimum={10}
          action={t.enable}
          onSend={async (reason) => {
            await enable.mutateAsync({ id: asking.app.id, reason });
            say(t.asked);
          }}
          onClose={close}
        />
      )}
      {asking?.kind === 'SECRET' && (
        <FormDialog
          title={t.newSecret}
          about={asking.app.id}
          action={t.newSecret}
          fields={[
            { name: 'overlap', label: t.overlap, kind: 'number', initial: '86400' },
            ...(writes(asking.app) ? [{ name: 'reason', label: t.why, kind: 'text' } as const] : []),
          ]}
          onSend={async (filled) => {
            const { id, clientId } = asking.app;
            const clientSecret = await renew.mutateAsync({
              id,
              overlapSeconds: filled.count('overlap'),
              reason: writes(asking.app) ? filled.text('reason') : null,
            });
            if (writes(asking.app)) say(t.asked);
            setSecret([
              [t.clientId, clientId],
              [t.clientSecret, clientSecret],
            ]);
          }}
          onClose={close}
        />
      )}
      {secret && (
        <SecretDialog
          title={t.clientSecret}
          hint={t.secretShown}
          secrets={secret}
          onClose={() => {
            setSecret(null);
          }}
        />
      )}
    </div>
  );
}
