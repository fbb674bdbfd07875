import { AggregateReachEntity } from './aggregate-reach.entity.js';
import { BacktestEntity } from './backtest.entity.js';
import { HouseBackfillEntity } from './house-backfill.entity.js';
import { HouseSchemaEntity } from './house-schema.entity.js';
import { RuleCooldownEntity } from './rule-cooldown.entity.js';
import { RuleSnoozeEntity } from './rule-snooze.entity.js';
import { RuleEntity } from './rule.entity.js';
import { RulesetEpochEntity } from './ruleset-epoch.entity.js';
import { RulesetEntity } from './ruleset.entity.js';

export const rulesEntities = [
  AggregateReachEntity,
  BacktestEntity,
  HouseBackfillEntity,
  HouseSchemaEntity,
  RuleCooldownEntity,
  RuleSnoozeEntity,
  RuleEntity,
  RulesetEpochEntity,
  RulesetEntity,
];
