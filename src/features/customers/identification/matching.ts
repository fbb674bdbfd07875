import type { ActorContext } from '../../audit/index.js';
import type { KeyedObservation } from '../domain/observation.js';
import { MAX_IDS, type CustomerRow, type FoundRow } from '../store/customer.repository.js';

export interface IdentificationResult {
  readonly customerId: string;
  /** The subject key under which hits about this person are stored. */
  readonly subjectIndex: Buffer;
  /** True if a name is known, and so was screened. */
  readonly named: boolean;
}

export const toIdentificationResult = ({
  id,
  subjectIndex,
  named,
}: Pick<CustomerRow, 'id' | 'subjectIndex' | 'named'>): IdentificationResult => ({
  customerId: id,
  subjectIndex,
  named,
});

/** True if the observation has a new external id for the person of this record, who has fewer than `MAX_IDS`. */
export const isAdditionalExternalId = (
  rows: readonly FoundRow[],
  row: FoundRow,
  key: KeyedObservation,
): boolean =>
  key.external !== null &&
  row.externalIndex !== null &&
  key.document !== null &&
  row.documentIndex?.equals(key.document) === true &&
  row.merged < MAX_IDS &&
  !rows.some(
    ({ organisationId, externalIndex: external }) =>
      organisationId === key.organisationId && external !== null && key.external?.equals(external) === true,
  );

export const recordKeyOf = (organisationId: string, index: Buffer | null): string =>
  index === null ? '' : organisationId + index.toString('latin1');

/**
 * Returns the actor context of an observation: the application that sent it, or else the part of the service that made
 * it.
 */
export function actorContextOf({ organisationId, by, clientAppId, ...key }: KeyedObservation): ActorContext {
  const { requestId, correlationId } = key;
  const actor: ActorContext['actor'] =
    clientAppId === null ? { type: 'system', id: by.toLowerCase() } : { type: 'client', id: clientAppId };
  return { organisationId, actor, requestId, correlationId };
}

/** Keeps one observation for each person of the batch. */
export function distinctPeople(keys: readonly KeyedObservation[]): KeyedObservation[] {
  const seenIds = new Set<string>();
  return keys.filter((key) => {
    const names = [key.document, key.external]
      .filter((own) => own !== null)
      .map((own) => recordKeyOf(key.organisationId, own));
    const isNew = names.every((name) => !seenIds.has(name));
    for (const name of names) seenIds.add(name);
    return isNew;
  });
}

/**
 * Finds another record with the external id of the observation, if `row` has its document. The other record has no
 * document itself, unless `mayHaveDocument`.
 */
export const findDuplicateRecord = (
  rows: readonly FoundRow[],
  row: CustomerRow,
  key: KeyedObservation,
  mayHaveDocument = false,
): FoundRow | undefined =>
  key.document === null || row.documentIndex?.equals(key.document) !== true
    ? undefined
    : rows.find(
        ({ id, organisationId, externalIndex: external, documentIndex: document }) =>
          organisationId === key.organisationId &&
          id !== row.id &&
          (mayHaveDocument || document === null) &&
          external !== null &&
          key.external?.equals(external) === true,
      );

/**
 * Returns the key that the customer of the other key does not have; null if both are of one customer, if nobody has
 * either, or if the external id belongs to somebody with another document.
 */
export function findSeparateKey(
  rows: readonly FoundRow[],
  { organisationId, external, document }: KeyedObservation,
): 'externalCustomerId' | 'document' | null {
  if (external === null || document === null) return null;
  const rowsOfOrganisation = rows.filter((row) => row.organisationId === organisationId);
  const byId = rowsOfOrganisation.find((row) => row.externalIndex?.equals(external) === true);
  if (byId && byId.documentIndex !== null) return null;
  if (rowsOfOrganisation.some((row) => row.documentIndex?.equals(document) === true)) {
    return 'externalCustomerId';
  }
  return byId ? 'document' : null;
}

/**
 * Finds the record of an observation: by document first, which is the better key; else by the institution's id, unless
 * the documents differ.
 */
export const findRow = (rows: readonly FoundRow[], key: KeyedObservation): FoundRow | undefined =>
  rows.find(
    ({ organisationId, documentIndex: document }) =>
      organisationId === key.organisationId && document !== null && key.document?.equals(document) === true,
  ) ??
  rows.find(
    ({ organisationId, externalIndex: external, documentIndex: document }) =>
      organisationId === key.organisationId &&
      external !== null &&
      key.external?.equals(external) === true &&
      (document === null || key.document === null || key.document.equals(document)),
  );
