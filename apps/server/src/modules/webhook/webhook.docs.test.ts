import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookEventSchema, webhookEventTypes, webhookFeedSchema } from '@simcube/contract/webhook';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/env/index.ts';

const document = readFileSync(join(projectRoot, 'docs/webhooks.md'), 'utf8');
const examples = [...document.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text));

test('the document for receivers has an example of each type, as it is sent', () => {
  const events = examples.filter(({ type }) => type !== undefined);
  expect(events.map(({ type }) => type)).toEqual(webhookEventTypes);
  // Fields that the schema does not know would be missing.
  for (const event of events) expect(webhookEventSchema.parse(event)).toEqual(event);
});

test('and an answer of the feed', () => {
  const answers = examples.filter(({ type }) => type === undefined);
  expect(answers).toHaveLength(1);
  for (const answer of answers) expect(webhookFeedSchema.parse(answer)).toEqual(answer);
});

test('and a request whose signature is that of its body and of the secret beside it', () => {
  const [, head = '', body = ''] = /```http\n(.*?)\n\n(.*?)\n```/s.exec(document) ?? [];
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [, key = ''] = /`whsec_([\w+/=]{20,})`/.exec(document) ?? [];
  const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  expect(header('webhook-signature')).toBe(`v1,${signature}`);
});
