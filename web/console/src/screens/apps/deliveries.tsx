import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { SecretDialog } from '../../parts/dialogs/secret.js';
import { Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { startOf } from '../../texts/days.js';
import { dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import {
  useNewSigningSecret,
  useDeliveries,
  useDelivery,
  useEndpointAct,
  useRecover,
  useRetry,
  type Endpoint,
} from './data.js';
import { appsTexts } from './texts.js';

export function Deliveries({ endpoint }: { endpoint: Endpoint }): ReactElement {
  const t = useTexts(appsTexts);
  const may = useMay();
  const complain = useComplain();
  const act = useEndpointAct();
  const recover = useRecover();
  const deliveries = useDeliveries(endpoint.id);
  const [shown, show] = useState<string | null>(null);
  const newSecret = useNewSigningSecret();
  const [asking, ask] = useState<'RECOVER' | 'SECRET' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => {
    ask(null);
  };
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
                ask('RECOVER');
              }}
            >
              {t.recover}
            </Button>
            {may('webhooks:secrets') === 'YES' && (
              <Button
                onClick={() => {
                  ask('SECRET');
                }}
              >
                {t.newSigning}
              </Button>
            )}
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
      {asking === 'RECOVER' && (
        <FormDialog
          title={t.recover}
          about={endpoint.id}
          action={t.recover}
          fields={[{ name: 'since', label: t.since, kind: 'date' }]}
          onSend={async (filled) => {
            const since = startOf(filled.text('since'));
            await recover.mutateAsync({ id: endpoint.id, since });
            say(t.done);
          }}
          onClose={close}
        />
      )}
      {asking === 'SECRET' && (
        <FormDialog
          title={t.newSigning}
          about={endpoint.id}
          action={t.newSigning}
          fields={[{ name: 'overlap', label: t.overlap, kind: 'number', initial: '86400' }]}
          onSend={async (filled) => {
            const made = await newSecret.mutateAsync({
              id: endpoint.id,
              overlapSeconds: filled.count('overlap'),
            });
            setSecret(made.secret);
          }}
          onClose={close}
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
