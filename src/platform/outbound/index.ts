// Owns outgoing requests. Promises that none reaches an internal address, follows a redirect, or lacks a timeout.
export { OutboundModule } from './outbound.module.js';
export { CircuitBreaker, type BreakerLimits } from './circuit-breaker.js';
export { DnsResolver, HostResolver } from './host-resolver.js';
export { OutboundProxy } from './outbound-proxy.js';
export { HttpSender, type HttpAnswer, type HttpPost } from './http-sender.js';
export { SignedRequests, type SigningKey } from './signed-requests.js';
export { OutboundTargets, TargetRefused } from './targets.js';
export { AddressSet, targetProblems, type TargetPolicy, type TargetProblem } from './address-guard.js';
