import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const startPageName = 'index.html';

/** The console's start page, as it is, and as the build compressed it. */
export interface StartPage {
  plain: Variant;
  /** By content coding, the smallest first. */
  compressed: ReadonlyMap<string, Variant>;
}

interface Variant {
  content: Buffer;
  etag: string;
}

const codings = { br: '.br', gzip: '.gz' };

/** Undefined if no console was built. */
export const readStartPage = async (webDir: string): Promise<StartPage | undefined> => {
  const plain = await readVariant(join(webDir, startPageName));
  if (!plain) return undefined;
  const compressed = new Map<string, Variant>();
  for (const [coding, suffix] of Object.entries(codings)) {
    const variant = await readVariant(join(webDir, `${startPageName}${suffix}`));
    if (variant) compressed.set(coding, variant);
  }
  return { plain, compressed };
};

const readVariant = async (path: string): Promise<Variant | undefined> => {
  const content = await readFile(path).catch(() => undefined);
  return content && { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
};

/**
 * Hashes of the inline scripts in the start page, which draws the console's frame before any file arrives, as
 * sources for the content security policy (CSP Level 3, 2.3.1, `hash-source`). No other inline script may run.
 */
export const scriptsIn = (page: StartPage | undefined): string[] =>
  [...(page?.plain.content.toString() ?? '').matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );

/** Browsers keep the page, but ask each time whether it is still the same. */
export const sendStartPage = (
  { plain, compressed }: StartPage,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const [coding, { content, etag }] = [...compressed].find(([name]) =>
    accepts(headers['accept-encoding'], name),
  ) ?? [undefined, plain];
  reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', etag);
  if (headers['if-none-match']?.includes(etag)) return reply.status(304).send();
  if (coding) reply.header('content-encoding', coding);
  return reply.type('text/html; charset=utf-8').send(content);
};

/** RFC 9110, 12.5.3; a weight of 0 is a refusal. */
const accepts = (header: string | string[] | undefined, coding: string): boolean =>
  String(header ?? '')
    .split(',')
    .some((item) => {
      const [name, weight = '1'] = item.trim().split(/\s*;\s*q=/i);
      return name?.toLowerCase() === coding && Number(weight) > 0;
    });
