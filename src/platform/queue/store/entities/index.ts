import { OutboxEntity } from './outbox.entity.js';
import { QueueEpochEntity } from './queue-epoch.entity.js';

export const queueEntities = [OutboxEntity, QueueEpochEntity];
