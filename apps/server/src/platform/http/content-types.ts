import type { FastifyInstance } from 'fastify';
import { keyOf } from './call-log.ts';
import { Failure } from './failure.ts';

/** JSON is all that calls take; any other type is refused by the library (415). No body at all is none, not bad JSON. */
export const takeJson = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      return done(new Failure('CB-00-0405'));
    }
    if (keyOf(request)) request.sentText = text;
    return parse(request, text, (error, value) => done(error && new Failure('CB-00-0405'), value));
  });
};

/** A form is all that calls with a file take; it is read by `receiveFile`, once all else was checked. */
export const takeForms = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
};
