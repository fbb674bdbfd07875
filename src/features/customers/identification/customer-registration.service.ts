import { Injectable } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { BlindIndex, Vault } from '../../../platform/privacy/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { profileContextOf } from '../customer-seal.js';
import {
  personTypeOf,
  profileOfObservation,
  type CustomerObservation,
  type KeyedObservation,
} from '../domain/observation.js';
import { CustomerRepository, type NewCustomer } from '../store/customer.repository.js';
import { CustomerCacheService } from './customer-cache.service.js';
import { identifiedEvent } from './identified-event.js';
import { actorContextOf, type IdentificationResult } from './matching.js';

/** Creates customer records, each with its audit entry and event in one commit. */
@Injectable()
export class CustomerRegistrationService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly vault: Vault,
    private readonly index: BlindIndex,
    private readonly clock: Clock,
    private readonly customers: CustomerRepository,
    private readonly customerCache: CustomerCacheService,
  ) {}

  /**
   * Creates a record for a person of whom nothing is known yet, such as one who opens a session link. No event is sent,
   * because nobody is identified; `attachDocument` or a later observation sends the event.
   */
  async registerUnnamed(
    observation: Omit<CustomerObservation, 'externalCustomerId' | 'taxId' | 'name' | 'birthDate'>,
  ): Promise<IdentificationResult> {
    const { organisationId } = observation;
    const subject = {
      organisationId,
      index: this.index.computeIndex(organisationId, 'unattributed', newUuid()),
    };
    await this.vault.prepare([subject]);
    const nothing = { externalCustomerId: null, taxId: null, name: null, birthDate: null };
    const keys = { external: null, document: null, masked: null, subject };
    const unannounced = { ...observation, ...nothing, ...keys, quiet: true };
    const { row, entry } = this.compose(unannounced, new Date(this.clock.now()));
    await this.uow.run(organisationId, async (tx) => {
      await this.customers.insert(tx, [row]);
      await this.audit.append(tx, [entry]);
    });
    return { customerId: row.id, subjectIndex: subject.index, named: false };
  }

  /**
   * Creates records for new customers and caches them, as well as records that another process created first. Returns
   * the ids of the new records.
   */
  async register(keys: readonly KeyedObservation[]): Promise<string[]> {
    await this.vault.prepare(keys.map(({ subject }) => subject));
    const occurredAt = new Date(this.clock.now());
    const newRows = keys.map((key) => ({ key, ...this.compose(key, occurredAt) }));
    const created = await this.uow.run(
      keys.map(({ organisationId }) => organisationId),
      async (tx) => {
        const insertedIds = await this.customers.insert(
          tx,
          newRows.map(({ row }) => row),
        );
        const insertedCustomers = newRows.filter(({ row }) => insertedIds.has(row.id));
        await this.audit.append(
          tx,
          insertedCustomers.map(({ entry }) => entry),
        );
        await this.events.publish(
          tx,
          insertedCustomers.flatMap(({ event }) => event ?? []),
        );
        return insertedCustomers;
      },
    );
    for (const { row } of created) this.customerCache.remember(row);
    // Other processes inserted these first.
    const existingKeys = newRows.filter((one) => !created.includes(one)).map(({ key }) => key);
    if (existingKeys.length > 0) {
      for (const row of await this.customers.findAny(existingKeys)) this.customerCache.remember(row);
    }
    return created.map(({ row }) => row.id);
  }

  private compose(
    key: KeyedObservation,
    occurredAt: Date,
  ): {
    readonly row: NewCustomer;
    readonly entry: ReturnType<typeof composeEntry>;
    readonly event: ReturnType<EventPublisher['compose']> | null;
  } {
    const { organisationId, clientAppId, subject } = key;
    const id = newUuid();
    const assurance = key.document ? 'DOCUMENT' : 'DECLARED';
    const personType = personTypeOf(key);
    // Events go to the customer's application; a customer created by an operator has none.
    const announcedTo = key.quiet === true ? null : clientAppId;
    const entry = composeEntry(
      customerAuditDraft(actorContextOf(key), id, 'customer.identified', occurredAt, {
        by: key.by,
        assurance,
        personType,
        document: key.document !== null,
        event: announcedTo !== null,
      }),
      CHAIN_START,
    );
    const row: NewCustomer = {
      id,
      organisationId,
      clientAppId,
      personType,
      assurance,
      identifiedBy: key.by,
      subjectIndex: subject.index,
      externalIndex: key.external,
      documentIndex: key.document,
      maskedIndex: key.masked,
      named: key.name !== null,
      sealed: this.vault.seal(
        JSON.stringify(profileOfObservation(key)),
        subject,
        profileContextOf({ id, organisationId }),
      ),
      trailHash: entry.hash,
    };
    const event =
      announcedTo === null
        ? null
        : this.events.compose(
            identifiedEvent(key, { id, clientAppId: announcedTo, subject }, CHAIN_START.seq, occurredAt),
          );
    return { row, entry, event };
  }
}
