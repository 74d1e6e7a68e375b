import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of this process, served at `/metrics`. */
export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'simcube_http_request_seconds',
      help: 'Time to answer a call',
      labelNames: ['endpoint', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    outboxLag: new Gauge({
      name: 'simcube_outbox_lag_seconds',
      help: 'Age of the oldest fact that a consumer has not taken yet',
      labelNames: ['consumer'] as const,
      registers,
    }),
    outboxParked: new Counter({
      name: 'simcube_outbox_parked_total',
      help: 'Facts set aside after all tries',
      labelNames: ['consumer'] as const,
      registers,
    }),
    jobs: new Counter({
      name: 'simcube_jobs_total',
      help: 'Jobs run, by name and outcome',
      labelNames: ['job', 'outcome'] as const,
      registers,
    }),
    jobsDeadLettered: new Gauge({
      name: 'simcube_jobs_dead_lettered',
      help: 'Jobs that have used up their attempts and wait for the operator',
      labelNames: ['job'] as const,
      registers,
    }),
    liveClients: new Gauge({
      name: 'simcube_live_clients',
      help: 'Open live streams',
      registers,
    }),
    liveDropped: new Counter({
      name: 'simcube_live_dropped_total',
      help: 'Live streams closed because their reader was too slow',
      registers,
    }),
    radiusPackets: new Counter({
      name: 'simcube_radius_packets_total',
      help: 'RADIUS packets by kind and outcome',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    radiusQueue: new Gauge({
      name: 'simcube_radius_queue',
      help: 'Accounting records that wait for their commit',
      registers,
    }),
    radiusBatchSeconds: new Histogram({
      name: 'simcube_radius_batch_seconds',
      help: 'Time to commit a batch of accounting records',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    radiusBatchRecords: new Histogram({
      name: 'simcube_radius_batch_records',
      help: 'Accounting records in a batch',
      buckets: [1, 5, 20, 50, 100, 250, 500, 1000, 2000],
      registers,
    }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
