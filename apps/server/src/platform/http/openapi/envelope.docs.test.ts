import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { envelopeOf, errors, permissionKeys } from '@simcube/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { projectRoot } from '../../env/index.ts';
import { failureEnvelope } from '../envelope.ts';

const document = readFileSync(join(projectRoot, 'docs/api-keys.md'), 'utf8');
const [, responses = ''] = document.split('## Responses');
const examples = [...responses.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));

test('the document for callers shows a response as it is sent, and a failure', () => {
  const [success, failure] = examples;
  expect(envelopeOf(z.unknown()).parse(success)).toEqual(success);
  const issues = [{ path: 'page_sise', key: 'unknownField' as const, values: { field: 'page_sise' } }];
  const context = { language: 'en-US' as const, traceId: failure.trace_id };
  expect(failureEnvelope('CB-00-0400', { issues }, context)).toEqual(failure);
});

test('and each key of permissions, and codes that exist', () => {
  const keys = [...responses.matchAll(/^\| `([a-z-]+)` /gm)].map(([, key]) => key);
  expect(keys).toEqual([...permissionKeys]);
  for (const [code] of responses.matchAll(/CB-\d\d-\d{4}/g))
    if (code !== 'CB-00-0000') expect(errors).toHaveProperty([code]);
});
