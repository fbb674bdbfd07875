import 'reflect-metadata';
import { ownerConnectionOptions } from './src/platform/database/connection/connection-options.js';
import { WritableDataSource } from './src/platform/database/connection/connections.js';
import { databaseEntities } from './src/platform/database/store/entities/index.js';
import { httpEntities } from './src/platform/http/store/entities/index.js';
import { privacyEntities } from './src/platform/privacy/store/entities/index.js';
import { queueEntities } from './src/platform/queue/store/entities/index.js';
import { quotasEntities } from './src/platform/quotas/store/entities/index.js';
import { approvalsEntities } from './src/features/approvals/store/entities/index.js';
import { auditEntities } from './src/features/audit/store/entities/index.js';
import { authEntities } from './src/features/auth/store/entities/index.js';
import { customersEntities } from './src/features/customers/store/entities/index.js';
import { dossiersEntities } from './src/features/dossiers/store/entities/index.js';
import { fxEntities } from './src/features/fx/store/entities/index.js';
import { kytEntities } from './src/features/kyt/store/entities/index.js';
import { operatorsEntities } from './src/features/operators/store/entities/index.js';
import { providersEntities } from './src/features/providers/store/entities/index.js';
import { reviewsEntities } from './src/features/reviews/store/entities/index.js';
import { rulesEntities } from './src/features/rules/store/entities/index.js';
import { screeningEntities } from './src/features/screening/store/entities/index.js';
import { searchEntities } from './src/features/search/store/entities/index.js';
import { sessionsEntities } from './src/features/sessions/store/entities/index.js';
import { uploadsEntities } from './src/features/uploads/store/entities/index.js';
import { webhooksEntities } from './src/features/webhooks/store/entities/index.js';
import { workspaceEntities } from './src/features/workspace/store/entities/index.js';

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
