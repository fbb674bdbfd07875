import { ReviewEffectEntity } from './review-effect.entity.js';
import { ReviewHitEntity } from './review-hit.entity.js';
import { ReviewLabelEntity } from './review-label.entity.js';
import { ReviewNoteEntity } from './review-note.entity.js';
import { ReviewPersonEntity } from './review-person.entity.js';
import { ReviewTransactionEntity } from './review-transaction.entity.js';
import { ReviewEntity } from './review.entity.js';

export const reviewsEntities = [
  ReviewEffectEntity,
  ReviewHitEntity,
  ReviewLabelEntity,
  ReviewNoteEntity,
  ReviewPersonEntity,
  ReviewTransactionEntity,
  ReviewEntity,
];
