// Owns how requests come in and answers go out. Promises one envelope, declared access on every route, bounded input.
export { HttpModule } from './http.module.js';
export * from './access.js';
export { ApiErrors, ErrorDetailView, ErrorEnvelopeView, ErrorObjectView } from './api-errors.js';
export { AcceptsBody, BodyGuard, DEFAULT_BODY_RULES, NdjsonBody, parse, type BodyRules } from './body.guard.js';
export { contextMiddleware } from './context.middleware.js';
export { envelope, type ErrorView, type Failure, type Success } from './envelope.js';
export { ErrorFilter } from './error.filter.js';
export { errorView, failure, problemDetails, toDomainError } from './error-view.js';
export { CurrentClient, CurrentRequest, exchangeOf } from './exchange.js';
export { HttpMetrics } from './http-metrics.js';
export { RateLimiter, type RateLimit, type RateVerdict } from './rate-limiter.js';
export { setRateHeaders, spendTokens } from './rate-headers.js';
export { Readiness } from './readiness.js';
export { RouteTable, type Route } from './route-table.js';
export { answerBrokenRequests, requireHttps } from './transport-security.js';
export { compiledBody, compileValidator, validationPipe, type Violation } from './compiled-validation.js';
