import {
  allEndpoints,
  type EndpointShape,
  errorCodesOf,
  errors,
  limits,
  servicePrefixes,
} from '@simcube/contract';
import { specCalls } from '@simcube/contract/spec';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { registeredRoutes } from './registered-routes.ts';
import { isTest, sourceFiles } from './source-tree.ts';

const sources = sourceFiles(
  (path) =>
    /^(apps|packages)\/.*\.tsx?$/.test(path) && !isTest(path) && !path.includes('/contract/src/spec/'),
);
const textOutside = (file: string): string =>
  sources
    .filter(({ path }) => path !== file)
    .map(({ text }) => text)
    .join('\n');

const inputsOf = ({ params, query, body }: EndpointShape): Record<string, z.ZodType> => ({
  ...(params && { params }),
  ...(query && { query }),
  ...(body && { body }),
});

describe('endpoint records', () => {
  it('are each registered exactly once, with no other routes', () => {
    const registered = registeredRoutes().map(({ endpoint }) => endpoint.id);
    expect(registered.toSorted((a, b) => a.localeCompare(b))).toEqual(
      allEndpoints.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it('are below a service prefix, like the calls of the specification', () => {
    const outside = [...allEndpoints, ...specCalls].filter(
      ({ path }) => !servicePrefixes.some((prefix) => path.startsWith(`${prefix}/`)),
    );
    expect(outside).toEqual([]);
  });

  it('have unique ids and addresses', () => {
    expect(new Set(allEndpoints.map(({ id }) => id)).size).toBe(allEndpoints.length);
    const addresses = allEndpoints.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    expect(new Set(addresses).size).toBe(allEndpoints.length);
  });

  it.each(allEndpoints)(
    '$id has schemas for its path parameters, and valid codes without duplicates',
    (endpoint) => {
      const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      expect(Object.keys(endpoint.params?.shape ?? {}).toSorted((a, b) => a.localeCompare(b))).toEqual(
        named.toSorted((a, b) => a.localeCompare(b)),
      );
      // Without duplicates: shared codes are not named again.
      expect(new Set(errorCodesOf(endpoint)).size).toBe(errorCodesOf(endpoint).length);
      for (const code of endpoint.errors) expect(errors).toHaveProperty([code]);
      expect(endpoint.summary.length).toBeGreaterThan(5);
      if (endpoint.method === 'GET') expect([endpoint.body, endpoint.retry]).toEqual([undefined, 'safe']);
      // A call that changes something names its action in the audit trail.
      else expect(endpoint.audit).toBeDefined();
    },
  );
});

describe('bounds', () => {
  const lists = allEndpoints.filter(({ list }) => list);

  it.each(lists)('$id bounds its page size', (endpoint) => {
    const schema = endpoint.query ?? endpoint.body;
    const paged = z.object({ page_no: z.number(), page_size: z.number() });
    const sizeRefused = (page_size: number) =>
      schema?.safeParse({ page_size }).error?.issues.some(({ path }) => path[0] === 'page_size') ?? false;
    const required = requiredOf(schema);
    const parsed = schema?.safeParse(required);
    expect(parsed?.error).toBeUndefined();
    expect(paged.parse(parsed?.data).page_size).toBeLessThanOrEqual(limits.page.maxByApi);
    expect(sizeRefused(limits.page.maxByApi + 1)).toBe(true);
    expect(sizeRefused(0)).toBe(true);
  });

  it('every paged call that returns an array is declared as a list', () => {
    const undeclared = allEndpoints.filter(
      ({ response, list, query, body }) =>
        response instanceof z.ZodArray && !list && /page_size/.test(JSON.stringify([query, body])),
    );
    expect(undeclared.map(({ id }) => id)).toEqual([]);
  });

  it.each(allEndpoints)('$id bounds every input text and array', (endpoint) => {
    const open = Object.entries(inputsOf(endpoint)).flatMap(([where, schema]) =>
      unbounded(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), where),
    );
    expect(open).toEqual([]);
  });
});

describe('inputs', () => {
  it.each(allEndpoints)('$id accepts only declared keys, at any depth', (endpoint) => {
    const open = Object.entries(inputsOf(endpoint)).flatMap(([where, schema]) =>
      openObjects(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), where),
    );
    expect(open).toEqual([]);
  });

  it.each(allEndpoints)('$id validates people’s texts by their common schema', (endpoint) => {
    const others = Object.entries(inputsOf(endpoint)).flatMap(([where, schema]) =>
      textsOfNoKind(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), where),
    );
    expect(others.filter((path) => !machineTexts.has(path.split('.').at(-1) ?? ''))).toEqual([]);
  });
});

describe('catalogues', () => {
  it.each(Object.keys(errors))('%s is used', (code) => {
    expect(textOutside('packages/contract/src/errors.ts')).toContain(`'${code}'`);
  });

  it.each(leaves(limits))('limits.%s is used', (path) => {
    const text = textOutside('packages/contract/src/limits.ts');
    const [group = ''] = path.split('.');
    const whole = new RegExp(`limits\\.${path.replaceAll('.', '\\??\\.')}\\b`);
    // A group that is passed on as a whole counts as using all of it.
    const passedOn = new RegExp(`limits\\.${group}\\b(?!\\??\\.)`);
    expect(whole.test(text) || passedOn.test(text)).toBe(true);
  });
});

/** Valid values for every required field. */
function requiredOf(schema: z.ZodType | undefined): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return {};
  const samples: unknown[] = [
    '89860012300000000001',
    '17',
    '7b3c1f1e-0000-4000-8000-000000000000',
    1,
    '2026-05-01',
  ];
  return Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([name, field]) => [name, samples.find((sample) => field.safeParse(sample).success)]),
  );
}

/** Paths of texts without a maximum length and of arrays without a maximum size. */
function unbounded(schema: unknown, where: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  const closed = ['maxLength', 'pattern', 'enum', 'const', 'format', 'allOf'].some((key) => key in node);
  const own =
    (node['type'] === 'string' && !closed) || (node['type'] === 'array' && !('maxItems' in node))
      ? [where]
      : [];
  const nested = Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'object' ? unbounded(value, `${where}.${key}`) : [],
  );
  return [...own, ...nested];
}

/**
 * Texts that are looked up or verified, and never stored as received; every text is checked for broken
 * characters anyway.
 */
const machineTexts = new Set([
  'actor_id',
  'bundle',
  'bundleCode',
  'bundle_code',
  'code',
  'cursor',
  'email',
  'emails',
  'identifiers',
  'linkId',
  'oldPassword',
  'orgCode',
  'partnerCode',
  'password',
  'targetCode',
  'target_code',
  'taskReference',
  'token',
  'userId',
]);

/** Paths of texts that neither have a format nor use the schema for people's texts. */
function textsOfNoKind(schema: unknown, where: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  const known = ['pattern', 'enum', 'const', 'format', 'allOf', 'x-text'].some((key) => key in node);
  if (node['type'] === 'string') return known ? [] : [where];
  return Object.entries(node).flatMap(([key, value]) =>
    textsOfNoKind(value, structural.has(key) || /^\d+$/.test(key) ? where : `${where}.${key}`),
  );
}
const structural = new Set(['properties', 'items', 'anyOf', 'oneOf', '$defs']);

/** Paths of objects that accept undeclared keys. */
function openObjects(schema: unknown, where: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  const own = node['type'] === 'object' && node['additionalProperties'] !== false ? [where] : [];
  const nested = Object.entries(node).flatMap(([key, value]) => openObjects(value, `${where}.${key}`));
  return [...own, ...nested];
}

function leaves(node: object, above = ''): string[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const path = above ? `${above}.${key}` : key;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? leaves(value, path) : [path];
  });
}
