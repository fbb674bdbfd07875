import { OutboxEntity } from './outbox.entity.js';
import { QueueEpochEntity } from './queue-epoch.entity.js';

/** The entities of this module, one per table. */
export const queueEntities = [OutboxEntity, QueueEpochEntity];
