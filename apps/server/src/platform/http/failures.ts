import { type ErrorCode, errors as errorCatalogue } from '@simcube/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DatabaseTrouble, troubleOf } from '../db/index.ts';
import { FileRefused } from '../files/index.ts';
import { addressed } from './caller.ts';
import { failureEnvelope } from './envelope.ts';
import { Failure, type FailureDetails } from './failure.ts';

export const handleErrors = (app: FastifyInstance): void => {
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    code: ErrorCode,
    details: FailureDetails = {},
  ) =>
    reply
      .status(errorCatalogue[code].http)
      .type('application/json')
      // Serialised here: a status without a schema of its own must not change the form of the answer.
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send(failureEnvelope(code, details, addressed(request)));

  app.setErrorHandler((error: unknown, request, reply) => {
    const endpoint = request.routeOptions.config.endpointId;
    if (error instanceof Failure && error.cause === undefined)
      return answer(request, reply, error.code, error);
    if (error instanceof FileRefused) return answer(request, reply, error.refusal.code, error.refusal);
    const known = codeOfHttpError(error);
    if (known) return answer(request, reply, known);
    const [cause, code] =
      error instanceof Failure ? [error.cause, error.code] : [error, 'CB-99-0500' as const];
    request.log.error({ err: cause, endpoint }, 'a call failed');
    const trouble = troubleOf(cause);
    return answer(request, reply, trouble ? codeOfTrouble[trouble] : code);
  });
  app.setNotFoundHandler((request, reply) => answer(request, reply, 'CB-00-0404'));
};

export const codeOfTrouble = {
  away: 'CB-99-0504',
  'read-only': 'CB-99-0505',
} as const satisfies Record<DatabaseTrouble, ErrorCode>;

/** Errors of the HTTP library itself: bad JSON, too large, wrong type. */
const codeOfHttpError = (error: unknown): ErrorCode | undefined => {
  const status = (error as { statusCode?: unknown }).statusCode;
  if (status === 413) return 'CB-00-0413';
  if (status === 415) return 'CB-00-0415';
  if (status === 429) return 'CB-00-0429';
  if (status === 404) return 'CB-00-0404';
  return typeof status === 'number' && status >= 400 && status < 500 ? 'CB-00-0400' : undefined;
};
