import { notificationRequests } from '@simcube/contract/notify';
import {
  webhookEvents,
  webhookEventTypes,
  webhookSummaries,
  webhookTestSchema,
  webhookTestType,
} from '@simcube/contract/webhook';
import type { z } from 'zod';
import { complete } from './described-fields.ts';
import type { Place } from './document-fields.ts';
import { sentSchemaOf } from './json-schema.ts';

/** A request that the server sends. */
interface SentRequest {
  /** Unique in the document, where the calls have ids of their own. */
  id: string;
  summary: string;
  tag: string;
  body: z.ZodType;
}

/** Events have the types that webhooks choose; notifications of the same name go to API targets, with other data. */
const sentRequests: readonly SentRequest[] = [
  ...[
    ...webhookEventTypes.map((type) => ({ type, event: webhookEvents[type].event })),
    { type: webhookTestType, event: webhookTestSchema } as const,
  ].map(({ type, event }) => ({
    id: `event.${type}`,
    summary: `Event of a webhook: ${webhookSummaries[type]}`,
    tag: 'webhook',
    body: event,
  })),
  ...Object.values(notificationRequests).map(({ kind, summary, request }) => ({
    id: `notification.${kind}`,
    summary: `Notification of an API target: ${summary}`,
    tag: 'notify',
    body: request,
  })),
];

/** Where its fields are described: in the domain `event` or `notification`, by type. */
const placeOf = ({ id }: SentRequest): Place => {
  const [domain = '', ...parts] = id.split('.');
  const type = parts.join('.');
  return { domain, names: [type, 'body'], withVariants: [type, 'body', type] };
};

/** The schemas of the requests that the server sends, with the places of their fields. */
export const sentSchemas = () =>
  sentRequests.map((sent) => ({
    name: nameOf(sent),
    place: placeOf(sent),
    schema: sentSchemaOf(sent.body),
  }));

/** The name of its schema, such as `EventSmsMo`. */
const nameOf = ({ id }: SentRequest): string =>
  id.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase());

const header = (name: string, description: string, schema: object) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema,
});

/** Standard Webhooks 1.0. */
const parameters = [
  header('webhook-id', 'The same for each attempt: handle each id once', { type: 'string', format: 'uuid' }),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970', { type: 'integer' }),
  header(
    'webhook-signature',
    'Signatures separated by spaces: "v1," and the HMAC-SHA256 of "id.timestamp.body" in base64, made with the secret',
    { type: 'string' },
  ),
];

const responses = {
  '2XX': { description: 'Delivered; the body is ignored' },
  410: { description: 'The receiver is gone: nothing more is sent until somebody resumes it' },
  default: { description: 'Not delivered: it is retried for 24 hours' },
};

/** The requests that the server sends (OpenAPI 3.1, `webhooks`), and their schemas by name. */
export const documentedWebhooks = () => ({
  webhooks: Object.fromEntries(sentRequests.map((sent) => [sent.id, { post: operationOf(sent) }])),
  schemas: Object.fromEntries(
    sentSchemas().map(({ name, place, schema }): [string, object] => [name, complete(schema, place)]),
  ),
});

const operationOf = (sent: SentRequest) => ({
  operationId: sent.id,
  summary: sent.summary,
  tags: [sent.tag],
  security: [],
  parameters,
  responses,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${nameOf(sent)}` } } },
  },
});
