import { truncate } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { apiKeyOf } from './call-log.ts';
import { Failure } from './failure.ts';
import { repeatedName } from './repeated-name.ts';

/**
 * Calls accept only JSON; the library refuses any other type (415). An empty body counts as absent, not as
 * invalid JSON.
 */
export const acceptJson = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(request.headers['content-type'])) return done(new Failure('CB-00-0415'));
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      return done(new Failure('CB-00-0405'));
    }
    if (apiKeyOf(request)) request.requestText = text;
    return parse(request, text, (error, value) => {
      if (error) return done(new Failure('CB-00-0405'));
      const name = repeatedName(text, value);
      if (name === undefined) return done(null, value);
      const issue = { path: truncate(name, maxNameLength), key: 'repeatedField' } as const;
      return done(new Failure('CB-00-0400', { issues: [issue] }));
    });
  });
};

/** Characters of a name to show: enough to find it by. */
const maxNameLength = 60;

/** JSON is UTF-8 (RFC 8259, 8.1); some clients say so. */
const isUtf8 = (contentType = ''): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
};

/** Calls with a file accept only a form; `receiveFile` reads it after everything else has been checked. */
export const acceptForms = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
};
