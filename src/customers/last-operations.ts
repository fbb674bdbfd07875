import { Injectable } from '@nestjs/common';

/** Finds out when the last operation of whoever has one of these keys took place. */
export type LastOperation = (organisationId: string, keys: readonly Buffer[]) => Promise<Date | null>;

/** Where the module that owns operations says how they are found: customers stand below it. */
@Injectable()
export class LastOperations {
  private source: LastOperation | null = null;

  register(source: LastOperation): void {
    if (this.source) throw new Error('two sources of last operations');
    this.source = source;
  }

  async of(organisationId: string, keys: readonly Buffer[]): Promise<Date | null> {
    if (!this.source) throw new Error('nobody has said how operations are found');
    return keys.length === 0 ? null : this.source(organisationId, keys);
  }
}
