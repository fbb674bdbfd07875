import { Injectable } from '@nestjs/common';
import type { Acting } from '../../audit/index.js';
import { envelope, listById, type Page, type PageQuery, type Success } from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { DeliveryLog } from '../delivery-log.service.js';
import { EndpointStates } from '../endpoint-states.service.js';
import { EndpointStatisticsReader } from '../endpoint-statistics.js';
import { Recoveries } from '../recoveries.service.js';
import type { LoggedAttempt, LoggedDelivery } from '../store/delivery-log.queries.js';
import { TestEvents } from '../test-events.service.js';
import { WebhookEndpoints } from '../webhook-endpoints.service.js';
import { deliveryFilter, endpointIn, recoveryRequest, scopeOf, testEventView } from './calls.js';
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

const endpointId = (id: string): string => uuidIn('whe', id, 'ENDPOINT_NOT_FOUND');
const deliveryId = (id: string): string => uuidIn('whd', id, 'DELIVERY_NOT_FOUND');

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
    acting: Acting,
    filter: Parameters<WebhookEndpoints['page']>[1],
    query: PageQuery,
  ): Promise<Page<EndpointView>> {
    return listById(
      query,
      (after, limit) => this.endpoints.page(scopeOf(acting), filter, after, limit),
      (row) => EndpointView.of(row),
    );
  }

  async create(
    acting: Acting,
    clientAppId: string,
    body: CreateEndpointBody,
  ): Promise<Success<EndpointSecretView>> {
    const created = await this.endpoints.create({
      ...endpointIn(body),
      ...acting,
      clientAppId,
    });
    return envelope(EndpointSecretView.of(created));
  }

  async read(acting: Acting, id: string): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.endpoints.get(scopeOf(acting), endpointId(id))));
  }

  async change(acting: Acting, id: string, body: ChangeEndpointBody): Promise<Success<EndpointView>> {
    return envelope(
      EndpointView.of(await this.endpoints.change(scopeOf(acting), endpointId(id), body, acting)),
    );
  }

  async remove(acting: Acting, id: string): Promise<Success<null>> {
    await this.states.remove(scopeOf(acting), endpointId(id), acting);
    return envelope(null);
  }

  async pause(acting: Acting, id: string, { reason }: PauseEndpointBody): Promise<Success<EndpointView>> {
    return envelope(
      EndpointView.of(await this.states.pause(scopeOf(acting), endpointId(id), acting, reason)),
    );
  }

  async resume(acting: Acting, id: string): Promise<Success<EndpointView>> {
    return envelope(EndpointView.of(await this.states.resume(scopeOf(acting), endpointId(id), acting)));
  }

  async disable(acting: Acting, id: string, { reason }: DisableEndpointBody): Promise<Success<EndpointView>> {
    return envelope(
      EndpointView.of(await this.states.disable(scopeOf(acting), endpointId(id), acting, reason)),
    );
  }

  async rotate(
    acting: Acting,
    id: string,
    { overlapSeconds }: RotateSecretBody,
  ): Promise<Success<EndpointSecretView>> {
    const rotated = await this.states.rotate(scopeOf(acting), endpointId(id), overlapSeconds, acting);
    return envelope(EndpointSecretView.of(rotated));
  }

  async test(acting: Acting, id: string, { type }: TestEventBody): Promise<Success<TestEventView>> {
    return envelope(testEventView(await this.tests.send(scopeOf(acting), endpointId(id), type, acting)));
  }

  async numbers(
    acting: Acting,
    id: string,
    { hours }: StatisticsQuery,
  ): Promise<Success<EndpointStatisticsView>> {
    return envelope(
      EndpointStatisticsView.of(await this.statistics.of(scopeOf(acting), endpointId(id), hours)),
    );
  }

  async recover(acting: Acting, id: string, body: RecoverBody): Promise<Success<RecoveryView>> {
    const started = await this.recoveries.start(
      scopeOf(acting),
      endpointId(id),
      recoveryRequest(body),
      acting,
    );
    return envelope(RecoveryView.of(started));
  }

  async listRecoveries(acting: Acting, id: string, query: PageQuery): Promise<Page<RecoveryView>> {
    const endpoint = endpointId(id);
    return listById(
      query,
      (before, limit) => this.recoveries.page(scopeOf(acting), endpoint, before, limit),
      (row) => RecoveryView.of(row),
    );
  }

  async readRecovery(acting: Acting, id: string, recoveryId: string): Promise<Success<RecoveryView>> {
    const recovery = uuidIn('whr', recoveryId, 'RECOVERY_NOT_FOUND');
    return envelope(RecoveryView.of(await this.recoveries.get(scopeOf(acting), endpointId(id), recovery)));
  }

  async deliveries(acting: Acting, query: DeliveryQuery): Promise<Page<DeliveryView>> {
    const filter = deliveryFilter(query);
    return listById(
      query,
      (before, limit) => this.log.page(scopeOf(acting), filter, before, limit),
      (row) => DeliveryView.of(row),
    );
  }

  /** A delivery with its attempts; the two APIs show different things of them. */
  async delivery(
    acting: Acting,
    id: string,
  ): Promise<{ delivery: LoggedDelivery; attempts: LoggedAttempt[] }> {
    return this.log.get(scopeOf(acting), deliveryId(id));
  }

  async retry(acting: Acting, id: string): Promise<Success<DeliveryView>> {
    return envelope(DeliveryView.of(await this.log.retry(scopeOf(acting), deliveryId(id), acting)));
  }
}
