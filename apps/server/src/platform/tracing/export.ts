import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../log/index.ts';
import { useTracer } from './spans.ts';

export interface TracingOptions {
  /** OTLP over HTTP, without the path for traces. */
  endpoint: string;
  /** Sent with each request, such as an authorisation. */
  headers: Readonly<Record<string, string>>;
  service: string;
  version: string;
  roles: readonly string[];
  /** Share of traces to record, from 0 to 1. */
  ratio: number;
}

const sendTimeoutMs = 10_000;
const stopTimeoutMs = 3000;
/** Maximum number of spans waiting to be sent; later ones are dropped while the collector does not accept any. */
const maxQueuedSpans = 8192;

/** Sends the spans of this process to a collector until it is stopped. The libraries are loaded only here. */
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
    timeoutMillis: sendTimeoutMs,
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
      new BatchSpanProcessor(withFailureLog(exporter, log), {
        maxQueueSize: maxQueuedSpans,
        exportTimeoutMillis: sendTimeoutMs,
      }),
    ],
  });
  useTracer(provider.getTracer('simcube', version));
  return {
    stop: async () => {
      useTracer(undefined);
      // An unavailable collector must not keep the process from ending.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
};

/**
 * Logs once when spans can't be sent, and once when they can again; without the reason, because responses may
 * repeat what was sent.
 */
const withFailureLog = (exporter: SpanExporter, log: Log): SpanExporter => {
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
