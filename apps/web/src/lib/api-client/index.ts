export { ApiFailure, isTemporary } from './api-failure.ts';
export { attempt } from './attempt.ts';
export {
  type ApiResponse,
  type CallOptions,
  call,
  type DownloadedFile,
  download,
  openStream,
  upload,
} from './call.ts';
export {
  announceFailure,
  endSession,
  expectSessionEnd,
  explanationOf,
  forgetHandledFailures,
  isSessionOver,
  messageOf,
  missingResourceOf,
  quoteOf,
  type SessionNavigation,
  setSessionNavigation,
} from './failure-handling.ts';
export { endpointQuery, retryTemporaryFailures } from './query.ts';
export { reportError, reporterToServer, setErrorReporter } from './report.ts';
