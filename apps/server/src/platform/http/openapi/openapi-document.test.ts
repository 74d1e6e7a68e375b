import { allEndpoints, endpoints } from '@simcube/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  mapInside,
  mapOperation,
  mapOperations,
  type OpenApiDocument,
  type Place,
  type Schema,
} from './document-fields.ts';
import { sentSchemas } from './documented-webhooks.ts';
import { descriptions, type Match, matchesOf } from './field-descriptions/index.ts';
import { fieldExamples } from './field-examples.ts';
import { writeDocument } from './openapi-document.ts';

/** A schema, parameter or property with its position in the document. */
interface Found {
  at: string;
  one: Schema;
}

let document: OpenApiDocument;
beforeAll(async () => {
  document = await writeDocument({ version: '1', calls: allEndpoints.map(({ id }) => id) });
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Every object of the document with its position. */
function* objectsIn(value: unknown, at: string): Generator<Found> {
  if (!isObject(value)) return;
  yield { at, one: value };
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}.${name}`);
}

const fieldsOf = (part: unknown, at: string): Found[] =>
  [...objectsIn(part, at)].flatMap(({ at: place, one }) =>
    isObject(one.properties)
      ? Object.entries(one.properties).map(([name, field]) => ({ at: `${place}.${name}`, one: field }))
      : [],
  );

const operationsOf = () => Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));

/** The value without references. */
const resolved = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(resolved);
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, resolved(one)]));
  if (typeof $ref !== 'string') return inner;
  return { ...(resolved(targetOf($ref)) as object), ...inner };
};
const targetOf = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);

describe('the fields of the OpenAPI document', () => {
  it('are all described', () => {
    const parameters = operationsOf().flatMap(({ operationId, parameters: own = [] }) =>
      own.map((one) => ({ at: `${operationId}.${one.in}.${one.name}`, one: one as unknown as Schema })),
    );
    const fields = [...parameters, ...fieldsOf(document, 'document')];
    expect(fields.length).toBeGreaterThan(4000);
    expect(fields.filter(({ one }) => !one.description).map(({ at }) => at)).toEqual([]);
  });

  it('name the values of numbers that stand for a state or a trigger', () => {
    const descriptionOf = (path: string, name: string) =>
      fieldsOf(resolved(document.paths?.[path]), '').find(({ at }) =>
        new RegExp(`\\.data\\..*\\b${name}$`).test(at),
      )?.one.description;
    const { sim, autoflow } = endpoints;
    for (const [number, name] of [
      [10, 'pre-activated'],
      [23, 'active'],
      [50, 'terminated'],
    ])
      expect(descriptionOf(sim.basic.path, 'status')).toContain(`${number} ${name}`);
    expect(descriptionOf(autoflow.triggers.path, 'number')).toContain('14 imei-change');
  });

  it('use every description, and no description repeats the one that it replaces', () => {
    const matches = matchesOfFields();
    const used = new Set(matches.map(([first]) => keyOf(first)));
    const written = Object.entries(descriptions).flatMap(([source, texts]) =>
      Object.entries(texts).map(([key, text]) => keyOf({ source, key, text })),
    );
    expect(written.filter((key) => !used.has(key))).toEqual([]);
    const replacing = new Set(
      matches.flatMap(([first, next]) => (first.text === next?.text ? [] : [keyOf(first)])),
    );
    expect([...used].filter((key) => !replacing.has(key))).toEqual([]);
  });

  it('have examples that their schemas accept', () => {
    const withExample = [...objectsIn(resolved({ paths: document.paths }), '')].filter(
      ({ one }) => one['examples'],
    );
    const distinct = new Map(withExample.map(({ one }) => [JSON.stringify(one), one]));
    const values = [...distinct.values()].map(({ examples, ...schema }) => ({
      examples: examples as unknown[],
      schema,
    }));
    const refused = values.filter(
      ({ examples, schema }) =>
        !examples.every((one) => z.fromJSONSchema(schema as never).safeParse(one).success),
    );
    expect(refused).toEqual([]);
    const used = new Set(values.flatMap(({ examples }) => examples.map((one) => JSON.stringify(one))));
    const written = Object.values(fieldExamples).map((one) => JSON.stringify(one));
    expect(written.filter((one) => !used.has(one))).toEqual([]);
  });

  it('have formats, where they are times, days or integers', () => {
    const fields = fieldsOf(document, '');
    const times = fields.filter(({ at }) => at.endsWith('_at'));
    const isTime = ({ format, anyOf }: Schema): boolean =>
      format === 'date-time' || (anyOf as Schema[] | undefined)?.some(isTime) === true;
    expect(times.filter(({ one }) => !isTime(one)).map(({ at }) => at)).toEqual([]);
    const integers = fields.filter(({ one }) => one.type === 'integer');
    expect(integers.filter(({ one }) => !/^int(32|64)$/.test(one.format ?? ''))).toEqual([]);
  });
});

const keyOf = ({ source, key }: Match): string => `${source} ${key}`;

/** For each place of a field: the descriptions that fit it; the headers of most calls are described where they are declared. */
const matchesOfFields = (): [Match, ...Match[]][] => {
  const found: [Match, ...Match[]][] = [];
  const add = (place: Place) => {
    const [first, ...others] = matchesOf(place);
    if (first) found.push([first, ...others]);
  };
  const visit = (schema: Schema, place: Place, isProperty = false): Schema => {
    if (isProperty) add(place);
    return mapInside(schema, place, visit);
  };
  mapOperations(resolved({ paths: document.paths }) as OpenApiDocument, (operation) =>
    mapOperation(
      operation,
      (schema, place) => visit(schema, place),
      (parameter, place) => {
        add(place);
        visit(parameter.schema, place);
        return parameter;
      },
    ),
  );
  for (const { schema, place } of sentSchemas()) visit(schema, place);
  return found;
};

describe('the objects of the OpenAPI document', () => {
  it('are exact in requests, and open to new fields in responses', () => {
    const closed = (part: unknown): Found[] =>
      [...objectsIn(resolved(part), '')].filter(({ one }) => one.additionalProperties === false);
    const responses = operationsOf().map(({ responses: own }) => own);
    expect(closed(responses)).toEqual([]);
    const open = operationsOf().flatMap(({ operationId, requestBody }) => {
      const schema = resolved(requestBody?.content['application/json']?.schema);
      return [...objectsIn(schema, operationId)].filter(
        ({ one }) => isObject(one.properties) && one.type === 'object' && one.additionalProperties !== false,
      );
    });
    expect(open.map(({ at }) => at)).toEqual([]);
  });

  it('are in it once if several calls have them, and every reference leads to one', () => {
    const references = [...objectsIn(document, '')].flatMap(({ one }) =>
      typeof one['$ref'] === 'string' ? [one['$ref']] : [],
    );
    expect(references.length).toBeGreaterThan(1000);
    expect(references.filter((reference) => !isObject(targetOf(reference)))).toEqual([]);
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names).toEqual(expect.arrayContaining(['network', 'filter', 'preview', 'schedule.create.data']));
    expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([]);
    const used = new Set(references);
    expect(names.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  });
});
