import { OutboxEntity } from './outbox.entity.js';
import { QueueEpochEntity } from './queue-epoch.entity.js';

/** One for each table of this module. */
export const queueEntities = [OutboxEntity, QueueEpochEntity];
