import { Injectable } from '@nestjs/common';
import { SealBrokenError, encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { DeliveriesRepository, type SealedSecrets } from '../store/deliveries.repository.js';

export interface EndpointSecrets {
  readonly current: string;
  /** Earlier secrets, the newest first. Each also signs until `until` (ms since 1970). */
  readonly older: readonly { readonly secret: string; readonly until: number }[];
}

interface CachedSecrets {
  readonly sealed: SealedSecrets;
  /** Null when the current secret cannot be decrypted. */
  readonly secrets: EndpointSecrets | null;
  /** The `performance.now()` time before the statement ran: the row is at least as new. */
  readonly readAt: number;
}

// Maximum time for which a secret that was replaced without an overlap still signs. People need longer than this to
// reconfigure a receiver, and it costs at most one statement per endpoint and second.
const FRESH_MS = 1_000;
const MAX_CACHED = 10_000;

/**
 * Caches the current signing secrets of endpoints. Deliveries are signed with these, not with the secrets at the time
 * of the claim: a replaced secret must not sign deliveries that were still queued.
 */
@Injectable()
export class SigningSecrets {
  private readonly cached = new Map<string, CachedSecrets>();
  private readonly pendingReads = new Map<string, Promise<void>>();

  constructor(
    private readonly vault: Vault,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** Caches secrets that were read at `readAt`. Decrypts only the changed secrets. */
  async remember(rows: readonly SealedSecrets[], readAt: number): Promise<void> {
    const latest = [...new Map(rows.map((row) => [row.endpointId, row])).values()];
    const fresh = latest.filter((row) => !this.renewIfUnchanged(row, readAt));
    if (fresh.length === 0) return;
    const plaintexts = await this.vault.tryOpenMany(
      fresh.flatMap(({ endpointId, organisationId, sealedSecret, olderSealedSecrets }) => {
        const context = encryptionContextOf('webhook_endpoints', endpointId, organisationId);
        return [sealedSecret, ...olderSealedSecrets].map((sealed) => ({ sealed, context }));
      }),
    );
    if (this.cached.size > MAX_CACHED) this.cached.clear();
    let at = 0;
    for (const sealed of fresh) {
      const [current = null, ...older] = plaintexts.slice(at, (at += 1 + sealed.olderSealedSecrets.length));
      const later = this.cached.get(sealed.endpointId);
      if (later && later.readAt > readAt) continue;
      const secrets = secretsOf(sealed, current, older);
      this.cached.set(sealed.endpointId, { sealed, secrets, readAt });
    }
  }

  /** The secrets that sign at `now` (ms since 1970), current secret first; null if it cannot be decrypted. */
  async findSecretsAt(endpointId: string, now: number): Promise<string[] | null> {
    const cachedSecrets = this.cached.get(endpointId);
    if (!cachedSecrets || performance.now() - cachedSecrets.readAt > FRESH_MS) await this.read(endpointId);
    const secrets = this.cached.get(endpointId)?.secrets ?? null;
    if (secrets === null) return null;
    const { current, older } = secrets;
    return [current, ...older.flatMap(({ secret, until }) => (now < until ? secret : []))];
  }

  /**
   * Returns true if nothing of this row has to be decrypted: the cache is newer, or has the same secrets, which then
   * count as read at `readAt`.
   */
  private renewIfUnchanged(row: SealedSecrets, readAt: number): boolean {
    const cachedSecrets = this.cached.get(row.endpointId);
    if (!cachedSecrets) return false;
    if (readAt <= cachedSecrets.readAt) return true;
    const { sealed } = cachedSecrets;
    const same =
      sealed.sealedSecret.equals(row.sealedSecret) &&
      String(sealed.olderSecretsExpireAt.map(Number)) === String(row.olderSecretsExpireAt.map(Number));
    if (same && cachedSecrets.secrets !== null) this.cached.set(row.endpointId, { ...cachedSecrets, readAt });
    return same && cachedSecrets.secrets !== null;
  }

  /** Reads the secrets of an endpoint. Concurrent deliveries of the endpoint share one statement. */
  private read(endpointId: string): Promise<void> {
    const reading =
      this.pendingReads.get(endpointId) ??
      this.readNow(endpointId).finally(() => {
        this.pendingReads.delete(endpointId);
      });
    this.pendingReads.set(endpointId, reading);
    return reading;
  }

  private async readNow(endpointId: string): Promise<void> {
    const readAt = performance.now();
    const row = await this.deliveries.readSecrets(endpointId);
    if (row) await this.remember([row], readAt);
  }
}

function secretsOf(
  { olderSecretsExpireAt }: SealedSecrets,
  current: Buffer | SealBrokenError | null,
  older: readonly (Buffer | SealBrokenError | null)[],
): EndpointSecrets | null {
  if (!Buffer.isBuffer(current)) return null;
  return {
    current: current.toString(),
    older: older.flatMap((opened, i) =>
      Buffer.isBuffer(opened)
        ? [{ secret: opened.toString(), until: Number(olderSecretsExpireAt[i] ?? 0) }]
        : [],
    ),
  };
}
