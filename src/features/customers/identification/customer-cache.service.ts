import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureWatch, type SubjectRef } from '../../../platform/privacy/index.js';
import { CustomerMergesService } from '../customer-merges.service.js';
import type { KeyedObservation } from '../domain/observation.js';
import type { CustomerRow } from '../store/customer.repository.js';
import { toIdentificationResult, recordKeyOf, type IdentificationResult } from './matching.js';

interface CachedCustomer extends IdentificationResult {
  readonly complete: { readonly external: boolean; readonly document: boolean };
}

// Maximum number of cached entries, of about 300 bytes each: most transactions have a customer seen before.
const MAX_ENTRIES = 100_000;
// A cache key begins with the id of the organisation.
const ORGANISATION_LENGTH = 36;

/** Caches in this process which customer an external id or a document belongs to. */
@Injectable()
export class CustomerCacheService implements OnModuleInit {
  private readonly entries = new Map<string, CachedCustomer>();

  constructor(
    private readonly merges: CustomerMergesService,
    private readonly erasures: ErasureWatch,
  ) {}

  onModuleInit(): void {
    this.merges.onChanged((ids) => {
      this.forget(...ids);
    });
    this.erasures.onErased((subjects) => {
      this.forgetSubjects(subjects);
    });
  }

  /** Drops customers from the cache, because their records have changed. */
  forget(...customerIds: readonly string[]): void {
    const forgottenIds = new Set(customerIds);
    for (const [name, one] of this.entries) if (forgottenIds.has(one.customerId)) this.entries.delete(name);
  }

  private forgetSubjects(subjects: readonly SubjectRef[]): void {
    const forgottenKeys = new Set(
      subjects.map(({ organisationId, index }) => recordKeyOf(organisationId, index)),
    );
    for (const [name, one] of this.entries) {
      const subject = name.slice(0, ORGANISATION_LENGTH) + one.subjectIndex.toString('latin1');
      if (forgottenKeys.has(name) || forgottenKeys.has(subject)) this.entries.delete(name);
    }
  }

  /**
   * Returns the cached customer. Undefined if none is cached, or if the observation has data that the record lacks;
   * `partly` returns the customer even then.
   */
  find(key: KeyedObservation, partly = false): CachedCustomer | undefined {
    const byId = this.entries.get(recordKeyOf(key.organisationId, key.external));
    const cachedCustomer =
      this.entries.get(recordKeyOf(key.organisationId, key.document)) ??
      // If the record with this external id has a document, it differs from this document: another person.
      (key.document !== null && byId?.complete.document === true ? undefined : byId);
    if (!cachedCustomer || partly) return cachedCustomer;
    const more =
      (key.document !== null && !cachedCustomer.complete.document) ||
      (key.external !== null && !cachedCustomer.complete.external) ||
      (key.name !== null && !cachedCustomer.named) ||
      // The record with this external id is merged with the record that has the document.
      (key.external !== null &&
        (!byId || (byId.customerId !== cachedCustomer.customerId && !byId.complete.document)));
    return more ? undefined : cachedCustomer;
  }

  remember(
    row: Pick<
      CustomerRow,
      'id' | 'organisationId' | 'subjectIndex' | 'documentIndex' | 'externalIndex' | 'named'
    >,
  ): void {
    const { organisationId, documentIndex: document, externalIndex: external } = row;
    const cachedCustomer = {
      complete: { document: document !== null, external: external !== null },
      ...toIdentificationResult(row),
    };
    for (const key of [document, external]) {
      if (key) this.store(recordKeyOf(organisationId, key), cachedCustomer);
    }
  }

  /**
   * Caches this record for an observation whose other key belongs to another record. Without the alias, each such
   * observation would query the database only to find this record again.
   */
  addAlias(row: CustomerRow, key: KeyedObservation): void {
    const cachedCustomer = {
      // A later observation may still bring a missing key.
      complete: {
        document: key.document !== null || row.documentIndex !== null,
        external: key.external !== null || row.externalIndex !== null,
      },
      ...toIdentificationResult(row),
    };
    for (const indexKey of [key.document, key.external]) {
      if (indexKey && (indexKey === key.document || key.document === null)) {
        this.store(recordKeyOf(row.organisationId, indexKey), cachedCustomer);
      }
    }
  }

  private store(name: string, remembered: CachedCustomer): void {
    if (this.entries.size >= MAX_ENTRIES) {
      const oldest = this.entries.keys().next();
      if (!oldest.done) this.entries.delete(oldest.value);
    }
    this.entries.delete(name);
    this.entries.set(name, remembered);
  }
}
