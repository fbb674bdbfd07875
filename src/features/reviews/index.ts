// Owns review cases: their reasons, deadlines, decisions and deciders. Promises that a case opens in the commit that asks
// for it, that nobody approves their own decision, and that a decision reaches the transactions and session of its case.
export { ReviewsModule } from './reviews.module.js';
export { ReviewsJobsModule } from './reviews-jobs.module.js';
export { ReviewsService, type OpenedReview, type PreparedReview } from './cases/reviews.service.js';
export { PastAlertsService, type PastAlert } from './past-alerts.service.js';
export type { CaseAlert } from './domain/opening.js';
export {
  LISTED,
  leadReasonOfListHit,
  leadReasonOfMissingData,
  NO_FACTS,
  leadReasonOfSession,
  formatReais,
  type AlertFacts,
  type LocalisedTexts,
  type LeadReason,
} from './domain/alert.js';
export {
  priorities,
  priorityOf,
  rankOf,
  resolutions,
  reviewKinds,
  reviewStatuses,
  themeOf,
  themes,
  type Priority,
  type ReviewKind,
  type ReviewStatus,
  type Theme,
} from './domain/review.js';
export { reportDeadline } from './domain/clocks.js';
export { queueOrders, type QueueFilter, type QueueOrder } from './store/queue-query.js';
export { ReviewQueries, type AlertRow, type CaseCounts, type ReviewRow } from './store/review.queries.js';
export { CasesService } from './cases/cases.service.js';
export { CaseDecisionsService, type ProposedDecision } from './cases/case-decisions.service.js';
export { DecisionBody, IsIdOf, QUEUE } from './api/review.dto.js';
export {
  ReviewEntryView,
  ReviewNoteView,
  ReviewPersonView,
  ReviewTransactionView,
  ReviewView,
} from './api/review.view.dto.js';
export { operatorUuid, REVIEW_ID, reviewUuid } from './api/review-ids.js';
export {
  decisionContentOf,
  ReviewEffectsService,
  type DecidedReview,
} from './cases/review-effects.service.js';
export { CaseReopeningService } from './case-reopening.service.js';
export { ReviewFilesService, type CaseTransaction, type ReviewFile } from './cases/review-files.service.js';
export { ReviewNotesService } from './cases/review-notes.service.js';
export { ReviewRepository } from './store/review.repository.js';
export {
  TransactionsAroundAlerts,
  TransactionsOfCases,
  type ReviewedTransaction,
} from './case-transaction-reader.js';
export { reviewClauses } from './store/opening.repository.js';
export { ReviewEntity, ReviewLabelEntity } from './store/entities.js';
