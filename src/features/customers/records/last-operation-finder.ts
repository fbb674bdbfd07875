import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';

/** The method returns the time of the last operation of a customer with one of these keys. */
export const LastOperation =
  registration<(organisationId: string, keys: readonly Buffer[]) => Promise<Date | null>>('last operation');

/** Asks the module that owns transactions, which registers its method here: this module must not import it. */
@Injectable()
export class LastOperationFinder {
  constructor(private readonly registry: Registry) {}

  async findLast(organisationId: string, keys: readonly Buffer[]): Promise<Date | null> {
    const source = this.registry.methodsOf(LastOperation).get();
    if (!source) throw new Error('nobody has said how operations are found');
    return keys.length === 0 ? null : source.call(organisationId, keys);
  }
}
