import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { EndpointShape } from '@simcube/contract';
import type { FastifyRequest } from 'fastify';
import { formatOf, type UploadedFile } from '../files/index.ts';
import { digestChecked } from './content-digest.ts';
import { Failure, fail } from './failure.ts';

const megabyte = 1024 * 1024;
/** Of the form around the file, and of unknown fields. */
const formLimits = { files: 2, fields: 20, fieldSize: 16 * 1024, parts: 22, headerPairs: 20 };

/**
 * The one file of a call whose record has `upload`, whole: of one that is too large, or was cut off, nothing is handed on.
 * @throws Failure CB-00-0407 when it is no form; CB-09-0019 without a file, CB-09-0020 with several; CB-09-0002 for its
 * size; FileRefused CB-09-0001 and CB-09-0003 for its kind and name
 */
export const receiveFile = async (
  request: FastifyRequest,
  { maxBytes }: NonNullable<EndpointShape['upload']>,
): Promise<UploadedFile> => {
  const { raw, caller } = request;
  const body = caller.digest ? digestChecked(raw, caller.digest) : raw;
  const files = await readForm(request, body, maxBytes);
  const [file, ...others] = files;
  if (!file) return fail('CB-09-0019');
  return others.length > 0 ? fail('CB-09-0020') : file;
};

const readForm = (
  { raw, headers }: FastifyRequest,
  body: Readable,
  maxBytes: number,
): Promise<UploadedFile[]> =>
  new Promise((resolve, reject) => {
    const files: UploadedFile[] = [];
    const form = formOf(headers as BusboyHeaders);
    if (!form) return reject(new Failure('CB-00-0407'));
    const refuse = (error: unknown): void => {
      body.unpipe(form);
      reject(error);
    };
    const isMalformed = (): void => refuse(new Failure('CB-00-0407'));
    form.on('file', (_field, stream, sent) => {
      // It becomes part of texts, of which no store and no terminal takes all of these.
      const name = sent?.replaceAll(/\p{Control}/gu, '\ufffd');
      stream.on('error', isMalformed);
      // What a browser sends for a choice that was left empty.
      if (!name) return void stream.resume();
      try {
        formatOf(name);
      } catch (error) {
        stream.resume();
        return refuse(error);
      }
      const pieces: Buffer[] = [];
      let octets = 0;
      stream.on('data', (piece: Buffer) => {
        octets += piece.length;
        if (octets <= maxBytes) pieces.push(piece);
        else refuse(new Failure('CB-09-0002', { values: { max: Math.round(maxBytes / megabyte) } }));
      });
      stream.on('end', () => files.push({ name, content: Buffer.concat(pieces) }));
    });
    form.on('error', isMalformed);
    form.on('finish', () => resolve(files));
    // The client went away in the middle.
    raw.once('close', () => {
      if (!raw.readableEnded) isMalformed();
    });
    // Any other error is the connection's, which a person ends by leaving the page.
    body.once('error', (error) => (error instanceof Failure ? refuse(error) : isMalformed()));
    body.pipe(form);
  });

const formOf = (headers: BusboyHeaders): BusboyInstance | undefined => {
  try {
    return new Busboy({ headers, limits: formLimits });
  } catch {
    return undefined;
  }
};
