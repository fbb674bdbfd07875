import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  eventTypes,
  useApps,
  useDeliveries,
  useDelivery,
  useEndpointAct,
  useEndpoints,
  useNewEndpoint,
  useRecover,
  useRetry,
  type Endpoint,
  type EventType,
} from './data.js';
import { appsTexts } from './texts.js';

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

function Deliveries({ endpoint }: { endpoint: Endpoint }): ReactElement {
  const t = useTexts(appsTexts);
  const may = useMay();
  const complain = useComplain();
  const act = useEndpointAct();
  const recover = useRecover();
  const deliveries = useDeliveries(endpoint.id);
  const [shown, show] = useState<string | null>(null);
  const [recovering, setRecovering] = useState(false);
  const run = (one: 'PAUSE' | 'RESUME' | 'TEST'): void => {
    act.mutate(
      { id: endpoint.id, act: one },
      {
        onSuccess: () => {
          say(t.done);
        },
        onError: complain,
      },
    );
  };
  return (
    <section className="card stack">
      <div className="row">
        <h2>{t.deliveries}</h2>
        {may('webhooks:manage') === 'YES' && (
          <span className="end row">
            <Button
              onClick={() => {
                run('TEST');
              }}
            >
              {t.test}
            </Button>
            <Button
              onClick={() => {
                run(endpoint.status === 'ACTIVE' ? 'PAUSE' : 'RESUME');
              }}
            >
              {endpoint.status === 'ACTIVE' ? t.pause : t.resume}
            </Button>
            <Button
              onClick={() => {
                setRecovering(true);
              }}
            >
              {t.recover}
            </Button>
          </span>
        )}
      </div>
      <Table
        caption={t.deliveries}
        pages={deliveries}
        keyOf={({ id }) => id}
        empty={t.deliveriesEmpty}
        columns={[
          [t.event, ({ eventType }) => <code>{eventType}</code>],
          [
            t.state,
            ({ status }) => (
              <Pill tone={status === 'DELIVERED' ? 'good' : status === 'EXHAUSTED' ? 'bad' : 'plain'}>
                {word('deliveryStatus', status)}
              </Pill>
            ),
          ],
          [t.attempts, ({ attempts }) => number(attempts), 'number'],
          [t.answer, ({ lastStatusCode, lastError }) => lastStatusCode ?? lastError ?? '—'],
          [t.when, ({ createdAt }) => relative(createdAt), 'quiet'],
          [
            '',
            ({ id }) => (
              <Button
                onClick={() => {
                  show(id);
                }}
              >
                {t.look}
              </Button>
            ),
          ],
        ]}
      />
      {shown !== null && (
        <DeliveryDialog
          id={shown}
          onClose={() => {
            show(null);
          }}
        />
      )}
      {recovering && (
        <FormDialog
          title={t.recover}
          action={t.recover}
          fields={[{ name: 'since', label: t.since, kind: 'date' }]}
          onSend={async (filled) => {
            const since = new Date(`${filled.text('since')}T00:00:00`).toISOString();
            await recover.mutateAsync({ id: endpoint.id, since });
            say(t.done);
          }}
          onClose={() => {
            setRecovering(false);
          }}
        />
      )}
    </section>
  );
}

function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }): ReactElement {
  const t = useTexts(appsTexts);
  const may = useMay();
  const complain = useComplain();
  const retry = useRetry();
  const one = useDelivery(id);
  return (
    <Dialog title={t.deliveries} wide onClose={onClose}>
      <Asked query={one}>
        {({ delivery, event }) => (
          <div className="stack">
            <p className="row">
              <code>{delivery.eventType}</code>
              <Pill>{word('deliveryStatus', delivery.status)}</Pill>
              {may('webhooks:manage') === 'YES' && (
                <Button
                  onClick={() => {
                    retry.mutate(id, {
                      onSuccess: () => {
                        say(t.done);
                      },
                      onError: complain,
                    });
                  }}
                >
                  {t.retry}
                </Button>
              )}
            </p>
            <h3>{t.attempts}</h3>
            <ol className="plain small">
              {delivery.log.map((attempt) => (
                <li key={attempt.number}>
                  {dateTime(attempt.startedAt)} · {number(attempt.durationMs)} ms ·{' '}
                  <strong>{attempt.statusCode ?? attempt.errorCode}</strong>{' '}
                  <span className="quiet">{attempt.responseExcerpt}</span>
                </li>
              ))}
            </ol>
            <h3>{t.payload}</h3>
            {event.payload === null ? (
              <p className="quiet">{t.noPayload}</p>
            ) : (
              <pre className="payload" tabIndex={0}>
                {JSON.stringify(event.payload, null, 2)}
              </pre>
            )}
          </div>
        )}
      </Asked>
    </Dialog>
  );
}
