import { Injectable } from '@nestjs/common';
import { BlindIndex } from '../../../platform/privacy/index.js';
import { CustomerMergesService } from '../customer-merges.service.js';
import { withBlindIndexes, type CustomerObservation, type KeyedObservation } from '../domain/observation.js';
import { CustomerRepository, type CustomerRow, type FoundRow } from '../store/customer.repository.js';
import { CustomerEnrichmentService } from './customer-enrichment.service.js';
import { CustomerCacheService } from './customer-cache.service.js';
import { CustomerRegistrationService } from './customer-registration.service.js';
import type { ForeseenPeople, ForeseenPerson } from './foreseen-people.js';
import {
  actorContextOf,
  distinctPeople,
  toIdentificationResult,
  isAdditionalExternalId,
  findRow,
  findDuplicateRecord,
  findSeparateKey,
  type IdentificationResult,
} from './matching.js';

// Maximum number of attempts while other processes change the same record. Afterwards the record is used unchanged.
const MAX_TRIES = 4;

/** Finds or creates the customers of observations: one record per person, by any of the person's keys. */
@Injectable()
export class CustomerIdentificationService {
  constructor(
    private readonly index: BlindIndex,
    private readonly customers: CustomerRepository,
    private readonly merges: CustomerMergesService,
    private readonly customerCache: CustomerCacheService,
    private readonly registration: CustomerRegistrationService,
    private readonly enrichment: CustomerEnrichmentService,
  ) {}

  /**
   * Returns the customer of each observation, in order; null if it names nobody. A new customer gets a record,
   * an audit entry and the event `customer.identified`, in one commit for the whole batch.
   */
  async identify(observations: readonly CustomerObservation[]): Promise<(IdentificationResult | null)[]> {
    const keys = observations.map((observation) => withBlindIndexes(this.index, observation));
    const cachedCustomers = keys.map((key) => key && this.customerCache.find(key));
    const unknown = keys.filter((key, i): key is KeyedObservation => key !== null && !cachedCustomers[i]);
    if (unknown.length > 0) {
      await this.findAndSettle(unknown);
      const strangers = distinctPeople(unknown.filter((key) => !this.customerCache.find(key, true)));
      if (strangers.length > 0) {
        await this.registration.register(strangers);
        // If another process has created the record first, that record is used.
        await this.findAndSettle(strangers.filter((key) => !this.customerCache.find(key, true)));
        // A second observation of the same new customer in this batch may add to the record.
        const more = unknown.filter((key) => !strangers.includes(key) && !this.customerCache.find(key));
        if (more.length > 0) await this.findAndSettle(more);
        // If the external id already belongs to a customer with another document, create a new customer without the
        // external id.
        const apart = unknown.flatMap((key) =>
          key.document !== null && key.external !== null && !this.customerCache.find(key, true)
            ? [{ ...key, external: null }]
            : [],
        );
        if (apart.length > 0) {
          await this.registration.register(distinctPeople(apart));
          await this.findAndSettle(apart.filter((key) => !this.customerCache.find(key, true)));
        }
      }
      // One observation of the batch may have merged the record of another one.
      await this.findAndSettle(
        keys.filter((key): key is KeyedObservation => key !== null && !this.customerCache.find(key, true)),
      );
    }
    return keys.map((key, i) => {
      const cachedCustomer =
        key && (unknown.length > 0 ? this.customerCache.find(key, true) : cachedCustomers[i]);
      return cachedCustomer
        ? {
            customerId: cachedCustomer.customerId,
            subjectIndex: cachedCustomer.subjectIndex,
            named: cachedCustomer.named,
          }
        : null;
    });
  }

  /** Returns whom each observation will be about, in order, and adds them to `people`; writes nothing. */
  async foresee(
    observations: readonly CustomerObservation[],
    people: ForeseenPeople,
  ): Promise<(ForeseenPerson | null)[]> {
    const keys = observations.map((observation) => withBlindIndexes(this.index, observation));
    const knownKeys = keys.filter((key) => key !== null);
    if (knownKeys.length > 0) people.add(await this.customers.findAny(knownKeys));
    return keys.map((key) => key && people.foresee(key));
  }

  /** Returns the existing customer of each observation, in order, or null; writes nothing. */
  async lookup(observations: readonly CustomerObservation[]): Promise<(IdentificationResult | null)[]> {
    const keys = observations.map((observation) => withBlindIndexes(this.index, observation));
    const knownKeys = keys.filter((key) => key !== null);
    const rows = knownKeys.length > 0 ? await this.customers.findAny(knownKeys) : [];
    return keys.map((key) => {
      const row = key && findRow(rows, key);
      return row ? toIdentificationResult(row) : null;
    });
  }

  /**
   * Adds the document that a person showed in a session to the customer's record. If another record has the document
   * already, returns that record. A record with another document is left as it is. Null if the customer is unknown.
   */
  async attachDocument(
    customerId: string,
    observation: CustomerObservation,
  ): Promise<IdentificationResult | null> {
    const key = withBlindIndexes(this.index, observation);
    const row = await this.customers.find(observation.organisationId, customerId);
    if (!key?.document || !row) return row && toIdentificationResult(row);
    const { document } = key;
    const holder = (await this.customers.findAny([key])).find((one) => one.documentIndex?.equals(document));
    if (holder && holder.id !== row.id) {
      // A record that was only made for the session link belongs to this person and is merged. A record with an
      // external id is not merged because of a session alone; a transaction with that id and the document merges it.
      if (row.externalIndex === null && row.documentIndex === null) {
        await this.merge(row, holder, key, false);
      }
      await this.settle({ ...key, external: null }, await this.customers.findAny([key]));
      return toIdentificationResult(holder);
    }
    if (row.documentIndex && !row.documentIndex.equals(document)) return toIdentificationResult(row);
    await this.enrichment.enrich(
      row,
      key,
      row.documentIndex === null ? (key.clientAppId ?? row.clientAppId) : null,
    );
    const now = await this.customers.find(observation.organisationId, customerId);
    return now && toIdentificationResult(now);
  }

  private async findAndSettle(keys: readonly KeyedObservation[]): Promise<void> {
    if (keys.length === 0) return;
    const rows = await this.customers.findAny(keys);
    for (const row of rows) this.customerCache.remember(row);
    for (const key of keys) await this.settle(key, rows);
  }

  /**
   * Merges or extends records by an observation; repeats when another process changed them meanwhile. `made`: the
   * record that was just created for an id of the person.
   */
  private async settle(
    key: KeyedObservation,
    rows: readonly FoundRow[],
    tries = MAX_TRIES,
    made?: string,
  ): Promise<void> {
    const row = findRow(rows, key);
    if (!row || (key.keepsApart === true && findSeparateKey(rows, key) !== null)) return;
    const again = async (created?: string): Promise<void> => {
      await this.settle(key, await this.customers.findAny([key]), tries - 1, created);
    };
    const twin = findDuplicateRecord(rows, row, key);
    if (twin && tries > 1) {
      await this.merge(twin, row, key, twin.id !== made);
      return again();
    }
    const adds =
      (key.document !== null && row.documentIndex === null) ||
      (key.external !== null && row.externalIndex === null && !findDuplicateRecord(rows, row, key, true)) ||
      (key.name !== null && !row.named);
    if (isAdditionalExternalId(rows, row, key) && tries > 1) {
      return again(await this.registerId(key));
    }
    if (!adds) this.customerCache.addAlias(row, key);
    else if (!(await this.enrichment.enrich(row, key)) && tries > 1) return again();
  }

  private async merge(
    from: CustomerRow,
    into: CustomerRow,
    key: KeyedObservation,
    asksAnew: boolean,
  ): Promise<void> {
    const { organisationId } = key;
    await this.merges.merge(actorContextOf(key), { organisationId, from: from.id, into: into.id, asksAnew });
    this.customerCache.forget(from.id);
  }

  /**
   * Creates a record for a further external id of a known person; `settle` then merges the record. So an id never
   * belongs to two people, and finds the person like the id of any merged record. No event, because nobody new is
   * identified. Returns the id of the record, unless another process created it first.
   */
  private async registerId(key: KeyedObservation): Promise<string | undefined> {
    const nothing = { taxId: null, name: null, birthDate: null, clientAppId: null };
    const keyed = withBlindIndexes(this.index, { ...key, ...nothing });
    return keyed ? (await this.registration.register([keyed]))[0] : undefined;
  }
}
