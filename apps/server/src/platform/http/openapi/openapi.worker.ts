import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { type DocumentRequest, writeDocument } from './openapi-document.ts';

/** The JSON. */
export interface WrittenDocument {
  plain: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  /** RFC 9110, 8.8.3; weak, because both forms have it. */
  etag: string;
}

/**
 * Writes the document of the contract's calls and ends. A thread, because the seconds that it takes must not
 * delay packets and calls.
 */
const write = async (request: DocumentRequest): Promise<WrittenDocument> => {
  const plain = new TextEncoder().encode(JSON.stringify(await writeDocument(request)));
  const gzipped = new Uint8Array(gzipSync(plain));
  return { plain, gzipped, etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"` };
};

const document = await write(workerData as DocumentRequest);
parentPort?.postMessage(document, [document.plain.buffer, document.gzipped.buffer]);
