import { encryptionContextOf, type SealBrokenError, type Vault } from '../../../platform/privacy/index.js';
import { eventPacking } from '../domain/event-packing.js';

export interface SealedEvent {
  readonly id: string;
  readonly organisationId: string;
  readonly sealedPayload: Buffer;
}

/** Decrypts events to the exact bytes that were composed; null if the event's person was erased. */
export async function decryptPayloads(
  vault: Vault,
  events: readonly SealedEvent[],
): Promise<(Buffer | null | SealBrokenError)[]> {
  const plaintexts = await vault.tryOpenMany(
    events.map(({ id, organisationId, sealedPayload: sealed }) => ({
      sealed,
      context: encryptionContextOf('events', id, organisationId),
    })),
  );
  return plaintexts.map((payload) => (Buffer.isBuffer(payload) ? eventPacking.unpack(payload) : payload));
}
