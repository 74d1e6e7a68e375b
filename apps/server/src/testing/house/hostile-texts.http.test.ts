import { allEndpoints, type EndpointShape, headers, isBrokenText, roles } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { signedInAs, type TestApp, type TestClient, testApp } from '../app.ts';
import { fillParts, inject, type Part, type Parts, partsOf, type ValueOf } from './call-endpoint.ts';
import { type MatrixFixture, makeMatrixFixture } from './matrix/index.ts';

/**
 * Every text of every call is replaced in turn by hostile ones: they are rejected or accepted, but never cause
 * a failure of ours.
 */

const hostile = [
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00b',
  'a\uFFFDb',
  '\u202Egnirts',
  '\u200B\u200B\u200B',
  'line\nbreak\r\n',
  '\u001B[31m',
  '\uFDD0\uFFFE',
  `%_\\'";--\${x}{{y}}`,
  '🏴‍☠️'.repeat(30),
  'x'.repeat(100_000),
  '../../etc/passwd',
  '__proto__',
  '-9'.repeat(300),
  '9'.repeat(40),
  '٣٤٥',
];
/**
 * Fields that take a number or an enumeration treat any text as invalid, so fewer samples suffice; so does a
 * schema that rejects texts.
 */
const fewHostile = ['\0', 'a\uDC00b', '__proto__', '9'.repeat(40), '٣٤٥'];

let test: TestApp;
let fixture: MatrixFixture;
let client: TestClient;

beforeAll(async () => {
  test = await testApp({ requestsPerMinute: 100_000_000 });
  fixture = await makeMatrixFixture(test, roles);
  client = fixture.clients.get('superadmin') ?? (await signedInAs(test, 'superadmin', fixture.own));
});
afterAll(() => test.close());

type Path = readonly (string | number)[];

/** A place for a text, and the texts that are sent there. */
interface TextPosition {
  path: Path;
  texts: readonly string[];
}

const takesNoText = (schema: z.ZodType): boolean =>
  [z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral].some((kind) => schema instanceof kind);

/** Places for texts in a schema's input; a text also replaces values of other types. */
const textPositionsOf = (schema: z.ZodType, path: Path = []): TextPosition[] => {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, one]) =>
      textPositionsOf(one, [...path, key]),
    );
  if (schema instanceof z.ZodArray) return textPositionsOf(schema.element as z.ZodType, [...path, 0]);
  if (schema instanceof z.ZodUnion)
    return (schema.options as z.ZodType[]).flatMap((one) => textPositionsOf(one, path));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textPositionsOf(schema.unwrap() as z.ZodType, path);
  if (takesNoText(schema)) return [{ path, texts: fewHostile }];
  return [{ path, texts: hostile.filter((text) => fewHostile.includes(text) || isAccepted(schema, text)) }];
};

/** Texts that the schema rejects get no further, all in the same way; those it accepts do. */
const isAccepted = (schema: z.ZodType, text: string): boolean => schema.safeParse(text).success;

const withAt = (target: unknown, [key, ...rest]: Path, text: string): unknown => {
  if (key === undefined) return text;
  if (typeof key === 'number') return [withAt(undefined, rest, text)];
  const known = (target ?? {}) as Record<string, unknown>;
  return { ...known, [key]: withAt(known[key], rest, text) };
};

interface CallPosition extends TextPosition {
  endpoint: EndpointShape;
  part: Part;
}

const callPositions: (CallPosition & { name: string })[] = allEndpoints.flatMap((endpoint) =>
  Object.entries(partsOf(endpoint)).flatMap(([part, fields]) =>
    Object.entries(fields)
      .flatMap(([field, schema]) => textPositionsOf(schema, [field]))
      .map((position) => ({
        ...position,
        endpoint,
        part: part as Part,
        name: `${endpoint.id} ${part} ${position.path.join('.')}`,
      })),
  ),
);

const own: ValueOf = (field, endpoint) => fixture.things[field].own(client, endpoint);

/** HTTP can't send a text in a header that it has no octets for (RFC 9110, 5.5). */
const fitsHeader = (text: string): boolean => /^[\t\x20-\x7e]{0,4000}$/.test(text);

const send = async ({ endpoint, part, path }: CallPosition, parts: Parts, text: string): Promise<number> => {
  const sent = { ...parts, [part]: withAt(parts[part], path, text) };
  return (await inject(test, endpoint, { headers: client.headers, parts: sent })).statusCode;
};

const isSent = ({ part }: CallPosition, text: string): boolean =>
  // A path without the parameter is another path, and so is one with `..`.
  part === 'headers' ? fitsHeader(text) : part !== 'params' || text !== '../../etc/passwd';

describe('a hostile text', () => {
  it.each(callPositions.filter(({ endpoint }) => endpoint.response !== 'stream'))(
    'in $name causes no internal error',
    async (place) => {
      const parts = await fillParts(place.endpoint, own);
      const texts = place.texts.filter((text) => isSent(place, text));
      const answers: number[] = [];
      // Files of one organisation are read one after the other.
      if (place.endpoint.upload) for (const text of texts) answers.push(await send(place, parts, text));
      else answers.push(...(await Promise.all(texts.map((text) => send(place, parts, text)))));
      const failed = texts.flatMap((text, index) => {
        const http = answers[index] ?? 0;
        // Broken text is always rejected; a file is bytes, which its reader validates.
        const refused = http >= 400 && http < 500;
        const isFine =
          place.endpoint.upload || place.part === 'headers' || !isBrokenText(text) ? http < 500 : refused;
        return isFine ? [] : [[text.slice(0, 30), http]];
      });
      expect(failed).toEqual([]);
    },
  );
});

it('no text is stored with broken or forbidden characters', async () => {
  const { rows } = await test.database.pool.query<{ text: string }>(
    `select name as text from organisations union all select name from saved_views union all select name from notification_targets
     union all select first_name || last_name from users union all select device_name from sims where device_name is not null
     union all select name from autoflow_rules union all select name from autoflow_templates
     union all select unnest(tags) from sims union all select permission_name from memberships where permission_name is not null`,
  );
  expect(
    rows.map(({ text }) => text).filter((text) => /[\p{Control}\uFFFD\u202A-\u202E]/u.test(text)),
  ).toEqual([]);
});

it('broken UTF-8 in a JSON body is rejected as malformed JSON', async () => {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/cube/sim/views',
    headers: { ...client.headers, 'content-type': 'application/json' },
    payload: Buffer.concat([Buffer.from('{"name":"caf'), Buffer.from([0xe9]), Buffer.from('","filter":{}}')]),
  });
  expect([answer.statusCode, answer.json().status.code]).toEqual([400, 'CB-00-0405']);
});

it('hostile headers cause no internal error', async () => {
  for (const name of [
    headers.tenantId,
    headers.partnerCode,
    headers.timeZone,
    'accept-language',
    headers.idempotencyKey,
  ]) {
    for (const text of hostile.filter(fitsHeader)) {
      const answer = await test.app.inject({
        method: 'POST',
        url: '/cube/device/tag',
        headers: { ...client.headers, [name]: text },
        payload: {},
      });
      expect(answer.statusCode, `${name}: ${text.slice(0, 30)}`).toBeLessThan(500);
    }
  }
});
