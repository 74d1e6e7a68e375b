import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { EndpointShape } from '@simcube/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatOf, type UploadedFile } from '../files/index.ts';
import { verifyDigest } from './content-digest.ts';
import { Failure, fail } from './failure.ts';

/** The form's only field. */
const fileField = 'file';
const megabyte = 1024 * 1024;
/** Characters of an unknown field to show: enough to find it by. */
const maxFieldName = 60;
/** Limits for the form around the file, and for unknown fields. */
const formLimits = { files: 2, fields: 20, fieldSize: 16 * 1024, parts: 22, headerPairs: 20 };

/**
 * Receives the only file of a call whose record has `upload`, completely: a file that is too large or was
 * truncated is not passed on.
 * @throws Failure CB-00-0407 when the body is not a form; CB-00-0400 if it has other fields; CB-09-0019 without a file, CB-09-0020 with several;
 * CB-09-0002 for its size; FileRefused CB-09-0001 and CB-09-0003 for its kind and name
 */
export const receiveFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { maxBytes }: NonNullable<EndpointShape['upload']>,
): Promise<UploadedFile> => {
  const { raw, caller } = request;
  const body = caller.digest ? verifyDigest(raw, caller.digest) : raw;
  const files = await readForm(request, body, maxBytes);
  const [file, ...others] = files;
  if (!file) return fail('CB-09-0019');
  if (others.length > 0) fail('CB-09-0020');
  return { ...file, uploader: { orgId: caller.org?.id, signal: whenClosed(reply) } };
};

/** Aborted when the response was sent, or its client has gone. */
const whenClosed = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
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
    const refuseField = (field: string): void => {
      const issue = { path: field.slice(0, maxFieldName), key: 'unknownField' } as const;
      refuse(new Failure('CB-00-0400', { issues: [{ ...issue, values: { field: issue.path } }] }));
    };
    form.on('file', (field, stream, fileName) => {
      if (field !== fileField) {
        stream.resume();
        return refuseField(field);
      }
      // The name becomes part of texts, and neither PostgreSQL nor terminals accept all control characters.
      const name = fileName?.replaceAll(/\p{Control}/gu, '\ufffd');
      stream.on('error', isMalformed);
      // Browsers send this for a file input that was left empty.
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
    form.on('field', refuseField);
    form.on('error', isMalformed);
    form.on('finish', () => resolve(files));
    // The client disconnected in the middle.
    raw.once('close', () => {
      if (!raw.readableEnded) isMalformed();
    });
    // Any other error is a connection's, caused by leaving the page.
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
