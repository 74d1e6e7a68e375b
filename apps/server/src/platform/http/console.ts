import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fastifyStatic from '@fastify/static';
import { consoleErrorsPath, servicePrefixes } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from './failure.ts';

/** Serves the console's files; every other page address gets its start page, which does the routing. */
export const registerConsole = async (app: FastifyInstance, webDir: string): Promise<void> => {
  if (!(await hasConsole(webDir))) return;
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      // Names under assets/ contain the hash of their content.
      response.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (!isConsolePage(request.url)) throw new Failure('CB-00-0404');
    return reply.sendFile('index.html');
  });
};

/** Whether the directory has a built console. */
export const hasConsole = async (webDir: string): Promise<boolean> =>
  (await startPageOf(webDir)) !== undefined;

/** Undefined if no console was built. */
const startPageOf = (webDir: string): Promise<string | undefined> =>
  readFile(`${webDir}/index.html`, 'utf8').catch(() => undefined);

/**
 * Hashes of the inline scripts in the start page, which draws the console's frame before any file arrives, as
 * sources for the content security policy (CSP Level 3, 2.3.1, `hash-source`). No other inline script may run.
 */
export const scriptsInStartPage = async (webDir: string): Promise<string[]> => {
  const page = (await startPageOf(webDir)) ?? '';
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
};

/** Paths of the server's own: unknown addresses below them are not found. */
const serverPaths = new Set([
  ...servicePrefixes,
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
  '/assets',
  consoleErrorsPath,
]);

/**
 * Any other path is a page of the console, which adds a language if the path has none; paths of files are not
 * pages.
 */
const isConsolePage = (url: string): boolean => {
  const segments = decodeURI(url.split('?', 1)[0] ?? '')
    .split('/')
    .filter(Boolean);
  return !serverPaths.has(`/${segments[0]?.toLowerCase()}`) && !/\.\w+$/.test(segments.at(-1) ?? '');
};
