// Owns HTTP requests and answers. Promises one envelope, declared access on every route, and bounded input.
export { HttpModule } from './http.module.js';
export * from './access/access.js';
export * from './access/permissions.js';
export { Route } from './route.js';
export { ApiData } from './api-data.js';
export { documentedError, ErrorDetailView, ErrorEnvelopeView, ErrorObjectView } from './errors/api-errors.js';
export {
  AcceptsBody,
  BodyGuard,
  DEFAULT_BODY_RULES,
  CsvBody,
  payloadTooLarge,
  NdjsonBody,
  parseLimitedJson,
  readBody,
  StreamsBody,
} from './body/body.guard.js';
export { ClientGate } from './access/client-gate.js';
export {
  contextMiddleware,
  commonResponseHeaders,
  isKnownVersion,
  createExchange,
} from './requests/context.middleware.js';
export { CrossOrigin } from './requests/cross-origin.js';
export { envelope, type ErrorView, type SuccessEnvelope } from './envelope.js';
export { ErrorFilter } from './errors/error.filter.js';
export { errorView, toDomainError } from './errors/error-view.js';
export { safeFieldName } from './errors/field-name.js';
export {
  CurrentClient,
  CurrentOperator,
  CurrentRequest,
  exchangeOf,
  setExchange,
  type Exchange,
} from './requests/exchange.js';
export { drain } from './requests/drain.js';
export { RequestRecorder } from './requests/request-recorder.js';
export { Idempotent } from './idempotency/idempotency.interceptor.js';
export { COSTLY } from './access/costly.js';
export { personRecords, ReadRecorder, type PersonRecord } from './access/person-reads.js';
export { OperatorGate, type RefusedCall, type TokenVerdict } from './access/operator-gate.js';
export { OperatorLookup, type OperatorSummary } from './access/operator-lookup.js';
export {
  ApiOnePage,
  cursorKeys,
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
export { Field } from './fields/field.js';
export { View, viewOf } from './fields/view.js';
export { mediaTypeIn } from './body/media-type.js';
export { QueryGuard } from './body/query.guard.js';
export { rateLimitedNetworksOf, spendNetworkTokens } from './limits/networks.js';
export { RateLimiter, type RateLimit, type RateVerdict } from './limits/rate-limiter.js';
export {
  clientBucket,
  CLIENT_POLICY,
  rateHeaders,
  setRateHeaders,
  requireTokens,
  spendTokens,
  spendOrganisationTokens,
} from './limits/rate-headers.js';
export { Readiness } from './readiness.js';
export {
  isForIntegrators,
  isOperatorPath,
  pathTemplate,
  RouteTable,
  type DeclaredRoute,
} from './route-table.js';
export { watchSender, type SenderRules } from './requests/sender-watch.js';
export { readForwardedFor } from './requests/forwarded-for.js';
export { fixedHeadersOf } from './requests/middleware-headers.js';
export {
  arrivedByTls,
  brokenRequestAnswerer,
  isProbePath,
  requireHttps,
} from './requests/transport-security.js';
export { compileValidator } from './body/compiled-validation.js';
export { compiledBody, validationPipe } from './body/validation.pipe.js';
export { Check, IsInstant, IsText } from './body/property-check.js';
export { createFault } from './errors/violations.js';
