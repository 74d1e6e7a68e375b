import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { CallFailure, type Client, createClient, type DownloadedFile } from '@simcube/client';
import { acceptsIdempotencyKey, allEndpoints, type EndpointShape, endpoints } from '@simcube/contract';
import { fileFormats } from '@simcube/contract/task';
import type { Command } from 'commander';
import { z } from 'zod';
import { argumentParser, readStrictJson } from '../../platform/cli/index.ts';

interface CallOptions {
  url: string;
  keyId: string;
  keyFile: string;
  param: [string, string][];
  query: [string, string][];
  body?: string;
  idempotencyKey?: string;
  file?: string;
  output?: string;
}

/** `simcube call …`: any call of the API, signed by an API key. The database is not needed. */
export const developerCommands = (program: Command): void => {
  program
    .command('call')
    .description('Call the API, with requests signed by an API key')
    .argument('<call>', 'id of the call, such as sim.list, or an HTTP method')
    .argument('[path]', 'path and query, after an HTTP method')
    .requiredOption(
      '--url <url>',
      'public URL of the server',
      argumentParser(z.url({ protocol: /^https?$/ })),
    )
    .requiredOption('--key-id <id>', 'id of the API key')
    .requiredOption('--key-file <path>', 'private key of the API key (PEM)')
    .option('--param <name=value>', 'path parameter; may be repeated', collectPair, [])
    .option('--query <name=value>', 'query parameter; may be repeated', collectPair, [])
    .option('--body <json>', 'JSON, or @ and the path of a JSON file')
    .option('--idempotency-key <key>', 'key with which a repeated write is done only once')
    .option('--file <path>', 'file to upload')
    .option('--output <path>', 'file to write a downloaded file to (default: standard output)')
    .action(async (call: string, path: string | undefined, options: CallOptions) => {
      await sendCall(
        path === undefined ? parseCall(call, options) : findCallByPath(call, path, options),
        options,
      );
    });
};

interface RequestedCall {
  endpoint: EndpointShape;
  params: Record<string, string>;
  query: Record<string, string[]>;
}

const sendCall = async ({ endpoint, params, query }: RequestedCall, options: CallOptions): Promise<void> => {
  const { url, keyId, keyFile, body, idempotencyKey, file, output } = options;
  if (idempotencyKey !== undefined && !acceptsIdempotencyKey(endpoint))
    throw new Error(`--idempotency-key has no effect on ${endpoint.id}`);
  const client = createClient({ url, keyId, privateKey: await privateKeyOf(keyFile) });
  const request = {
    params,
    query,
    ...(body !== undefined && { body: await jsonOf(body) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(file !== undefined && { file: { name: nameOf(file), content: await readFile(file) } }),
  } as object;
  try {
    if (endpoint.response === 'file') {
      const { content } = await downloadedFile(client, { endpoint, params, query }, request);
      if (output === undefined) process.stdout.write(content);
      else await writeFile(output, content);
      return;
    }
    const envelope = await client.envelope<EndpointShape>(endpoint, request as never);
    console.info(JSON.stringify(envelope, null, 2));
  } catch (error) {
    if (error instanceof CallFailure) throw new Error(describeFailure(error), { cause: error });
    const why = unreachableReason(error);
    throw why === undefined ? error : new Error(`${url} can't be reached (${why})`, { cause: error });
  }
};

/** The report of a task is fetched by a one-time token, any other file directly. */
const downloadedFile = (
  client: Client,
  { endpoint, params, query }: RequestedCall,
  request: object,
): Promise<DownloadedFile> =>
  endpoint.id === endpoints.task.download.id
    ? client.downloadReport(
        params['taskReference'] ?? '',
        fileFormats.find((one) => query['format']?.includes(one)),
      )
    : client.download<EndpointShape>(endpoint, request as never);

const privateKeyOf = async (path: string): Promise<KeyObject> => {
  const pem = await readFile(path, 'utf8');
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Reported below: the library's own message names decoders.
  }
  throw new Error(`${path} does not contain an RSA private key (PEM)`);
};

/** The message for the error that `fetch` throws if nothing listens. */
const unreachableReason = (error: unknown): string | undefined => {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined;
  const { code, message } = error.cause as NodeJS.ErrnoException;
  return code ?? message;
};

const describeFailure = ({ code, http, message, issues, traceId }: CallFailure): string =>
  [
    `${message} (${[code ?? `HTTP ${http}`, traceId && `trace ${traceId}`].filter(Boolean).join(', ')})`,
    ...issues.map(({ path, message: why }) => `${path}: ${why}`),
  ].join('\n');

const parseCall = (id: string, { param, query }: CallOptions): RequestedCall => {
  const endpoint = allEndpoints.find((one) => one.id === id);
  if (!endpoint) throw new Error(`There is no call ${id}`);
  requirePathParameters(endpoint, param);
  const valuesOf = (queryName: string) =>
    query.flatMap(([name, value]) => (name === queryName ? [value] : []));
  const names = query.map(([name]) => [name, valuesOf(name)] as const);
  return { endpoint, params: Object.fromEntries(param), query: Object.fromEntries(names) };
};

/** Requires each part of the path exactly once, and no others. */
const requirePathParameters = ({ id, path }: EndpointShape, param: CallOptions['param']): void => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const givenNames = param.map(([name]) => name);
  const other = givenNames.find((name, index) => !names.includes(name) || givenNames.indexOf(name) < index);
  if (other !== undefined)
    throw new Error(
      `--param ${other}: ${names.includes(other) ? 'given twice' : `not a parameter of ${path}`}`,
    );
  const missing = names.find((name) => !givenNames.includes(name));
  if (missing !== undefined) throw new Error(`${id} requires --param ${missing}=…, a parameter of ${path}`);
};

/** The record with this path; of several, the one with the fewest parameters. */
const findCallByPath = (method: string, address: string, options: CallOptions): RequestedCall => {
  if (options.param.length > 0)
    throw new Error('--param belongs to the id of a call: a path contains its parameters');
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const candidates = allEndpoints.flatMap((endpoint) => {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pattern = endpoint.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '([^/]+)');
    const found = endpoint.method === method.toUpperCase() && new RegExp(`^${pattern}$`).exec(pathname);
    return found ? [{ endpoint, names, values: found.slice(1).map(decodeURIComponent) }] : [];
  });
  const [best] = candidates.toSorted((one, other) => one.names.length - other.names.length);
  if (!best) throw new Error(`There is no call ${method.toUpperCase()} ${pathname}`);
  const param = best.names.map((name, index): [string, string] => [name, best.values[index] ?? '']);
  const query = [...searchParams, ...options.query];
  return parseCall(best.endpoint.id, { ...options, param, query });
};

const collectPair = (text: string, pairs: [string, string][]): [string, string][] => {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`${text} is not of the form name=value`);
  return [...pairs, [text.slice(0, at), text.slice(at + 1)]];
};

const jsonOf = async (text: string): Promise<unknown> => {
  const json = text.startsWith('@') ? await readFile(text.slice(1), 'utf8') : text;
  return readStrictJson(json, '--body');
};

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
