import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';

/** The method finds out when the last operation of whoever has one of these keys took place. */
export const LastOperation =
  registration<(organisationId: string, keys: readonly Buffer[]) => Promise<Date | null>>('last operation');

/** When the last operation of somebody was, as the module that owns operations says: customers stand below it. */
@Injectable()
export class LastOperations {
  constructor(private readonly registry: Registry) {}

  async of(organisationId: string, keys: readonly Buffer[]): Promise<Date | null> {
    const source = this.registry.of(LastOperation).get();
    if (!source) throw new Error('nobody has said how operations are found');
    return keys.length === 0 ? null : source.call(organisationId, keys);
  }
}
