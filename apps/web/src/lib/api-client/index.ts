export { ApiFailure } from './api-failure.ts';
export { attempt } from './attempt.ts';
export {
  type Answer,
  type CallOptions,
  call,
  type DownloadedFile,
  download,
  openStream,
  upload,
} from './call.ts';
export { endpointQuery, mayPass, persistent } from './query.ts';
export {
  endSession,
  expectSessionEnd,
  forgetHandledFailures,
  messageOf,
  type SessionMoves,
  setSessionMoves,
} from './reactions.ts';
export { reportError, reporterToServer, setErrorReporter } from './report.ts';
