import type { EndpointShape, Envelope } from '@simcube/contract';
import { z } from 'zod';
import type { TestApp } from '../app.ts';
import { expectDocumented } from '../documented.ts';
import { portOf } from '../gateway.ts';
import { nonReferences, type ReferenceField, referenceFields } from './matrix/index.ts';

/** How to make any call from its record alone: fields are filled with things of the test, or with valid samples. */

export const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};

/** The file of an upload is treated like other fields. */
const fileShape = { file: z.string() };

export const partsOf = ({ params, query, body, headers, upload }: EndpointShape) => ({
  params: shapeOf(params),
  query: shapeOf(query),
  headers: shapeOf(headers),
  body: upload ? fileShape : shapeOf(body),
});
export type Part = keyof ReturnType<typeof partsOf>;

export const fieldsOf = (endpoint: EndpointShape): [field: string, schema: z.ZodType][] =>
  Object.values(partsOf(endpoint)).flatMap((part) => Object.entries(part));
export const isReference = ({ id }: EndpointShape, field: string): field is ReferenceField =>
  referenceFields.some((name) => name === field) && !Object.hasOwn(nonReferences, `${id} ${field}`);
export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** Valid values for fields that name nothing. */
const samples: unknown[] = [
  '24h',
  'day',
  '2026-11-01',
  '2026-11-01T00:00:00Z',
  1,
  true,
  'text',
  [],
  {},
  'user',
  'en-US',
  'disabled',
  'sim',
  ['sim'],
  'DE',
  '123456',
  'Cube-2026!',
  'somebody@example.test',
  'https://hooks.example.test/',
  'a token of nobody, long enough for one',
  { kind: 'inherit' },
  ['somebody@example.test'],
  ['4915112345678'],
  'csv',
  '12.5',
  'Europe/Madrid',
  { mode: 'once', at: '2030-01-01T06:30' },
  'all',
  'sims',
  { 'en-US': { subject: 'text', text: 'text', sms: 'text' } },
  '2026-10',
  ['2026-10'],
  'sms',
  ['csv'],
];

let names = 0;
const trigger = () => ({ kind: 'silent', hours: 48 });
const newName = (): string => {
  names += 1;
  return `Name ${names}`;
};
/** Fields that need more than a valid form: unique names, times in the future, and one of several alternatives. */
const specialSamples: Readonly<Record<string, () => unknown>> = {
  'sim.readIdentifiers file': () => 'ICCID\r\n8988303000000000000',
  'autoflow.create name': newName,
  'autoflow.update name': newName,
  'autoflow.createTemplate name': newName,
  'autoflow.updateTemplate name': newName,
  'autoflow.tryBody event': trigger,
  'autoflow.trySend event': trigger,
  // The bill's other lines are not for pools.
  'finance.listPoolMembers line': () => 4,
  'autoflow.create active_from': () => null,
  'autoflow.create active_until': () => null,
  'autoflow.update active_from': () => null,
  'autoflow.update active_until': () => null,
  'sim.saveTag add': () => ['text'],
};
const sampleOf = ({ id }: EndpointShape, field: string, schema: z.ZodType): unknown => {
  const special = specialSamples[`${id} ${field}`];
  return special ? special() : samples.find((sample) => schema.safeParse(sample).success);
};

/** The value for a field; undefined omits it. */
export type ValueOf = (field: ReferenceField, endpoint: EndpointShape, isOptional: boolean) => unknown;

const fillPart = async (
  endpoint: EndpointShape,
  part: Part,
  value: ValueOf,
): Promise<Record<string, unknown>> => {
  const sent: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(partsOf(endpoint)[part])) {
    if (isReference(endpoint, field)) sent[field] = await value(field, endpoint, isOptional(schema));
    else if (!isOptional(schema) || specialSamples[`${endpoint.id} ${field}`])
      sent[field] = sampleOf(endpoint, field, schema);
  }
  return Object.fromEntries(Object.entries(sent).filter(([, one]) => one !== undefined));
};

/** A form with a file (RFC 7578), or JSON, as the record requires. */
const payloadOf = (
  endpoint: EndpointShape,
  body: Record<string, unknown>,
): Pick<RequestInit, 'body' | 'headers'> => {
  if (endpoint.upload) {
    const form = new FormData();
    form.set('file', new Blob([String(body['file'])]), 'sims.csv');
    return { body: form };
  }
  return endpoint.body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
};

export interface CallResult {
  http: number;
  text: string;
  envelope: Envelope<unknown> | undefined;
}

export const callEndpoint = async (
  { app }: Pick<TestApp, 'app'>,
  endpoint: EndpointShape,
  { headers, value }: { headers: Record<string, string>; value: ValueOf },
): Promise<CallResult> => {
  const params = await fillPart(endpoint, 'params', value);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const query = new URLSearchParams((await fillPart(endpoint, 'query', value)) as Record<string, string>);
  const own = (await fillPart(endpoint, 'headers', value)) as Record<string, string>;
  const { body, headers: type } = payloadOf(endpoint, await fillPart(endpoint, 'body', value));
  const controller = new AbortController();
  const sent = { ...headers, ...own, ...(type as Record<string, string>) };
  const url = `${path}?${query}`;
  const response = await fetch(`http://127.0.0.1:${portOf(app)}${url}`, {
    method: endpoint.method,
    headers: sent,
    signal: controller.signal,
    ...(body && { body }),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const text = isStream ? '' : await response.text();
  const responseHeaders = Object.fromEntries(response.headers);
  expectDocumented(app, {
    method: endpoint.method,
    url,
    sent,
    http: response.status,
    answered: responseHeaders,
    text,
  });
  if (isStream) controller.abort();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    http: response.status,
    text,
    envelope: isJson ? (JSON.parse(text) as Envelope<unknown>) : undefined,
  };
};

export type Parts = Record<Part, Record<string, unknown>>;

export const fillParts = async (endpoint: EndpointShape, value: ValueOf): Promise<Parts> => ({
  params: await fillPart(endpoint, 'params', value),
  query: await fillPart(endpoint, 'query', value),
  headers: await fillPart(endpoint, 'headers', value),
  body: await fillPart(endpoint, 'body', value),
});

const boundary = 'a-boundary';
const formOf = (file: unknown): string =>
  [
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="sims.csv"',
    '',
    String(file),
    `--${boundary}--`,
    '',
  ].join('\r\n');

/** An unpaired surrogate has no UTF-8: it is sent as the replacement character, as by a browser. */
const encodeText = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** Makes the call without a network, whatever its parts contain. */
export const inject = (
  { app }: Pick<TestApp, 'app'>,
  endpoint: EndpointShape,
  {
    headers,
    parts: { params, query, headers: own, body },
  }: { headers: Record<string, string>; parts: Parts },
) => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeText(String(params[name])));
  const searchParams = Object.entries(query).map(
    ([key, value]) => `${encodeText(key)}=${encodeText(String(value))}`,
  );
  const { upload } = endpoint;
  return app.inject({
    method: endpoint.method,
    url: `${path}?${searchParams.join('&')}`,
    headers: {
      ...headers,
      ...(own as Record<string, string>),
      ...(upload && { 'content-type': `multipart/form-data; boundary=${boundary}` }),
    },
    ...(upload && { payload: formOf(body['file']) }),
    ...(!upload && Object.keys(body).length > 0 && { payload: body }),
    ...(!upload && Object.keys(body).length === 0 && endpoint.body && { payload: {} }),
  });
};
