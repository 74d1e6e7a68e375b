import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What a process may do; only processes that do it show its metrics. */
const parts = ['http', 'live', 'outbox', 'jobs', 'notify', 'radius', 'sms'] as const;
export type MetricsPart = (typeof parts)[number];

/**
 * Prometheus metrics of this process, served at `/metrics`. Those of parts that the process does not run are
 * absent: a constant 0 would suggest that nothing happens, although another process does it.
 */
export const createMetrics = (enabledParts: readonly MetricsPart[] = parts) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registersOf = (part: MetricsPart) => (enabledParts.includes(part) ? [registry] : []);
  return {
    registry,
    ready: new Gauge({
      name: 'simcube_ready',
      help: 'Whether this process is ready, as /readyz says',
      registers: [registry],
    }),
    httpSeconds: new Histogram({
      name: 'simcube_http_request_seconds',
      help: 'Time to answer a call',
      labelNames: ['endpoint', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: registersOf('http'),
    }),
    apiLogCalls: new Counter({
      name: 'simcube_api_log_calls_total',
      help: 'Calls by API keys for their log: written, or dropped as too many waited',
      labelNames: ['outcome'] as const,
      registers: registersOf('http'),
    }),
    consoleErrors: new Counter({
      name: 'simcube_console_errors_total',
      help: 'Errors that consoles have reported: answers with HTTP 500, and screens that could not be drawn',
      labelNames: ['where'] as const,
      registers: registersOf('http'),
    }),
    outboxLag: new Gauge({
      name: 'simcube_outbox_lag_seconds',
      help: 'Age of the oldest fact that a consumer has not taken yet',
      labelNames: ['consumer'] as const,
      registers: registersOf('outbox'),
    }),
    outboxDeadLettered: new Gauge({
      name: 'simcube_outbox_dead_lettered',
      help: 'Facts that a consumer has given up after all attempts and that wait for the operator',
      labelNames: ['consumer'] as const,
      registers: registersOf('outbox'),
    }),
    jobs: new Counter({
      name: 'simcube_jobs_total',
      help: 'Jobs run, by name and outcome',
      labelNames: ['job', 'outcome'] as const,
      registers: registersOf('jobs'),
    }),
    jobsDeadLettered: new Gauge({
      name: 'simcube_jobs_dead_lettered',
      help: 'Jobs that have used up their attempts and wait for the operator',
      labelNames: ['job'] as const,
      registers: registersOf('jobs'),
    }),
    jobsWaiting: new Gauge({
      name: 'simcube_jobs_waiting_seconds',
      help: 'For how long the next job of the queue has been due',
      registers: registersOf('jobs'),
    }),
    billsUnpublished: new Gauge({
      name: 'simcube_bills_unpublished',
      help: 'Drafts of bills past the day on which their month is published, and customers without a draft of such a month',
      registers: registersOf('jobs'),
    }),
    deliveryAttempts: new Counter({
      name: 'simcube_delivery_attempts_total',
      help: 'Attempts to deliver a notification, by channel and result',
      labelNames: ['channel', 'result'] as const,
      registers: registersOf('notify'),
    }),
    deliverySeconds: new Histogram({
      name: 'simcube_delivery_seconds',
      help: 'Time of an attempt to deliver a notification',
      labelNames: ['channel'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers: registersOf('notify'),
    }),
    deliveriesInFlight: new Gauge({
      name: 'simcube_deliveries_in_flight',
      help: 'Notifications that are being delivered',
      registers: registersOf('notify'),
    }),
    liveClients: new Gauge({
      name: 'simcube_live_clients',
      help: 'Open live streams',
      registers: registersOf('live'),
    }),
    liveDropped: new Counter({
      name: 'simcube_live_dropped_total',
      help: 'Live streams closed because their reader was too slow',
      registers: registersOf('live'),
    }),
    smsSubmitted: new Counter({
      name: 'simcube_sms_submitted_total',
      help: 'Parts of messages handed to connections to SMSCs, by outcome',
      labelNames: ['connection', 'outcome'] as const,
      registers: registersOf('sms'),
    }),
    smsReceived: new Counter({
      name: 'simcube_sms_received_total',
      help: 'What SMSCs delivered: messages, receipts, and receipts that fitted no message',
      labelNames: ['connection', 'kind'] as const,
      registers: registersOf('sms'),
    }),
    smsWaiting: new Gauge({
      name: 'simcube_sms_waiting',
      help: 'Parts of messages that wait to be sent',
      registers: registersOf('sms'),
    }),
    smscBound: new Gauge({
      name: 'simcube_smsc_bound',
      help: 'Whether a connection to an SMSC is bound',
      labelNames: ['connection'] as const,
      registers: registersOf('sms'),
    }),
    radiusPackets: new Counter({
      name: 'simcube_radius_packets_total',
      help: 'RADIUS packets by kind and outcome',
      labelNames: ['kind', 'outcome'] as const,
      registers: registersOf('radius'),
    }),
    radiusKernelDropped: new Counter({
      name: 'simcube_radius_kernel_dropped_total',
      help: 'Datagrams that the kernel dropped as the receive buffer of the RADIUS port was full; absent where the system does not say',
      labelNames: ['kind'] as const,
      registers: registersOf('radius'),
    }),
    radiusClockLag: new Gauge({
      name: 'simcube_radius_clock_lag_seconds',
      help: 'By how much the clock of a gateway is behind; negative if it is ahead',
      labelNames: ['gateway'] as const,
      registers: registersOf('radius'),
    }),
    radiusQueue: new Gauge({
      name: 'simcube_radius_queue',
      help: 'Accounting records that wait for their commit',
      registers: registersOf('radius'),
    }),
    radiusBatchSeconds: new Histogram({
      name: 'simcube_radius_batch_seconds',
      help: 'Time to commit a batch of accounting records',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: registersOf('radius'),
    }),
    radiusBatchRecords: new Histogram({
      name: 'simcube_radius_batch_records',
      help: 'Accounting records in a batch',
      buckets: [1, 5, 20, 50, 100, 250, 500, 1000, 2000],
      registers: registersOf('radius'),
    }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
