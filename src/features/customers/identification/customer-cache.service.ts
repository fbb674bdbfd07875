import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureWatch, type SubjectRef } from '../../../platform/privacy/index.js';
import { CustomerMergesService } from '../customer-merges.service.js';
import type { KeyedObservation } from '../domain/observation.js';
import type { CustomerRow } from '../store/customer.repository.js';
import { toIdentificationResult, recordKeyOf, type IdentificationResult } from './matching.js';

interface Remembered extends IdentificationResult {
  readonly complete: { readonly external: boolean; readonly document: boolean };
}

// Maximum number of cached entries, of about 300 bytes each: most transactions have a customer seen before.
const REMEMBERED = 100_000;
// A cache key begins with the id of the organisation.
const ORGANISATION_LENGTH = 36;

/** Caches in this process which customer an external id or a document belongs to. */
@Injectable()
export class CustomerCacheService implements OnModuleInit {
  private readonly known = new Map<string, Remembered>();

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
    const gone = new Set(customerIds);
    for (const [name, one] of this.known) if (gone.has(one.customerId)) this.known.delete(name);
  }

  private forgetSubjects(subjects: readonly SubjectRef[]): void {
    const gone = new Set(subjects.map(({ organisationId, index }) => recordKeyOf(organisationId, index)));
    for (const [name, one] of this.known) {
      const subject = name.slice(0, ORGANISATION_LENGTH) + one.subjectIndex.toString('latin1');
      if (gone.has(name) || gone.has(subject)) this.known.delete(name);
    }
  }

  /**
   * Returns the cached customer. Undefined if none is cached, or if the observation has data that the record lacks;
   * `partly` returns the customer even then.
   */
  find(key: KeyedObservation, partly = false): Remembered | undefined {
    const byId = this.known.get(recordKeyOf(key.organisationId, key.external));
    const found =
      this.known.get(recordKeyOf(key.organisationId, key.document)) ??
      // If the record with this external id has a document, it differs from this document: another person.
      (key.document !== null && byId?.complete.document === true ? undefined : byId);
    if (!found || partly) return found;
    const more =
      (key.document !== null && !found.complete.document) ||
      (key.external !== null && !found.complete.external) ||
      (key.name !== null && !found.named) ||
      // The record with this external id is merged with the record that has the document.
      (key.external !== null && (!byId || (byId.customerId !== found.customerId && !byId.complete.document)));
    return more ? undefined : found;
  }

  remember(
    row: Pick<
      CustomerRow,
      'id' | 'organisationId' | 'subjectIndex' | 'documentIndex' | 'externalIndex' | 'named'
    >,
  ): void {
    const { organisationId, documentIndex: document, externalIndex: external } = row;
    const remembered = {
      complete: { document: document !== null, external: external !== null },
      ...toIdentificationResult(row),
    };
    for (const key of [document, external]) if (key) this.keep(recordKeyOf(organisationId, key), remembered);
  }

  /** Caches this record for an observation whose other key belongs to another record: a query would find it again. */
  addAlias(row: CustomerRow, key: KeyedObservation): void {
    const remembered = {
      // A later observation may still bring a missing key.
      complete: {
        document: key.document !== null || row.documentIndex !== null,
        external: key.external !== null || row.externalIndex !== null,
      },
      ...toIdentificationResult(row),
    };
    for (const own of [key.document, key.external]) {
      if (own && (own === key.document || key.document === null)) {
        this.keep(recordKeyOf(row.organisationId, own), remembered);
      }
    }
  }

  private keep(name: string, remembered: Remembered): void {
    if (this.known.size >= REMEMBERED) {
      const oldest = this.known.keys().next();
      if (!oldest.done) this.known.delete(oldest.value);
    }
    this.known.delete(name);
    this.known.set(name, remembered);
  }
}
