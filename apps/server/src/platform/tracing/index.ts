export { SpanKind } from '@opentelemetry/api';
export { startTracing } from './export.ts';
export { beginSpan, isTracing, type OpenSpan, traced } from './spans.ts';
export { traceStatements } from './statements.ts';
