import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { Processors } from './processors.js';
import { queueNames } from './queues.js';

/** Aborts the start of a process that works on queues if a queue has no processor, or more than one. */
@Injectable()
export class ProcessorCheck implements OnApplicationBootstrap {
  constructor(
    private readonly processors: Processors,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    const foundProcessors = this.processors.find();
    const expectedCount = this.settings.role === 'api' ? 0 : 1;
    const problems = queueNames.flatMap((queue) => {
      const owners = foundProcessors
        .filter((processor) => processor.queue === queue)
        .map((processor) => processor.owner);
      return owners.length === expectedCount
        ? []
        : [`${queue} has ${owners.length} processors (${owners.join(', ')})`];
    });
    if (problems.length > 0) {
      throw new Error(
        `Every queue needs exactly ${expectedCount} processor in role ${this.settings.role}: ${problems.join('; ')}`,
      );
    }
  }
}
