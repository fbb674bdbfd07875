// Owns how requests come in and answers go out. Promises one envelope, declared access on every route, bounded input.
export { HttpModule } from './http.module.js';
export * from './access.js';
export * from './permissions.js';
export { ApiData, type ApiDataOptions } from './api-data.js';
export {
  ApiErrors,
  documentedError,
  ErrorDetailView,
  ErrorEnvelopeView,
  ErrorObjectView,
} from './api-errors.js';
export {
  AcceptsBody,
  BodyGuard,
  DEFAULT_BODY_RULES,
  NdjsonBody,
  parse,
  readBody,
  StreamsBody,
  type BodyRules,
} from './body.guard.js';
export { ClientGate } from './client-gate.js';
export {
  closeExchange,
  contextMiddleware,
  exchangeHeaders,
  knownVersion,
  openExchange,
} from './context.middleware.js';
export { CrossOrigin, type OriginsOf } from './cross-origin.js';
export { envelope, type ErrorView, type Failure, type Success } from './envelope.js';
export { ErrorFilter } from './error.filter.js';
export { errorView, failure, problemDetails, toDomainError } from './error-view.js';
export { requireSecondPerson } from './four-eyes.js';
export {
  CurrentClient,
  CurrentOperator,
  CurrentRequest,
  exchangeOf,
  setExchange,
  type Exchange,
} from './exchange.js';
export { HttpMetrics } from './http-metrics.js';
export { Idempotent } from './idempotency.js';
export { OperatorGate, type RefusedCall, type TokenVerdict } from './operator-gate.js';
export { OperatorRoster, type RosterEntry } from './operator-roster.js';
export {
  ApiOnePage,
  ApiPage,
  cursorKeys,
  DEFAULT_PAGE_SIZE,
  encodeCursor,
  listBy,
  listById,
  MAX_PAGE_SIZE,
  page,
  PageInfoView,
  PageQuery,
  type CursorKeys,
  type CursorKind,
  type Page,
} from './paging.js';
export { IsOrdinal } from './ordinal.js';
export { UrlFlag, UrlNumber } from './url-values.js';
export { QueryGuard } from './query.guard.js';
export { RateLimiter, type RateLimit, type RateVerdict } from './rate-limiter.js';
export { clientBucket, CLIENT_POLICY, rateHeaders, setRateHeaders, spendTokens } from './rate-headers.js';
export { Readiness } from './readiness.js';
export { isOperatorPath, RouteTable, type Route } from './route-table.js';
export { takesItsTime, watchSender, type SenderRules, type SenderWatch } from './sender-watch.js';
export { headersOf } from './middleware-headers.js';
export { arrivedByTls, brokenRequestAnswerer, requireHttps } from './transport-security.js';
export { compileValidator, type CompiledValidator } from './compiled-validation.js';
export { compiledBody, toProblemDetails, validationPipe } from './validation.pipe.js';
export { Check, IsInstant, IsText, type PropertyCheck, type ValidationContext } from './property-check.js';
export { finding, violationTexts, type Finding, type Violation, type ViolationCode } from './violations.js';
