// Owns outgoing requests. Promises that none reaches an internal address, follows a redirect, or lacks a timeout.
export { OutboundModule } from './outbound.module.js';
export { CircuitBreaker } from './circuit-breaker.js';
export { HostResolver } from './host-resolver.js';
export { OutboundProxy } from './outbound-proxy.js';
export { failureCodeOf, HttpSender, type HttpAnswer, type HttpPost } from './http-sender.js';
export { SignedRequests, type RequestSigningKey } from './signed-requests.js';
export { OutboundTargets, TargetRefusedError } from './targets.js';
export { AddressSet, hostOf, targetProblems } from './address-guard.js';
