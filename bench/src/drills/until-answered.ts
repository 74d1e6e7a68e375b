import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointShape, ErrorCode } from '@simcube/contract';
import type { ConsoleClient, ConsoleRequest } from '../console-client.ts';

const againMs = 250;
/** The server crashed after doing the work and before storing its response; it reports that the work was done. */
const doneWithoutAnswer: ErrorCode = 'CB-00-0424';

/** @returns how often the call was repeated because there was no response or an error */
export const untilAnswered = async (
  console: ConsoleClient,
  endpoint: EndpointShape,
  request: ConsoleRequest,
): Promise<number> => {
  for (let repeated = 0; ; repeated += 1) {
    const isAnswered = await console.call(endpoint, request).then(
      () => true,
      (error: Error) => error.message.includes(doneWithoutAnswer),
    );
    if (isAnswered) return repeated;
    await sleep(againMs);
  }
};
