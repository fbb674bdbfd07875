import { ClientAppEntity } from '../auth/store/client-app.entity.js';
import { ClientSecretEntity } from '../auth/store/client-secret.entity.js';
import { OrganisationEntity } from '../auth/store/organisation.entity.js';
import { OperatorInvitationEntity } from '../operators/store/operator-invitation.entity.js';
import { OperatorSessionEntity } from '../operators/store/operator-session.entity.js';
import { OperatorEntity } from '../operators/store/operator.entity.js';
import { BacktestEntity } from '../rules/store/backtest.entity.js';
import { RuleEntity } from '../rules/store/rule.entity.js';
import { RulesetEntity } from '../rules/store/ruleset.entity.js';
import { WebhookEndpointEntity } from '../webhooks/store/webhook-endpoint.entity.js';

/** Every entity that TypeORM maps. The hot tables are written and read by statements of their own. */
export const entities = [
  OrganisationEntity,
  ClientAppEntity,
  ClientSecretEntity,
  OperatorEntity,
  OperatorInvitationEntity,
  OperatorSessionEntity,
  RuleEntity,
  RulesetEntity,
  BacktestEntity,
  WebhookEndpointEntity,
];
