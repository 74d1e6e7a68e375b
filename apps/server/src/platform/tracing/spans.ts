import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** The content of a span; never a value from a caller, which may be secret or personal. */
export interface SpanOptions {
  /** From a small set: a route, a job, a statement's first word. */
  name: string;
  kind?: SpanKind;
  /** Named by OpenTelemetry's semantic conventions if they have the attribute, else beginning with `simcube.`. */
  attributes?: Attributes;
}

export interface OpenSpan {
  /** Spans begun in `work`, and in all that it awaits, are children of this one. */
  within<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** @param failed the reason, without values that were sent: a code, or the name of an error */
  end(failed?: string): void;
}

/** Set while tracing is enabled. */
let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span>();

/** Sets where spans of this process are sent; undefined disables tracing. */
export const useTracer = (next: Tracer | undefined): void => {
  tracer = next;
};

export const isTracing = (): boolean => tracer !== undefined;

/** Begins a child of the current span; undefined when tracing is disabled. */
export const beginSpan = ({
  name,
  kind = SpanKind.INTERNAL,
  attributes = {},
}: SpanOptions): OpenSpan | undefined => {
  if (!tracer) return undefined;
  const parent = current.getStore();
  const span = tracer.startSpan(
    name,
    { kind, attributes },
    parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
  );
  return {
    within: (work) => current.run(span, work),
    set: (attributesToAdd) => void span.setAttributes(attributesToAdd),
    end: (failed) => {
      if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
      span.end();
    },
  };
};

/** Does `work` in a span; when tracing is disabled, only `work`. */
export const traced = async <T>(
  options: SpanOptions,
  work: (set: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> => {
  const span = beginSpan(options);
  if (!span) return work(() => undefined);
  try {
    const result = await span.within(() => work(span.set));
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
};

/** A code if there is one, because messages may contain values that were sent. */
const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
};
