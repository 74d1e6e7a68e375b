import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints, toInputIssues } from './index.ts';

/** All objects within a schema of input. */
const objectsOf = (schema: unknown): z.ZodObject[] => {
  if (schema instanceof z.ZodObject) return [schema, ...Object.values(schema.shape).flatMap(objectsOf)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsOf);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return objectsOf(schema.def.innerType);
  return [];
};

const calls = Object.values(endpoints).flatMap((domain) => Object.values(domain));
const values = [
  ['2026-11-20T00:00:00Z', '2026-11-19T23:59:59.5Z'],
  ['2026-11-20', '2026-11-19'],
  [50, 10],
] as const;

/** Periods and ranges that may be given alone. The heatmap's have defaults, so its calls check them themselves. */
const pairs = calls.flatMap(({ id, ...call }) =>
  (id === 'heatmap.figures' ? [] : ['body', 'query']).flatMap((part) =>
    objectsOf(call[part as keyof typeof call]).flatMap((object) =>
      Object.keys(object.shape).flatMap((start) => {
        const end = start.replace(/(^|_)from$/, '$1to').replace(/_min$/, '_max');
        return values.flatMap(([later, earlier]) =>
          end !== start && object.safeParse({ [start]: earlier, [end]: later }).success
            ? [{ id, object, start, end, later, earlier }]
            : [],
        );
      }),
    ),
  ),
);

describe('a period or range whose end is before its start', () => {
  it.each(pairs)('is refused: $id, $start', ({ object, start, end, later, earlier }) => {
    const issues = object
      .safeParse({ [start]: later, [end]: earlier })
      .error?.issues.flatMap((issue) => toInputIssues(issue));
    expect(issues).toEqual([
      typeof later === 'number'
        ? { path: end, key: 'tooSmall', values: { min: later } }
        : expect.objectContaining({ path: end, key: 'endBeforeStart' }),
    ]);
  });

  it('is found in the calls that have one', () => {
    const found = new Set(pairs.map(({ id }) => id));
    for (const id of ['sms.list', 'audit.list', 'sim.list', 'sim.saveView', 'autoflow.listRuns'])
      expect(found).toContain(id);
  });
});
