import { DeadLetterDiscardEntity } from './dead-letter-discard.entity.js';
import { KytDecisionEntity } from './kyt-decision.entity.js';
import { KytEvaluationEntity } from './kyt-evaluation.entity.js';
import { KytHouseValueEntity } from './kyt-house-value.entity.js';
import { KytLateEffectEntity } from './kyt-late-effect.entity.js';
import { KytStandingEntity } from './kyt-standing.entity.js';
import { KytTransactionEntity } from './kyt-transaction.entity.js';
import { KytWorkEntity } from './kyt-work.entity.js';
import { LookBackEntity } from './look-back.entity.js';

export const kytEntities = [
  DeadLetterDiscardEntity,
  KytDecisionEntity,
  KytEvaluationEntity,
  KytHouseValueEntity,
  KytLateEffectEntity,
  KytStandingEntity,
  KytTransactionEntity,
  KytWorkEntity,
  LookBackEntity,
];
