import multipart from '@fastify/multipart';
import type { EndpointShape } from '@simcube/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatOf, type UploadedFile } from '../files/index.ts';
import { Failure, fail } from './failure.ts';

const megabyte = 1024 * 1024;
/** Of the form around the file. */
export const formOctets = 64 * 1024;

export const registerUploads = async (app: FastifyInstance): Promise<void> => {
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, headerPairs: 20 } });
};

/**
 * The one file of a call whose record has `upload`.
 * @throws Failure CB-00-0400 without a file; CB-09-0001 to CB-09-0003 for its kind, size and name
 */
export const receiveFile = async (
  request: FastifyRequest,
  { maxBytes }: NonNullable<EndpointShape['upload']>,
): Promise<UploadedFile> => {
  if (!request.isMultipart()) fail('CB-00-0415');
  const part = await request.file({ limits: { fileSize: maxBytes } });
  if (!part) return fail('CB-00-0400', { issues: [{ path: 'file', key: 'required' }] });
  try {
    formatOf(part.filename);
  } catch (error) {
    // What is not read would keep the connection busy.
    part.file.resume();
    throw error;
  }
  const content = await part.toBuffer().catch((error: unknown) => {
    if (part.file.truncated) {
      throw new Failure('CB-09-0002', { values: { max: Math.round(maxBytes / megabyte) } });
    }
    throw error;
  });
  return { name: part.filename, content };
};
