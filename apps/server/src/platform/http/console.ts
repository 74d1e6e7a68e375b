import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fastifyStatic from '@fastify/static';
import { consoleErrorsPath, servicePrefixes } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from './failure.ts';

/** The console's files; any other page address gets its start page, which does the routing. */
export const registerConsole = async (app: FastifyInstance, webDir: string): Promise<void> => {
  if (!(await hasConsole(webDir))) return;
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      // Names under assets/ carry the hash of their content.
      response.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (!isOfConsole(request.url)) throw new Failure('CB-00-0404');
    return reply.sendFile('index.html');
  });
};

/** Whether the console was built there. */
export const hasConsole = async (webDir: string): Promise<boolean> =>
  (await startPageOf(webDir)) !== undefined;

/** Undefined where no console was built. */
const startPageOf = (webDir: string): Promise<string | undefined> =>
  readFile(`${webDir}/index.html`, 'utf8').catch(() => undefined);

/**
 * The scripts that stand in the start page, which draws the console's frame before any file arrives: sources of the
 * content security policy (CSP Level 3, 2.3.1, `hash-source`). Nothing else that stands in a page may run.
 */
export const scriptsInStartPage = async (webDir: string): Promise<string[]> => {
  const page = (await startPageOf(webDir)) ?? '';
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
};

/** What the server itself serves: addresses below it that nothing answers are not found. */
const served = new Set([
  ...servicePrefixes,
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
  '/assets',
  consoleErrorsPath,
]);

/** Any other path is a page of the console, which puts a language in front of it where none is; files are no pages. */
const isOfConsole = (url: string): boolean => {
  const segments = decodeURI(url.split('?', 1)[0] ?? '')
    .split('/')
    .filter(Boolean);
  return !served.has(`/${segments[0]?.toLowerCase()}`) && !/\.\w+$/.test(segments.at(-1) ?? '');
};
