import 'reflect-metadata';
import { ownerConnectionOptions } from './src/platform/database/connection/connection-options.js';
import { WritableDataSource } from './src/platform/database/connection/connections.js';
import { databaseEntities } from './src/platform/database/store/entities.js';
import { httpEntities } from './src/platform/http/store/entities.js';
import { privacyEntities } from './src/platform/privacy/store/entities.js';
import { queueEntities } from './src/platform/queue/store/entities.js';
import { quotasEntities } from './src/platform/quotas/store/entities.js';
import { approvalsEntities } from './src/features/approvals/store/entities.js';
import { auditEntities } from './src/features/audit/store/entities.js';
import { authEntities } from './src/features/auth/store/entities.js';
import { customersEntities } from './src/features/customers/store/entities.js';
import { dossiersEntities } from './src/features/dossiers/store/entities.js';
import { fxEntities } from './src/features/fx/store/entities.js';
import { kytEntities } from './src/features/kyt/store/entities.js';
import { operatorsEntities } from './src/features/operators/store/entities.js';
import { providersEntities } from './src/features/providers/store/entities.js';
import { reviewsEntities } from './src/features/reviews/store/entities.js';
import { rulesEntities } from './src/features/rules/store/entities.js';
import { screeningEntities } from './src/features/screening/store/entities.js';
import { searchEntities } from './src/features/search/store/entities.js';
import { sessionsEntities } from './src/features/sessions/store/entities.js';
import { uploadsEntities } from './src/features/uploads/store/entities.js';
import { webhooksEntities } from './src/features/webhooks/store/entities.js';
import { workspaceEntities } from './src/features/workspace/store/entities.js';

/** Every entity: one for each table. Each module registers its own; here they are together for what runs without Nest. */
export const entities = [
  ...databaseEntities,
  ...httpEntities,
  ...privacyEntities,
  ...queueEntities,
  ...quotasEntities,
  ...approvalsEntities,
  ...auditEntities,
  ...authEntities,
  ...customersEntities,
  ...dossiersEntities,
  ...fxEntities,
  ...kytEntities,
  ...operatorsEntities,
  ...providersEntities,
  ...reviewsEntities,
  ...rulesEntities,
  ...screeningEntities,
  ...searchEntities,
  ...sessionsEntities,
  ...uploadsEntities,
  ...webhooksEntities,
  ...workspaceEntities,
];

/** For `typeorm -d dist/ormconfig.js`. */
export default new WritableDataSource({ ...ownerConnectionOptions(), entities });
