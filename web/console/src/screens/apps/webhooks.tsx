import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Button, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { eventTypes, useApps, useEndpoints, useNewEndpoint, type Endpoint, type EventType } from './data.js';
import { appsTexts } from './texts.js';
import { Deliveries } from './deliveries.js';

/** Where events go, whether they arrive, and what they carry. */
export function WebhooksScreen(): ReactElement {
  const t = useTexts(appsTexts);
  useTitle(t.webhooks);
  const may = useMay();
  const endpoints = useEndpoints();
  const apps = useApps();
  const make = useNewEndpoint();
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const shown = endpoints.items?.find(({ id }) => id === chosen) ?? endpoints.items?.[0];
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.webhooks}</h1>
        {may('webhooks:secrets') === 'YES' && (
          <Button
            className="end"
            onClick={() => {
              setMaking(true);
            }}
          >
            {t.newHook}
          </Button>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.webhooks}
          pages={endpoints}
          keyOf={({ id }) => id}
          empty={t.hooksEmpty}
          columns={[
            [t.endpoint, ({ url }) => <code>{url}</code>],
            [
              t.state,
              ({ status, failingSince }) => (
                <Pill tone={status !== 'ACTIVE' ? 'warn' : failingSince === null ? 'good' : 'bad'}>
                  {word('endpointStatus', failingSince !== null && status === 'ACTIVE' ? 'FAILING' : status)}
                </Pill>
              ),
            ],
            [t.events, ({ eventTypes: types }) => number(types.length), 'number'],
            [
              '',
              ({ id }) => (
                <Button
                  aria-pressed={id === shown?.id}
                  onClick={() => {
                    choose(id);
                  }}
                >
                  {t.deliveries}
                </Button>
              ),
            ],
          ]}
        />
      </section>
      {shown && <Deliveries key={shown.id} endpoint={shown} />}
      <details className="card">
        <summary>{t.catalogue}</summary>
        <dl className="facts">
          {eventTypes.map((type) => (
            <div key={type} style={{ display: 'contents' }}>
              <dt>
                <code>{type}</code>
              </dt>
              <dd>{t.catalogueText[type]}</dd>
            </div>
          ))}
        </dl>
      </details>
      {making && (
        <FormDialog
          title={t.newHook}
          action={t.create}
          fields={[
            {
              name: 'app',
              label: t.app,
              kind: 'choice',
              options: (apps.items ?? []).map(({ id, name }) => [id, name]),
            },
            { name: 'url', label: t.url, kind: 'text' },
            {
              name: 'types',
              label: t.events,
              kind: 'choices',
              options: eventTypes.map((one) => [one, one]),
              initial: eventTypes,
            },
            {
              name: 'ordering',
              label: t.ordering,
              kind: 'choice',
              options: [
                ['none', t.orderings.none],
                ['per_resource', t.orderings.per_resource],
              ],
            },
          ]}
          onSend={async (filled) => {
            const made = await make.mutateAsync({
              clientAppId: filled.text('app'),
              url: filled.text('url'),
              eventTypes: [...filled.many('types')] as EventType[],
              ordering: filled.text('ordering') as Endpoint['ordering'],
            });
            setSecret(made.secret);
          }}
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title={t.hookSecret}
          hint={t.secretShown}
          secrets={[[t.hookSecret, secret]]}
          onClose={() => {
            setSecret(null);
          }}
        />
      )}
    </div>
  );
}
