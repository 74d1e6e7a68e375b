import type { Writable } from 'node:stream';

/**
 * Says what becomes of output that can't be written: a command whose file is not whole (a full disk) has failed, one whose
 * reader has enough (`| head`) has not. Without a listener `console` passes over both.
 */
export const watchOutput = (output: Writable, onLost: (code: string) => void): void => {
  output.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') onLost(code);
  });
};
