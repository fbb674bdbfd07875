import { Injectable } from '@nestjs/common';
import { cursorKeys, envelope, page, type Page, type PageQuery, type Success } from '../../http/index.js';
import { DeliveryLog } from '../delivery-log.service.js';
import type { EndpointScope } from '../endpoint-trail.js';
import { EndpointStates } from '../endpoint-states.service.js';
import { EndpointStatisticsReader } from '../endpoint-statistics.js';
import { Recoveries } from '../recoveries.service.js';
import type { LoggedAttempt, LoggedDelivery } from '../store/delivery-log.queries.js';
import { TestEvents } from '../test-events.service.js';
import { WebhookEndpoints } from '../webhook-endpoints.service.js';
import { deliveryFilter, endpointIn, recoveryRequest, testEventView, type Caller } from './calls.js';
import { DeliveryView, type DeliveryQuery } from './delivery.dto.js';
import type {
  ChangeEndpointBody,
  CreateEndpointBody,
  DisableEndpointBody,
  PauseEndpointBody,
  RecoverBody,
  RotateSecretBody,
  StatisticsQuery,
  TestEventBody,
} from './endpoint.dto.js';
import {
  EndpointSecretView,
  EndpointStatisticsView,
  EndpointView,
  RecoveryView,
  type TestEventView,
} from './endpoint.view.dto.js';
import { idIn } from './params.js';

const endpointId = (id: string): string => idIn('whe', id, 'ENDPOINT_NOT_FOUND');
const deliveryId = (id: string): string => idIn('whd', id, 'DELIVERY_NOT_FOUND');
const lastId = (cursor: string | undefined): string | null =>
  (cursorKeys(cursor, 'uuid')?.[0] as string | undefined) ?? null;
const keysOf = ({ id }: { readonly id: string }): string[] => [id];

/** What both APIs answer about endpoints and deliveries. They differ in who may ask, and whose endpoints he sees. */
@Injectable()
export class WebhookAnswers {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly states: EndpointStates,
    private readonly tests: TestEvents,
    private readonly statistics: EndpointStatisticsReader,
    private readonly recoveries: Recoveries,
    private readonly log: DeliveryLog,
  ) {}

  async list(
    scope: EndpointScope,
    filter: Parameters<WebhookEndpoints['page']>[1],
    { cursor, limit }: PageQuery,
  ): Promise<Page<EndpointView>> {
    const rows = await this.endpoints.page(scope, filter, lastId(cursor), limit);
    return page(rows, limit, keysOf, (row) => EndpointView.of(row));
  }

  async create(
    { scope: { organisationId }, by }: Caller,
    clientAppId: string,
    body: CreateEndpointBody,
  ): Promise<Success<EndpointSecretView>> {
    const created = await this.endpoints.create({ ...endpointIn(body), ...by, organisationId, clientAppId });
    return envelope(EndpointSecretView.of(created));
  }

  async read(scope: EndpointScope, id: string): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.endpoints.get(scope, endpointId(id))));
  }

  async change({ scope, by }: Caller, id: string, body: ChangeEndpointBody): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.endpoints.change(scope, endpointId(id), body, by)));
  }

  async remove({ scope, by }: Caller, id: string): Promise<Success<null>> {
    await this.states.remove(scope, endpointId(id), by);
    return envelope(null);
  }

  async pause(
    { scope, by }: Caller,
    id: string,
    { reason }: PauseEndpointBody,
  ): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.states.pause(scope, endpointId(id), by, reason)));
  }

  async resume({ scope, by }: Caller, id: string): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.states.resume(scope, endpointId(id), by)));
  }

  async disable(
    { scope, by }: Caller,
    id: string,
    { reason }: DisableEndpointBody,
  ): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.states.disable(scope, endpointId(id), by, reason)));
  }

  async rotate(
    { scope, by }: Caller,
    id: string,
    { overlapSeconds }: RotateSecretBody,
  ): Promise<Success<EndpointSecretView>> {
    const rotated = await this.states.rotate(scope, endpointId(id), overlapSeconds, by);
    return envelope(EndpointSecretView.of(rotated));
  }

  async test({ scope, by }: Caller, id: string, { type }: TestEventBody): Promise<Success<TestEventView>> {
    return envelope(testEventView(await this.tests.send(scope, endpointId(id), type, by)));
  }

  async numbers(
    scope: EndpointScope,
    id: string,
    { hours }: StatisticsQuery,
  ): Promise<Success<EndpointStatisticsView>> {
    return envelope(EndpointStatisticsView.of(await this.statistics.of(scope, endpointId(id), hours)));
  }

  async recover({ scope, by }: Caller, id: string, body: RecoverBody): Promise<Success<RecoveryView>> {
    const started = await this.recoveries.start(scope, endpointId(id), recoveryRequest(body), by);
    return envelope(RecoveryView.of(started));
  }

  async listRecoveries(
    scope: EndpointScope,
    id: string,
    { cursor, limit }: PageQuery,
  ): Promise<Page<RecoveryView>> {
    const rows = await this.recoveries.page(scope, endpointId(id), lastId(cursor), limit);
    return page(rows, limit, keysOf, (row) => RecoveryView.of(row));
  }

  async readRecovery(scope: EndpointScope, id: string, recoveryId: string): Promise<Success<RecoveryView>> {
    const recovery = idIn('whr', recoveryId, 'RECOVERY_NOT_FOUND');
    return envelope(RecoveryView.of(await this.recoveries.get(scope, endpointId(id), recovery)));
  }

  async deliveries(scope: EndpointScope, query: DeliveryQuery): Promise<Page<DeliveryView>> {
    const rows = await this.log.page(scope, deliveryFilter(query), lastId(query.cursor), query.limit);
    return page(rows, query.limit, keysOf, (row) => DeliveryView.of(row));
  }

  /** A delivery with its attempts; the two APIs show different things of them. */
  async delivery(
    scope: EndpointScope,
    id: string,
  ): Promise<{ delivery: LoggedDelivery; attempts: LoggedAttempt[] }> {
    return this.log.get(scope, deliveryId(id));
  }

  async retry({ scope, by }: Caller, id: string): Promise<Success<DeliveryView>> {
    return envelope(DeliveryView.of(await this.log.retry(scope, deliveryId(id), by)));
  }
}
