import { Injectable } from '@nestjs/common';
import { ClientAppQueries } from '../auth/index.js';
import {
  CustomerIdentificationService,
  CustomerRegistrationService,
  CustomersService,
} from '../customers/index.js';
import { conflict, orThrow, pick } from '../../platform/kernel/index.js';
import type { SessionActorContext } from './actor-context.js';
import type { SessionRow } from './domain/records.js';
import type { SessionRequest } from './domain/making/session-request.js';
import { PrivacyNoticesService } from './privacy-notices.service.js';

/** The customer and application of a session, and the settings of the application and organisation for it. */
export interface SessionParticipants {
  readonly customerId: string;
  readonly subjectIndex: Buffer;
  readonly clientAppId: string;
  readonly redirectUrls: readonly string[];
  readonly noticeVersion: number | null;
}

/** Finds the customer of a new session, and the application that gets its events. */
@Injectable()
export class SessionParticipantsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly identification: CustomerIdentificationService,
    private readonly registration: CustomerRegistrationService,
    private readonly apps: ClientAppQueries,
    private readonly notices: PrivacyNoticesService,
  ) {}

  /** Returns the application and the customer, who is registered if unknown. */
  async identify(
    ctx: SessionActorContext,
    request: SessionRequest,
    previous: SessionRow | null,
  ): Promise<SessionParticipants> {
    const { organisationId } = ctx;
    const noticeVersion = await this.notices.currentVersion(organisationId);
    const namedCustomerId = request.customerId ?? previous?.customerId;
    if (namedCustomerId !== undefined) {
      const customer = orThrow(
        await this.customers.find(organisationId, namedCustomerId),
        'CUSTOMER_NOT_FOUND',
      );
      const app = await this.appFor(
        organisationId,
        request.clientAppId ?? previous?.clientAppId ?? customer.clientAppId ?? undefined,
      );
      return { customerId: customer.id, subjectIndex: customer.subjectIndex, noticeVersion, ...app };
    }
    const app = await this.appFor(organisationId, request.clientAppId);
    const { clientAppId } = app;
    const observation = {
      organisationId,
      clientAppId,
      by: request.trigger === 'OPERATOR' ? 'OPERATOR' : 'SESSION',
      ...pick(ctx, 'requestId', 'correlationId', 'traceparent'),
    } as const;
    const { externalCustomerId } = request;
    if (externalCustomerId === undefined) {
      const { customerId, subjectIndex } = await this.registration.registerUnnamed(observation);
      return { customerId, subjectIndex, noticeVersion, ...app };
    }
    const [identified] = await this.identification.identify([
      { ...observation, externalCustomerId, taxId: null, name: null, birthDate: null },
    ]);
    if (!identified) throw new Error('a customer with an id of the integrator was not identified');
    const { customerId, subjectIndex } = identified;
    return { customerId, subjectIndex, noticeVersion, ...app };
  }

  /** Returns the named application, else the first enabled application. */
  private async appFor(
    organisationId: string,
    named: string | undefined,
  ): Promise<Pick<SessionParticipants, 'clientAppId' | 'redirectUrls'>> {
    if (named !== undefined) {
      const app = orThrow(await this.apps.findOne(organisationId, named), 'APP_NOT_FOUND');
      return { clientAppId: app.id, redirectUrls: app.redirectUrls };
    }
    const [first] = await this.apps.list(organisationId, { status: 'ENABLED', after: null, limit: 1 });
    if (!first) {
      throw conflict(
        'clientAppId',
        'NO_APPLICATION',
        'The organisation has no application to send events to.',
      );
    }
    return { clientAppId: first.id, redirectUrls: first.redirectUrls };
  }
}
