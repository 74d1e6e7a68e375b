import { SpanKind } from '@opentelemetry/api';
import type pg from 'pg';
import { beginSpan } from './spans.ts';

/** Enough of a statement to tell it from others. */
const maxTextLength = 500;

/**
 * Adds spans to the statements of a connection, with their text, which has `$1` in place of values. Streams
 * (COPY) and statements with a callback get none.
 */
export const traceStatements = (client: pg.PoolClient): void => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const tracedQuery = (...args: unknown[]): unknown => {
    const text = textOf(args[0]);
    const span = text === undefined ? undefined : beginSpan(spanOf(text));
    if (!span) return query(...args);
    const result = span.within(() => query(...args));
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    result.then(
      () => span.end(),
      (error: { code?: string }) => span.end(error.code ?? 'error'),
    );
    return result;
  };
  client.query = tracedQuery as typeof client.query;
};

/** A statement's first word, after comments: migrations begin with one. */
const verb = /^(?:\s|--[^\n]*\n)*(\w+)/;

/** The SQLSTATE says why a statement failed; the database's message would repeat values. */
const spanOf = (text: string) => {
  const statement = text.replaceAll(/\s+/g, ' ').trim();
  return {
    name: verb.exec(text)?.[1]?.toLowerCase() ?? 'statement',
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, maxTextLength) },
  };
};

const textOf = (statement: unknown): string | undefined => {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return undefined;
  return 'text' in statement && typeof statement.text === 'string' ? statement.text : undefined;
};
