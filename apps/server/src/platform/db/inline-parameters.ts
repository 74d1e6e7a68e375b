import type { CompiledQuery } from 'kysely';
import pg from 'pg';

/**
 * A statement with its values written into it, for COPY, which takes no parameters. Each value is a quoted
 * literal, whose type is inferred from its position, as that of a parameter would be.
 */
export const inlineParameters = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string =>
  sql.replaceAll(/\$(\d+)/g, (_, number: string) => literalOf(parameters[Number(number) - 1]));

const literalOf = (value: unknown): string =>
  value === null || value === undefined ? 'null' : pg.escapeLiteral(textOf(value));

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
};

const elementOf = (value: unknown): string =>
  value === null ? 'null' : `"${textOf(value).replaceAll(/["\\]/g, '\\$&')}"`;
