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

/** What a span says; never a value that somebody sent, as those may be secret or of a person. */
export interface SpanOf {
  /** Of few: a route, a job, a statement's first word. */
  name: string;
  kind?: SpanKind;
  /** By OpenTelemetry's semantic conventions where they have one, else beginning with `simcube.`. */
  attributes?: Attributes;
}

export interface OpenSpan {
  /** Spans begun in `work`, and in all that it awaits, are inside this one. */
  within<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** @param failed why, without anything that was sent: a code, or the name of an error */
  end(failed?: string): void;
}

/** Where spans go, while traces are wanted. */
let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span>();

/** Spans of this process go there from now on, or nowhere. */
export const useTracer = (next: Tracer | undefined): void => {
  tracer = next;
};

export const isTracing = (): boolean => tracer !== undefined;

/** Begins a span inside the one that is open here; undefined when no traces are wanted. */
export const beginSpan = ({
  name,
  kind = SpanKind.INTERNAL,
  attributes = {},
}: SpanOf): OpenSpan | undefined => {
  if (!tracer) return undefined;
  const parent = current.getStore();
  const span = tracer.startSpan(
    name,
    { kind, attributes },
    parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
  );
  return {
    within: (work) => current.run(span, work),
    set: (more) => void span.setAttributes(more),
    end: (failed) => {
      if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
      span.end();
    },
  };
};

/** Does `work` in a span of its own; when no traces are wanted, only `work`. */
export const traced = async <T>(
  what: SpanOf,
  work: (set: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> => {
  const span = beginSpan(what);
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

/** A code where there is one: messages may hold what was sent. */
const failureOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
};
