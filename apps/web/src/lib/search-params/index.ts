import { z } from 'zod';

/**
 * Search parameters in a readable form: plain text, lists as repeated names (`?lifecycle=active&lifecycle=paused`). A route's
 * schema receives texts or lists of texts, and coerces them.
 */
export const parseSearch = (search: string): Record<string, string | string[]> => {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const before = found[name];
    found[name] = before === undefined ? value : [before, value].flat();
  }
  return found;
};

export const stringifySearch = (search: object): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search) as [string, unknown][]) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') {
        params.append(name, String(one));
      }
    }
  }
  return params.size > 0 ? `?${params.toString()}` : '';
};

/** A list; a single value arrives as plain text. Invalid values are ignored: a bad link still opens. */
export const listParam = <T>(item: z.ZodType<T>) =>
  z
    .union([z.array(z.unknown()), z.unknown().transform((one) => [one])])
    .transform((values) => {
      const fitting = values.flatMap((value) => {
        const parsed = item.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      });
      return fitting.length > 0 ? fitting : undefined;
    })
    .optional();
