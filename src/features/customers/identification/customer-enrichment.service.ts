import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { CustomerRowRegistry } from '../customer-row-registry.js';
import { profileContextOf, parseProfile } from '../customer-seal.js';
import { enrichProfile, knownName } from '../domain/customer.js';
import { personTypeOf, profileOfObservation, type KeyedObservation } from '../domain/observation.js';
import { CustomerRepository, type CustomerRow } from '../store/customer.repository.js';
import { CustomerCacheService } from './customer-cache.service.js';
import { identifiedEvent } from './identified-event.js';
import { actorContextOf } from './matching.js';

/** Adds the data of later observations to customer records. */
@Injectable()
export class CustomerEnrichmentService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly customers: CustomerRepository,
    private readonly customerRowRegistry: CustomerRowRegistry,
    private readonly customerCache: CustomerCacheService,
  ) {}

  /** Adds an observation to a record; false if another record has one of its keys, or the record changed meanwhile. */
  async enrich(row: CustomerRow, key: KeyedObservation, announceTo: string | null = null): Promise<boolean> {
    const [plain] = await this.vault.openMany([{ sealed: row.sealed, context: profileContextOf(row) }]);
    const together = plain ? enrichProfile(parseProfile(plain), profileOfObservation(key)) : null;
    if (!together) {
      this.customerCache.addAlias(row, key);
      return true;
    }
    const { organisationId } = row;
    // With a document, the data moves to the key of its subject, which also protects the person's transactions.
    const subject: SubjectRef = key.document ? key.subject : { organisationId, index: row.subjectIndex };
    const sealed = await this.vault.sealOne(JSON.stringify(together), subject, profileContextOf(row));
    const changedRow = {
      ...row,
      externalIndex: row.externalIndex ?? key.external,
      documentIndex: row.documentIndex ?? key.document,
      maskedIndex: key.masked,
      sealed,
      subjectIndex: subject.index,
      personType: key.document ? personTypeOf(key) : (row.personType ?? 'NATURAL'),
      named: knownName(together) !== null,
    };
    const done = await this.uow.run(organisationId, async (tx) => {
      if (!(await this.customers.enrich(tx, changedRow, row.sealed))) return false;
      if (!subject.index.equals(row.subjectIndex)) {
        const move = { organisationId, from: row.id, into: row.id, subjectIndex: subject.index };
        await this.customerRowRegistry.move(tx, actorContextOf(key), { ...move, asksAnew: false });
      }
      const [entry] = await this.audit.record(
        tx,
        customerAuditDraft(actorContextOf(key), row.id, 'customer.enriched', new Date(this.clock.now()), {
          document: row.documentIndex === null && key.document !== null,
          externalCustomerId: row.externalIndex === null && key.external !== null,
          name: !row.named && key.name !== null,
          event: announceTo !== null,
        }),
      );
      if (announceTo !== null && entry) {
        const { seq } = entry.position;
        const customer = { id: row.id, clientAppId: announceTo, subject };
        const event = identifiedEvent(key, customer, seq, new Date(this.clock.now()));
        await this.events.publish(tx, [this.events.compose(event)]);
      }
      return true;
    });
    if (done) this.customerCache.remember(changedRow);
    else this.customerCache.addAlias(row, key);
    return done;
  }
}
