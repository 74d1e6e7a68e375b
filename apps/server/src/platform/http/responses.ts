import {
  codesOf,
  type EndpointShape,
  type ErrorCode,
  envelopeOf,
  errors as errorCatalogue,
  failureSchema,
} from '@simcube/contract';
import type { z } from 'zod';

/** Success, and one failure per HTTP status, named with its codes for the readers of the documents. */
export const responsesOf = (endpoint: EndpointShape, data: z.ZodType) => {
  const byStatus = groupByStatus(codesOf(endpoint));
  return {
    ...Object.fromEntries(
      [...byStatus]
        .filter(([status]) => status !== 200)
        .map(([status, list]) => [status, failureSchema.describe([...new Set(list)].join(', '))]),
    ),
    // An ended session answers 200 with result 0502 and no data.
    200: envelopeOf(data.nullable()),
  };
};

const groupByStatus = (codes: readonly ErrorCode[]): Map<number, ErrorCode[]> => {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = errorCatalogue[code].http;
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
};
