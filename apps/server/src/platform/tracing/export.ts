import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log/index.ts';
import { useTracer } from './spans.ts';

export interface TracingOptions {
  /** OTLP over HTTP, without the path of traces. */
  endpoint: string;
  /** Sent with each request, such as an authorisation. */
  headers: Readonly<Record<string, string>>;
  service: string;
  version: string;
  roles: readonly string[];
  /** Share of traces that are kept, from 0 to 1. */
  ratio: number;
}

const sendWithinMs = 10_000;
const stopsWithinMs = 3000;
/** Spans that wait to be sent; later ones are dropped while the collector does not take them. */
const waitingMost = 8192;

/** Spans of this process go to a collector until it is stopped. Its libraries are loaded only here. */
export const startTracing = async (
  { endpoint, headers, service, version, roles, ratio }: TracingOptions,
  log: Log,
): Promise<{ stop(): Promise<void> }> => {
  const [
    { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler },
    otlp,
    resources,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new otlp.OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: sendWithinMs,
  });
  const provider = new BasicTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': `${hostname()}-${process.pid}`,
      'simcube.roles': [...roles],
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(reporting(exporter, log), {
        maxQueueSize: waitingMost,
        exportTimeoutMillis: sendWithinMs,
      }),
    ],
  });
  useTracer(provider.getTracer('simcube', version));
  return {
    stop: async () => {
      useTracer(undefined);
      // A collector that is away must not keep the process from ending.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(stopsWithinMs, undefined, { ref: false })]);
    },
  };
};

/** Says once that spans can't be sent, and once that they can again; not why, as answers may repeat what was sent. */
const reporting = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !isFailing) log.warn('traces could not be sent to the collector; they are dropped');
        if (!failed && isFailing) log.info('traces are sent to the collector again');
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
