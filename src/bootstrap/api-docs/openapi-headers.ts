const text = (description: string, example: string): object => ({
  description,
  schema: { type: 'string', example },
});

/** The response headers, each described once. */
export const HEADERS = {
  'X-Request-Id': text(
    'Names this request in logs, audit entries and questions to whoever runs the service; yours, if you sent one.',
    'req_019364d0c0de7000a000000000000001',
  ),
  'X-Correlation-Id': text('Ties together what belongs together; yours, if you sent one.', 'order-4711'),
  'X-API-Version': text('The version of the interface in which the answer is written.', '2026-11-01'),
  RateLimit: text(
    'What is left of the limit (`r`), and after how many seconds it is whole again (`t`).',
    '"client";r=99;t=1',
  ),
  'RateLimit-Policy': text(
    'The limit: how many calls (`q`) in how many seconds (`w`).',
    '"client";q=100;w=2',
  ),
  'Retry-After': text('After how many seconds the same request may be sent again.', '1'),
  'WWW-Authenticate': text(
    'How to say who is calling.',
    'ClientCredentials realm="x-client-id, x-client-secret"',
  ),
  'Idempotency-Replayed': text(
    'Only there, and `true`, when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    'true',
  ),
  Location: text('Where to go on.', '/console'),
  Deprecation: text('Since when the route is deprecated (RFC 9745).', '@1793491200'),
  Link: text('The route that takes its place.', '</kyt/transactions/ingest>; rel="successor-version"'),
} as const;
