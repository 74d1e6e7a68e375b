import { createHash } from 'node:crypto';
import { fail } from '../http/index.ts';
import { isKeyText } from './key-types.rules.ts';
import type { Order, Position } from './order.ts';

/** What a cursor belongs to; it is rejected if any of this differs. */
export interface CursorContext {
  list: string;
  scope: unknown;
  filter: object;
  order: Order;
}

/** An opaque text for a position in a list: the sort keys of the last row sent, and a hash of what they belong to. */
export const encodeCursor = (context: CursorContext, position: Position): string =>
  Buffer.from(JSON.stringify([queryHashOf(context), ...position])).toString('base64url');

/** @throws Failure CB-00-0406 when the text is not a cursor of this list, scope, filter and order */
export const decodeCursor = (context: CursorContext, text: string): Position => {
  const [hash, ...position] = arrayOf(text);
  const { keys } = context.order;
  const isValid =
    hash === queryHashOf(context) &&
    position.length === keys.length &&
    keys.every(({ type, nulls }, index) => {
      const value = position[index];
      return value === null ? nulls !== undefined : isKeyText(type, value);
    });
  return isValid ? (position as (string | null)[]) : fail('CB-00-0406');
};

const arrayOf = (text: string): unknown[] => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
};

/** A hash that identifies a query, whatever the order of its fields. */
export const queryHashOf = ({ list, scope, filter, order }: CursorContext): string => {
  const text = JSON.stringify([list, order.text, scope, filter], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
};
