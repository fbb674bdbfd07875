import { useState, type ReactElement, type SyntheticEvent } from 'react';
import { answerOf, api, type Schemas } from '../../api/client.js';
import { pageQuery, usePages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';
import { Empty, Failure, Skeleton } from '../../parts/answers.js';
import { Button, Facts, Field, Pill, type Tone } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { common } from '../../texts/common.js';
import { endOf, startOf } from '../../texts/days.js';
import { dateTime, number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { useApps, type App } from '../apps/data.js';
import { requestsTexts } from './texts.js';

type Logged = Schemas['LoggedRequestView'];
const FILTERS = ['requestId', 'route', 'status', 'code', 'since', 'until'] as const;
type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

/** Requests of an application, and why they were refused. */
export function RequestsScreen(): ReactElement {
  const t = useTexts(requestsTexts);
  useTitle(t.title);
  const apps = useApps();
  const [chosen, choose] = useState<string | null>(null);
  const app = apps.items?.find(({ id }) => id === chosen) ?? apps.items?.[0];
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {apps.items && app && (
          <select
            className="input slim end"
            aria-label={t.app}
            value={app.id}
            onChange={(event) => {
              choose(event.target.value);
            }}
          >
            {apps.items.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </header>
      {apps.error && <Failure error={apps.error} retry={() => void apps.refetch()} />}
      {!apps.items && !apps.error && <Skeleton />}
      {apps.items?.length === 0 && <Empty title={t.noApp[0]}>{t.noApp[1]}</Empty>}
      {app && <Log key={app.id} app={app} />}
    </div>
  );
}

/** Filters as the route takes them: days become moments, a status a number. */
function queryOf({ status, since, until, ...texts }: Filters) {
  return {
    ...texts,
    ...(status !== undefined && { status: Number(status) }),
    ...(since !== undefined && { since: startOf(since) }),
    ...(until !== undefined && { until: endOf(until) }),
  };
}

function Log({ app }: { app: App }): ReactElement {
  const t = useTexts(requestsTexts);
  const [typed, type] = useState<Filters>({});
  const [filters, filter] = useState<Filters>({});
  const [looked, look] = useState<Logged | null>(null);
  const filtered = Object.keys(filters).length > 0;
  const requests = usePages<Logged>({
    key: ['requests', app.id, filters],
    refetchInterval: live(10_000),
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/requests', {
          params: { query: { ...pageQuery(cursor, 50), clientAppId: app.id, ...queryOf(filters) } },
        }),
      ),
  });
  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    filter(Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== '')));
  };
  const names = {
    ...{ requestId: t.find, route: t.route, status: t.status, code: t.code },
    ...{ since: t.since, until: t.until },
  };
  return (
    <>
      <form className="card stack" onSubmit={search}>
        <div className="fields small-ones">
          {FILTERS.map((name) => (
            <Field key={name} label={names[name]}>
              {(given) => (
                <input
                  {...given}
                  type={name === 'since' || name === 'until' ? 'date' : 'text'}
                  {...(name === 'status' && { inputMode: 'numeric' as const, pattern: '[1-5][0-9]{2}' })}
                  autoComplete="off"
                  spellCheck={false}
                  value={typed[name] ?? ''}
                  onChange={(event) => {
                    type({ ...typed, [name]: event.target.value });
                  }}
                />
              )}
            </Field>
          ))}
        </div>
        <div className="row">
          <Button look="main" type="submit">
            {t.search}
          </Button>
          {filtered && (
            <Button
              onClick={() => {
                type({});
                filter({});
              }}
            >
              {t.clear}
            </Button>
          )}
        </div>
      </form>
      <section className="card">
        <Table
          caption={t.title}
          pages={requests}
          keyOf={({ requestId }) => requestId}
          empty={filtered ? t.nothing : t.empty}
          columns={[
            [
              t.request,
              ({ method, route }) => (
                <>
                  <strong>{method}</strong> <code>{route}</code>
                </>
              ),
            ],
            [
              t.status,
              ({ status, code }) => (
                <>
                  <Pill tone={toneOf(status)}>{status}</Pill> {code !== null && <code>{code}</code>}
                </>
              ),
            ],
            [t.when, ({ at }) => dateTime(at), 'quiet'],
            [t.duration, ({ durationMs }) => `${number(durationMs)} ms`, 'number'],
            [t.find, ({ requestId }) => <code className="quiet small">{requestId}</code>],
            [
              '',
              (one) => (
                <Button
                  onClick={() => {
                    look(one);
                  }}
                >
                  {t.look}
                </Button>
              ),
            ],
          ]}
        />
      </section>
      {looked && (
        <One
          request={looked}
          onClose={() => {
            look(null);
          }}
        />
      )}
    </>
  );
}

function One({ request, onClose }: { request: Logged; onClose: () => void }): ReactElement {
  const t = useTexts(requestsTexts);
  const c = useTexts(common);
  return (
    <Dialog title={`${request.method} ${request.route}`} wide onClose={onClose}>
      <section>
        <Facts
          items={[
            [
              t.status,
              <span key="status" className="row">
                <Pill tone={toneOf(request.status)}>{request.status}</Pill>
                {request.code !== null && <code>{request.code}</code>}
              </span>,
            ],
            [t.find, <code key="id">{request.requestId}</code>],
            [t.correlation, <code key="correlation">{request.correlationId}</code>],
            [t.when, dateTime(request.at)],
            [t.duration, `${number(request.durationMs)} ms`],
            [t.size, request.bytesIn === null ? c.unknown : `${number(request.bytesIn)} B`],
            [t.fields, <code key="fields">{request.fields.join(', ') || '—'}</code>],
          ]}
        />
        <h3>{t.faults}</h3>
        {request.faults.length === 0 && <p className="quiet">{t.noFaults}</p>}
        <ul className="plain">
          {request.faults.map(({ path, code }, at) => (
            <li key={at}>
              <code>{path === '' ? t.body : path}</code> <Pill tone="bad">{code}</Pill>
            </li>
          ))}
        </ul>
        <div>
          <Button onClick={onClose}>{c.close}</Button>
        </div>
      </section>
    </Dialog>
  );
}
