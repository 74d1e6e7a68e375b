import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notificationRequestSchema, notificationRequests } from '@simcube/contract/notify';
import {
  webhookEventSchema,
  webhookFeedSchema,
  webhookSummaries,
  webhookTestSchema,
  webhookTestType,
} from '@simcube/contract/webhook';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/env/index.ts';

const document = readFileSync(join(projectRoot, 'docs/webhooks.md'), 'utf8');

/** The examples of a section, each with the paragraph before it. */
const examplesOf = (heading: string): [string, { type: string }][] => {
  const section = document.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
  return [...section.matchAll(/((?:[^\n]+\n)+)\n```json\n(.*?)```/gs)].map(([, text = '', json = '']) => [
    text.replaceAll('\n', ' '),
    JSON.parse(json),
  ]);
};
const eventExamples = examplesOf('Events of the organisation');
const requestExamples = examplesOf('Notifications to API targets');

/** Each is introduced by its type and what the OpenAPI document says of it. */
const expectSummaries = (
  examples: readonly [string, { type: string }][],
  summaries: Readonly<Record<string, string>>,
): void => {
  const introductions = Object.entries(summaries).map(([type, summary]) => `\`${type}\`: ${summary}`);
  expect(examples.map(([text], n) => text.slice(0, introductions[n]?.length))).toEqual(introductions);
  expect(examples.map(([, { type }]) => type)).toEqual(Object.keys(summaries));
};

test('the document for receivers has an example of each type of event, as it is sent', () => {
  expectSummaries(eventExamples, webhookSummaries);
  // Fields that the schema does not know would be missing.
  for (const [, event] of eventExamples) {
    const schema = event.type === webhookTestType ? webhookTestSchema : webhookEventSchema;
    expect(schema.parse(event)).toEqual(event);
  }
});

test('and of each kind of notification that API targets receive', () => {
  const summaries = Object.values(notificationRequests).map(({ kind, summary }) => [kind, summary]);
  expectSummaries(requestExamples, Object.fromEntries(summaries));
  for (const [, request] of requestExamples)
    expect(notificationRequestSchema.parse(request)).toEqual(request);
});

test('and an answer of the feed', () => {
  const answers = examplesOf('Change feed');
  expect(answers).toHaveLength(1);
  for (const [, answer] of answers) expect(webhookFeedSchema.parse(answer)).toEqual(answer);
});

test('and a request whose signature is that of its body and of the secret beside it', () => {
  const [, head = '', body = ''] = /```http\n(.*?)\n\n(.*?)\n```/s.exec(document) ?? [];
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [, key = ''] = /`whsec_([\w+/=]{20,})`/.exec(document) ?? [];
  const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  expect(header('webhook-signature')).toBe(`v1,${signature}`);
  expect(JSON.parse(body)).toEqual(requestExamples[0]?.[1]);
});
