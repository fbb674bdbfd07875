import { Injectable } from '@nestjs/common';
import {
  CompanyPeopleService,
  CustomerIdentificationService,
  maskedDocument,
  CustomersService,
  type IdentificationResult,
} from '../../customers/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { sessionSystemActor } from '../actor-context.js';
import type { NamedPerson } from '../domain/flow/roles.js';
import { isWordOfOne } from '../domain/session-history.js';
import type { SessionResult, SessionRow } from '../domain/records.js';
import { SessionIssuerService, type PreparedSession } from '../session-issuer.service.js';
import { SessionPersonEntity } from '../store/entities.js';
import { SessionRepository } from '../store/session.repository.js';

/** An owner or representative with their customer record; null if the person has no tax id. */
export interface IdentifiedPerson extends NamedPerson {
  readonly identified: IdentificationResult | null;
}

export interface ScreenedPerson extends IdentifiedPerson {
  /** True if the person could be compared with every required list. */
  readonly screened: boolean;
  readonly hitIds: readonly string[];
}

/** The people of a company with their new sessions, stored in the commit of its result. */
export interface PreparedPeople {
  readonly people: readonly ScreenedPerson[];
  readonly children: ReadonlyMap<number, PreparedSession>;
}

/** An owner or representative, with the session that they were sent; null if none. */
export interface CompanyTreePerson {
  readonly person: SessionPersonEntity;
  readonly name: string | null;
  readonly documentMasked: string | null;
  readonly session: SessionRow | null;
}

/** Handles the owners and representatives of companies, who have customer records, hits and sessions of their own. */
@Injectable()
export class SessionPeopleService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly identification: CustomerIdentificationService,
    private readonly customers: CustomersService,
    private readonly companyPeople: CompanyPeopleService,
    private readonly issuer: SessionIssuerService,
    private readonly sessions: SessionRepository,
  ) {}

  /** Finds or creates the customer record of each person. */
  async identify(session: SessionRow, people: readonly NamedPerson[]): Promise<IdentifiedPerson[]> {
    if (people.length === 0) return [];
    const identifications = await this.identification.identify(
      people.map(({ taxId, name, birthDate }) => ({
        ...{ organisationId: session.organisationId, clientAppId: session.clientAppId },
        ...{ externalCustomerId: null, taxId, name, birthDate },
        ...{ by: 'SESSION' as const, requestId: null },
        ...{ correlationId: session.correlationId, traceparent: session.traceparent },
      })),
    );
    return people.map((person, i) => ({ ...person, identified: identifications[i] ?? null }));
  }

  async listPeopleSessions({ organisationId, id }: SessionRow): Promise<SessionRow[]> {
    return this.sessions.listCompanyPeople(organisationId, id);
  }

  /** Prepares the sessions that the flow requires for these people; nobody gets a second session. */
  async prepareChildSessions(
    session: SessionRow,
    people: readonly ScreenedPerson[],
  ): Promise<PreparedPeople> {
    const children = new Map<number, PreparedSession>();
    const currentSessions = people.length > 0 ? await this.listPeopleSessions(session) : [];
    const customerIds = new Set(currentSessions.map(({ customerId }) => customerId));
    for (const [place, person] of people.entries()) {
      const step = session.flow.steps.find(({ id }) => id === person.stepId);
      const personSession = step?.type === 'REPEATED_GROUP' ? step.people?.session : undefined;
      const customerId = person.identified?.customerId;
      if (!personSession || customerId === undefined || customerIds.has(customerId)) continue;
      customerIds.add(customerId);
      children.set(
        place,
        await this.issuer.prepareSession(
          sessionSystemActor(session.organisationId, 'sessions.people', { ...session, requestId: null }),
          {
            ...{
              flowKey: personSession.flowKey,
              trigger: 'COMPANY',
              customerId,
              clientAppId: session.clientAppId,
            },
            parentSessionId: session.id,
          },
        ),
      );
    }
    return { people, children };
  }

  /** Stores the people of a session and their relations to the company, in the commit of its result. */
  async recordPeople(
    tx: Tx,
    session: SessionRow,
    { people, children }: PreparedPeople,
    result: Pick<SessionResult, 'outcome'> & { readonly customerId: string },
  ): Promise<void> {
    if (people.length === 0) return;
    const { organisationId, id: sessionId, round } = session;
    for (const child of children.values()) await this.issuer.store(tx, child);
    await tx.insert(
      SessionPersonEntity,
      people.map(({ stepId, as: kind, share, identified, hitIds }, place) => ({
        ...{ sessionId, organisationId, place, round, stepId, kind },
        customerId: identified?.customerId ?? null,
        share: share === null ? null : share.toFixed(2),
        hitIds: [...hitIds],
        childSessionId: children.get(place)?.row.id ?? null,
      })),
    );
    const ctx = sessionSystemActor(organisationId, 'sessions.people', { ...session, requestId: null });
    const identifiedPeople = new Map(
      people.flatMap(({ identified, as: kind, share }) =>
        identified
          ? [[`${identified.customerId}/${kind}`, { personId: identified.customerId, kind, share }]]
          : [],
      ),
    );
    const statement = {
      ...{ companyId: result.customerId, sessionId },
      people: [...identifiedPeople.values()],
      // A person whom one operator alone leaves out counts for the company until people have decided about the session.
      endsOthers: result.outcome === 'APPROVED' && !isWordOfOne(session),
    };
    await this.companyPeople.record(tx, ctx, statement, new Date(this.clock.now()));
  }

  /** Ends the relations of people whom the session no longer names, in the commit of a person's approval. */
  async endOtherRelations(
    tx: Tx,
    session: SessionRow,
    named: readonly SessionPersonEntity[],
    at: Date,
  ): Promise<void> {
    if (named.length === 0) return;
    const { organisationId, id: sessionId, customerId: companyId, endedAt } = session;
    const people = named.flatMap(({ customerId: personId, kind, share }) =>
      personId === null ? [] : [{ personId, kind, share: share === null ? null : Number(share) }],
    );
    const ctx = sessionSystemActor(organisationId, 'sessions.people', { ...session, requestId: null });
    // People whom a later session of the company named keep their relations.
    const until = endedAt ?? at;
    await this.companyPeople.endOtherRelations(
      tx,
      ctx,
      { companyId, sessionId, people, endsOthers: true },
      at,
      until,
    );
  }

  /** Returns the people of a company in the last round of its session. */
  async findNamedPeople({ organisationId, id: sessionId }: SessionRow): Promise<SessionPersonEntity[]> {
    const sessionPeople = await this.uow.read(organisationId, (db) =>
      db.find(SessionPersonEntity, {
        where: { organisationId, sessionId },
        order: { round: 'DESC', place: 'ASC' },
      }),
    );
    return sessionPeople.filter(({ round }) => round === sessionPeople[0]?.round);
  }

  /** Returns the people in the last round of a company's session, with the current state of their own sessions. */
  async readTree(session: SessionRow): Promise<CompanyTreePerson[]> {
    const { organisationId } = session;
    const newest = await this.findNamedPeople(session);
    if (newest.length === 0) return [];
    const children = await this.listPeopleSessions(session);
    return Promise.all(
      newest.map(async (person) => {
        const customer =
          person.customerId === null ? null : await this.customers.find(organisationId, person.customerId);
        return {
          person,
          name: customer?.profile.name ?? null,
          documentMasked: customer ? maskedDocument(customer.profile) : null,
          session: children.findLast((one) => one.customerId === (customer?.id ?? person.customerId)) ?? null,
        };
      }),
    );
  }
}
