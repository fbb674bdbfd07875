// Owns flows and the sessions that people go through them in. Promises that a link cannot be guessed and stands in no
// log, that a session ends once, and that what could not be checked is never taken for checked.
export { SessionsModule } from './sessions.module.js';
export { SessionsJobsModule } from './sessions-jobs.module.js';
export { actingSystem as sessionsActingSystem } from './acting.js';
export { FlowsService } from './flows.service.js';
export { StepUps, type PreparedStepUp } from './step-ups.service.js';
export type { StepUpWish } from './domain/step-up.js';
export {
  SessionsService,
  type IssuedLink,
  type PreparedSession,
  type SessionRequest,
} from './sessions.service.js';
