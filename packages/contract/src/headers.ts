/** What the gateway's calls begin with; nothing else is served below them. */
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

/** Headers that every call carries besides `authorization` and `accept-language` (specification, section 7). */
export const headers = {
  partnerCode: 'partner-code',
  tenantId: 'tenant-id',
  timestamp: 'timestamp',
  timeZone: 'time-zone',
  /** The address of a forgotten password: it must not stand in a URL (specification, section 7). */
  email: 'email',
  /** Who removes a rule, and where: section 7 has both in headers. */
  operatorEmail: 'operator-email',
  scene: 'scene',
  /** Stands for the sign-in at one download: a token must not stand in a URL. */
  oneTimeToken: 'one-time-token',
  /** The message after which a stream continues (WHATWG HTML, 9.2.4). */
  lastEventId: 'last-event-id',
  /** Answered on every call; quoted by every error. */
  traceId: 'x-trace-id',
  idempotencyKey: 'idempotency-key',
  /** Answered when the request had been answered before and was not done again. */
  idempotencyReplayed: 'idempotency-replayed',
} as const;
