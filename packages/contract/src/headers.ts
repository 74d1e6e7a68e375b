/** Path prefixes of the gateway's calls; nothing else is served below them. */
export const servicePrefixes = [
  '/cube',
  '/customer',
  '/identity',
  '/rule-engine',
  '/data-pool',
  '/cdr',
  '/job-service',
  '/public-sphere',
] as const;

/** Headers that every call carries in addition to `authorization` and `accept-language` (specification, section 7). */
export const headers = {
  partnerCode: 'partner-code',
  tenantId: 'tenant-id',
  timestamp: 'timestamp',
  timeZone: 'time-zone',
  /** Email address of a forgotten password, which must not be in a URL (specification, section 7). */
  email: 'email',
  /** Person who removes a rule, and the place in the console: section 7 has both in headers. */
  operatorEmail: 'operator-email',
  scene: 'scene',
  /** Authenticates one download without a session: a token must not be in a URL. */
  oneTimeToken: 'one-time-token',
  /** The message after which a stream continues (WHATWG HTML, 9.2.4). */
  lastEventId: 'last-event-id',
  /** Returned by every call and quoted in every error. */
  traceId: 'x-trace-id',
  idempotencyKey: 'idempotency-key',
  /** Returned if the response is that of an earlier request and the work was not repeated. */
  idempotencyReplayed: 'idempotency-replayed',
} as const;
