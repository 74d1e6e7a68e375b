import { headers } from '@simcube/contract';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

/** One call as seen by its client. */
export interface Exchange {
  method: string;
  /** Including its query. */
  url: string;
  sent: Readonly<Record<string, unknown>>;
  http: number;
  answered: Readonly<Record<string, unknown>>;
  /** Empty for a stream. */
  text: string;
}

interface Operation {
  method: string;
  path: RegExp;
  /** Number of path parameters: of two matching paths, the one with fewer is meant. */
  places: number;
  operationId: string;
  parameters?: { in: string; name: string }[];
  responses: Record<
    string,
    { headers?: Record<string, unknown>; content?: Record<string, { schema: unknown }> }
  >;
  /** Schemas that several calls have. */
  schemas: Schemas;
}
type Schemas = Readonly<Record<string, unknown>>;

/** Headers of HTTP, of connections and of browsers; in OpenAPI, `Authorization` and signatures are security schemes. */
const undeclaredRequestHeaders = new Set(
  'accept accept-encoding authorization connection content-encoding content-length content-type host origin referer sec-fetch-mode signature signature-input transfer-encoding user-agent x-forwarded-for'.split(
    ' ',
  ),
);
const undeclaredResponseHeaders = new Set(
  `connection content-length content-security-policy content-type cross-origin-opener-policy cross-origin-resource-policy
   date keep-alive origin-agent-cluster referrer-policy strict-transport-security transfer-encoding x-content-type-options
   x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-xss-protection`.split(
    /\s+/,
  ),
);

/**
 * @param whole whether it has exactly the installation's routes: such instances share one document, because
 * writing one takes longer than the tests of many a file
 * @returns the server, which from now on fails for calls that its OpenAPI document does not declare
 */
export const documented = (app: FastifyInstance, { whole }: { whole: boolean }): FastifyInstance => {
  if (whole) wholeInstallations.add(app);
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<LightMyRequestResponse>;
  app.inject = (async (options: InjectOptions) => {
    const response = await inject(options);
    expectDocumented(app, {
      method: options.method ?? 'GET',
      url: String(options.url),
      sent: options.headers ?? {},
      http: response.statusCode,
      answered: response.headers,
      text: response.body,
    });
    return response;
  }) as typeof app.inject;
  return app;
};

/** @throws Error when the request or response has a status, code, type or header that is not declared */
export const expectDocumented = (app: FastifyInstance, exchange: Exchange): void => {
  const operation = operationOf(app, exchange);
  if (!operation) return;
  const undeclared = [
    ...undeclaredOfRequest(operation, exchange),
    ...undeclaredOfAnswer(operation, exchange),
  ];
  if (undeclared.length > 0)
    throw new Error(`The document does not declare of ${operation.operationId}: ${undeclared.join('; ')}`);
};

const undeclaredOfRequest = ({ parameters = [], responses }: Operation, { sent }: Exchange): string[] => {
  const declared = new Set(
    parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
  );
  // Any call may be sent a key; most ignore it.
  if (!responses['200']?.headers?.[headers.idempotencyReplayed]) declared.add(headers.idempotencyKey);
  return Object.keys(sent)
    .map((name) => name.toLowerCase())
    .filter((name) => !declared.has(name) && !undeclaredRequestHeaders.has(name))
    .map((name) => `the request's header ${name}`);
};

const undeclaredOfAnswer = (
  { responses, schemas }: Operation,
  { http, answered, text }: Exchange,
): string[] => {
  const response = responses[http];
  if (!response) return [`status ${http}: ${text.slice(0, 300)}`];
  const type = String(answered['content-type']).split(';')[0] ?? '';
  const schema = response.content?.[type]?.schema;
  const unknown = Object.keys(answered).filter(
    (name) => !undeclaredResponseHeaders.has(name) && !Object.hasOwn(response.headers ?? {}, name),
  );
  return [
    ...unknown.map((name) => `the header ${name} of status ${http}`),
    ...(schema ? undeclaredCodes(codesIn(schema, schemas), type, text) : [`${type} of status ${http}`]),
  ];
};

const undeclaredCodes = (declared: readonly unknown[], type: string, text: string): string[] => {
  if (type !== 'application/json') return [];
  const { code } = (JSON.parse(text) as { status: { code: string } }).status;
  return declared.includes(code) ? [] : [`code ${code}`];
};

/** The possible values of `status.code`, wherever the schema has it. */
const codesIn = (schema: unknown, schemas: Schemas): unknown[] => {
  const { properties, anyOf = [] } = resolved(schema, schemas);
  const codes = resolved(properties?.['status'], schemas).properties?.['code']?.enum ?? [];
  return [...codes, ...anyOf.flatMap((one) => codesIn(one, schemas))];
};
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: unknown[];
  enum?: unknown[];
}

const resolved = (schema: unknown, schemas: Schemas): Schema => {
  const one = (schema ?? {}) as Schema;
  const name = one.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? one : (schemas[name] as Schema);
};

const wholeInstallations = new WeakSet<FastifyInstance>();
let sharedOperations: Operation[] | undefined;
const cachedOperations = new WeakMap<FastifyInstance, Operation[]>();

const cachedOperationsOf = (app: FastifyInstance): Operation[] => {
  if (wholeInstallations.has(app)) {
    sharedOperations ??= operationsOf(app);
    return sharedOperations;
  }
  const operations = cachedOperations.get(app) ?? operationsOf(app);
  cachedOperations.set(app, operations);
  return operations;
};

const operationOf = (app: FastifyInstance, { method, url }: Exchange): Operation | undefined => {
  const operations = cachedOperationsOf(app);
  const path = url.split('?', 1)[0] ?? '';
  return operations
    .filter((one) => one.method === method.toLowerCase() && one.path.test(path))
    .toSorted((a, b) => a.places - b.places)[0];
};

type Response = Operation['responses'][string];

interface Document {
  paths?: Record<string, Record<string, Omit<Operation, 'method' | 'path' | 'places' | 'schemas'>>>;
  components?: { responses?: Record<string, Response>; schemas?: Schemas };
}

const operationsOf = (app: FastifyInstance): Operation[] => {
  const { paths = {}, components } = app.swagger() as unknown as Document;
  const resolve = (response: Response | { $ref: string }): Response | undefined =>
    '$ref' in response
      ? components?.responses?.[response.$ref.replace('#/components/responses/', '')]
      : response;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, resolve(response) ?? {}]),
      ),
      schemas: components?.schemas ?? {},
      method,
      path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      places: path.split('{').length - 1,
    })),
  );
};
