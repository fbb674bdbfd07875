/** Applications of integrators and the addresses that their events go to. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type App = Schemas['ClientAppView'];
export type Scope = App['scopes'][number];
export type AppInputs = Schemas['InputReportView']['applications'][number];
export type InputName = AppInputs['inputs'][number]['input'];
export type Endpoint = Schemas['EndpointView'];
export type EventType = Endpoint['eventTypes'][number];
export type Delivery = Schemas['DeliveryView'];

/** All names of a closed set; one that the API has and that is left out does not compile. */
const every = <T extends string>(names: Readonly<Record<T, true>>): readonly T[] => Object.keys(names) as T[];

export const scopes = every<Scope>({
  'kyt:ingest': true,
  'kyt:read': true,
  'transactions:write': true,
  'customers:read': true,
  'customers:write': true,
  'events:read': true,
  'requests:read': true,
  'sessions:read': true,
  'sessions:create': true,
  'webhooks:manage': true,
});

/** The inputs that an application may leave out, in the order of the questions. */
export const inputs = every<InputName>({
  DICT: true,
  DEVICE: true,
  PROFILE: true,
  COUNTERPARTY_DOCUMENT: true,
});

/** The catalogue of events. */
export const eventTypes = every<EventType>({
  'kyt.transaction.queued': true,
  'kyt.transaction.pipeline.completed': true,
  'kyt.transaction.dead_lettered': true,
  'session.created': true,
  'session.completed': true,
  'session.reopened': true,
  'customer.identified': true,
});

export const useApps = (): Pages<App> =>
  usePages({
    key: ['apps'],
    ask: (cursor) => answerOf(api.GET('/operator/client-apps', { params: { query: pageQuery(cursor) } })),
  });

export const useQuotas = (): UseQueryResult<readonly Schemas['QuotaView'][]> =>
  useQuery({
    queryKey: ['apps', 'quotas'],
    queryFn: async () => (await dataOf(api.GET('/operator/quotas', {}))).quotas,
  });

/** Asks what each application sends, and what the missing costs. */
export const useInputs = (): UseQueryResult<readonly AppInputs[]> =>
  useQuery({
    queryKey: ['apps', 'inputs'],
    queryFn: async () => (await dataOf(api.GET('/operator/inputs', {}))).applications,
  });

export const useEndpoints = (): Pages<Endpoint> =>
  usePages({
    key: ['webhooks'],
    refetchInterval: live(15_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/webhook-endpoints', { params: { query: pageQuery(cursor) } })),
  });

export const useDeliveries = (endpointId: string): Pages<Delivery> =>
  usePages({
    key: ['deliveries', endpointId],
    refetchInterval: live(5_000),
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/webhook-deliveries', {
          params: { query: { ...pageQuery(cursor, 50), endpointId } },
        }),
      ),
  });

/** A delivery with every attempt, and the event that it carries. */
export const useDelivery = (
  id: string,
): UseQueryResult<{
  readonly delivery: Schemas['OperatorDeliveryDetailView'];
  readonly event: Schemas['EventDetailView'];
}> =>
  useQuery({
    queryKey: ['deliveries', 'one', id],
    refetchInterval: live(5_000),
    queryFn: async () => {
      const delivery = await dataOf(
        api.GET('/operator/webhook-deliveries/{id}', { params: { path: { id } } }),
      );
      const event = await dataOf(
        api.GET('/operator/events/{id}', { params: { path: { id: delivery.eventId } } }),
      );
      return { delivery, event };
    },
  });

const useChange = changing('apps', 'webhooks', 'deliveries', 'approvals', 'home');

const path = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

export const useNewApp = (): UseMutationResult<
  Schemas['NewClientAppView'],
  Error,
  Schemas['NewClientAppBody']
> => useChange((body) => dataOf(api.POST('/operator/client-apps', { body })));

export const useChangeApp = (): UseMutationResult<
  unknown,
  Error,
  { id: string; body: Schemas['ChangeClientAppBody'] }
> => useChange(({ id, body }) => dataOf(api.PATCH('/operator/client-apps/{id}', { ...path(id), body })));

/** Sets what an application does not send; with a reason it is asked for, as a second person approves more of it. */
export const useSetInputs = (): UseMutationResult<
  unknown,
  Error,
  { id: string; withoutInputs: InputName[]; reason: string | null }
> =>
  useChange<{ id: string; withoutInputs: InputName[]; reason: string | null }, unknown>(
    ({ id, withoutInputs, reason }) =>
      reason === null
        ? dataOf(api.PATCH('/operator/client-apps/{id}', { ...path(id), body: { withoutInputs } }))
        : dataOf(
            api.POST('/operator/client-apps/{id}/inputs', { ...path(id), body: { withoutInputs, reason } }),
          ),
  );

/** Asks for the scope by which an application writes what customers declare; a second person approves it. */
export const useAskToWrite = (): UseMutationResult<unknown, Error, { app: App; reason: string }> =>
  useChange(({ app, reason }) =>
    dataOf(
      api.POST('/operator/client-apps/{id}/scopes', {
        ...path(app.id),
        body: { scopes: [...app.scopes, 'customers:write'], reason },
      }),
    ),
  );

/** Whether two people give a secret to the application, and enable it again. */
export const writes = (app: App): boolean => app.scopes.includes('customers:write');

/** Makes a secret; with a reason it is asked for, and good when a second person approves it. */
export const useNewSecret = (): UseMutationResult<
  string,
  Error,
  { id: string; overlapSeconds: number; reason: string | null }
> =>
  useChange(async ({ id, overlapSeconds, reason }) => {
    if (reason === null) {
      const given = await dataOf(
        api.POST('/operator/client-apps/{id}/secrets', { ...path(id), body: { overlapSeconds } }),
      );
      return given.clientSecret;
    }
    const body = { overlapSeconds, reason };
    const asked = await dataOf(api.POST('/operator/client-apps/{id}/secrets/request', { ...path(id), body }));
    return asked.clientSecret;
  });

export const useSwitchApp = (): UseMutationResult<unknown, Error, { id: string; on: boolean }> =>
  useChange<{ id: string; on: boolean }, unknown>(({ id, on }) =>
    on
      ? dataOf(api.POST('/operator/client-apps/{id}/enable', path(id)))
      : dataOf(api.POST('/operator/client-apps/{id}/disable', path(id))),
  );

export const useAskToEnable = (): UseMutationResult<unknown, Error, { id: string; reason: string }> =>
  useChange(({ id, reason }) =>
    dataOf(api.POST('/operator/client-apps/{id}/enable/request', { ...path(id), body: { reason } })),
  );

export const useNewEndpoint = (): UseMutationResult<
  Schemas['EndpointSecretView'],
  Error,
  Schemas['OperatorCreateEndpointBody']
> => useChange((body) => dataOf(api.POST('/operator/webhook-endpoints', { body })));

export type EndpointAct = 'PAUSE' | 'RESUME' | 'TEST';

export const useEndpointAct = (): UseMutationResult<unknown, Error, { id: string; act: EndpointAct }> =>
  useChange<{ id: string; act: EndpointAct }, unknown>(({ id, act }) => {
    if (act === 'PAUSE') {
      return dataOf(api.POST('/operator/webhook-endpoints/{id}/pause', { ...path(id), body: {} }));
    }
    return act === 'RESUME'
      ? dataOf(api.POST('/operator/webhook-endpoints/{id}/resume', { ...path(id), body: {} }))
      : dataOf(api.POST('/operator/webhook-endpoints/{id}/test', { ...path(id), body: {} }));
  });

/** A new signing secret; the old one signs as well until the overlap is over. */
export const useNewSigningSecret = (): UseMutationResult<
  Schemas['EndpointSecretView'],
  Error,
  { id: string; overlapSeconds: number }
> =>
  useChange(({ id, overlapSeconds }) =>
    dataOf(
      api.POST('/operator/webhook-endpoints/{id}/secret/rotate', { ...path(id), body: { overlapSeconds } }),
    ),
  );

export const useRecover = (): UseMutationResult<
  Schemas['RecoveryView'],
  Error,
  { id: string; since: string }
> =>
  useChange(({ id, since }) =>
    dataOf(api.POST('/operator/webhook-endpoints/{id}/recover', { ...path(id), body: { since } })),
  );

export const useRetry = (): UseMutationResult<unknown, Error, string> =>
  useChange((id) => dataOf(api.POST('/operator/webhook-deliveries/{id}/retry', { ...path(id), body: {} })));
