import { Injectable } from '@nestjs/common';
import { AuditTrail, LogCheck, type LogCheckFault } from '../audit/index.js';
import { SubjectKeys, type StoredSubjectKey } from '../../platform/privacy/index.js';

// Number of keys per call; checking them takes a few milliseconds.
const PAGE_SIZE = 500;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Checks that the data keys of persons exist and decrypt: data under a lost key cannot be recovered. */
@Injectable()
export class CustomerKeyCheckService {
  private readonly nextPages = new Map<string, string>();

  constructor(
    private readonly keys: SubjectKeys,
    private readonly trail: AuditTrail,
  ) {}

  /** Checks the next page of keys, or the keys whose ids are in `places`; returns the faults. */
  @LogCheck('keys')
  async check(organisationId: string, places: readonly string[] | null): Promise<readonly LogCheckFault[]> {
    const after = this.nextPages.get(organisationId) ?? NIL_UUID;
    const selection = places ? { ids: places } : { after, limit: PAGE_SIZE };
    const storedKeys = await this.keys.readStoredKeys(organisationId, selection);
    if (!places) {
      this.nextPages.set(
        organisationId,
        storedKeys.length < PAGE_SIZE ? NIL_UUID : (storedKeys.at(-1)?.id ?? ''),
      );
    }
    const faults: LogCheckFault[] = [];
    for (const key of storedKeys) {
      const problem = await this.findProblem(organisationId, key);
      if (problem !== null) faults.push(faultOf(key.id, problem));
    }
    const existingIds = new Set(storedKeys.map(({ id }) => id));
    const missingIds = (places ?? []).filter((id) => !existingIds.has(id));
    return [...faults, ...missingIds.map((id) => faultOf(id, 'is gone'))];
  }

  private async findProblem(
    organisationId: string,
    { id, erasedWith, isErased, opens }: StoredSubjectKey,
  ): Promise<string | null> {
    if (!isErased) return opens ? null : 'does not open what it has sealed';
    const entries = erasedWith
      ? await this.trail.readEntries({ organisationId, type: 'customer', id: erasedWith })
      : [];
    const isNamed = entries.some(({ action, content: { keys } }) => {
      return action === 'customer.erased' && Array.isArray(keys) && keys.includes(id);
    });
    return isNamed ? null : 'goes with an erasure that no entry tells of';
  }
}

const faultOf = (id: string, problem: string): LogCheckFault => ({
  ...{ place: id, kind: 'MISSING' },
  detail: `the key ${id} ${problem}`,
});
