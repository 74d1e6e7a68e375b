import fastifyStatic from '@fastify/static';
import { consoleErrorsPath, servicePrefixes } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from './failure.ts';
import { readStartPage, type StartPage, sendStartPage, startPageName } from './start-page.ts';

/**
 * Serves the console's files; every other page address gets its start page, which does the routing. The start
 * page was read when the server started, like the names of the files: if the directory is replaced meanwhile, it
 * does not name files that this server does not know.
 */
export const registerConsole = async (
  app: FastifyInstance,
  { webDir, page }: { webDir: string; page: StartPage | undefined },
): Promise<void> => {
  if (!page) return;
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    globIgnore: [`${startPageName}*`],
    preCompressed: true,
    setHeaders: (response, path) => {
      // Names under assets/ contain the hash of their content.
      response.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    if (!isConsolePage(request.url)) throw new Failure('CB-00-0404');
    return sendStartPage(page, request, reply);
  });
};

/** Whether the directory has a built console. */
export const hasConsole = async (webDir: string): Promise<boolean> =>
  (await readStartPage(webDir)) !== undefined;

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
 * pages, except that of the start page itself.
 */
const isConsolePage = (url: string): boolean => {
  const segments = decodeURI(url.split('?', 1)[0] ?? '')
    .split('/')
    .filter(Boolean);
  if (segments.length === 1 && segments[0] === startPageName) return true;
  return !serverPaths.has(`/${segments[0]?.toLowerCase()}`) && !/\.\w+$/.test(segments.at(-1) ?? '');
};
