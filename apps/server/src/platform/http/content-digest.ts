import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { Failure } from './failure.ts';

/**
 * Passes the body through and compares it at its end with the SHA-256 that the signature covers (RFC 9530). A
 * mismatch is an error instead of the end, so that nothing is done with the body.
 */
export const verifyDigest = (payload: Readable, expected: Buffer): Readable => {
  const hash = createHash('sha256');
  const body = new Transform({
    transform(piece: Buffer, _, done) {
      hash.update(piece);
      done(null, piece);
    },
    flush: (done) => done(hash.digest().equals(expected) ? null : new Failure('CB-08-0013')),
  });
  // The body of a GET is never read: without a listener, its error would end the process.
  body.on('error', () => undefined);
  payload.once('error', (error) => body.destroy(error));
  return payload.pipe(body);
};
