import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointShape, ErrorCode } from '@simcube/contract';
import type { ConsoleClient, ConsoleRequest } from '../console-client.ts';

const retryMs = 250;
/** The server crashed after doing the work and before storing its response; it reports that the work was done. */
const alreadyDone: ErrorCode = 'CB-00-0424';

/** @returns how often the call was repeated because there was no response or an error */
export const callUntilAnswered = async (
  console: ConsoleClient,
  endpoint: EndpointShape,
  request: ConsoleRequest,
): Promise<number> => {
  for (let retries = 0; ; retries += 1) {
    const isAnswered = await console.call(endpoint, request).then(
      () => true,
      (error: Error) => error.message.includes(alreadyDone),
    );
    if (isAnswered) return retries;
    await sleep(retryMs);
  }
};
