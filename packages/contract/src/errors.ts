/**
 * The one catalogue of errors: code → HTTP status → phrase key (`errors.<key>` in packages/phrases).
 * `CB-MM-EEEE`, MM: 00 common, 01 SIM, 02 bundle, 03 pool, 04 SMS, 05 autoflow, 06 finance,
 * 07 organisation and account, 08 developer, 09 task and upload, 99 system.
 * `result` is the four-digit `resultCode` of the envelope where the specification names one.
 */
export const errors = {
  'CB-00-0400': { http: 400, key: 'invalidInput' },
  'CB-00-0401': { http: 401, key: 'sessionExpired' },
  'CB-00-0403': { http: 403, key: 'permissionDenied' },
  'CB-00-0404': { http: 404, key: 'notFound' },
  'CB-00-0406': { http: 400, key: 'pageCursorInvalid' },
  'CB-00-0409': { http: 409, key: 'conflict' },
  'CB-00-0413': { http: 413, key: 'bodyTooLarge' },
  'CB-00-0415': { http: 415, key: 'mediaTypeUnsupported' },
  'CB-00-0422': { http: 422, key: 'idempotencyKeyReused' },
  'CB-00-0429': { http: 429, key: 'tooManyRequests' },
  'CB-00-0502': { http: 200, key: 'sessionEnded', result: '0502' },
  'CB-01-0001': { http: 404, key: 'simNotFound' },
  'CB-07-0001': { http: 400, key: 'signInFailed' },
  'CB-07-0002': { http: 400, key: 'emailMissing' },
  'CB-07-0003': { http: 400, key: 'passwordMissing' },
  'CB-07-0004': { http: 400, key: 'codeMissing' },
  'CB-07-0005': { http: 400, key: 'agreementMissing' },
  'CB-07-0006': { http: 429, key: 'signInLocked' },
  'CB-07-0007': { http: 400, key: 'accountDisabled' },
  'CB-07-0008': { http: 403, key: 'organisationNotYours' },
  'CB-07-0009': { http: 400, key: 'invitationNotAccepted' },
  'CB-07-0010': { http: 400, key: 'codeWrong' },
  'CB-07-0011': { http: 400, key: 'invitationInvalid' },
  'CB-07-0012': { http: 409, key: 'invitationNotPending' },
  'CB-07-0013': { http: 400, key: 'resetInvalid' },
  'CB-07-0014': { http: 400, key: 'oldPasswordWrong' },
  'CB-07-0015': { http: 409, key: 'accountsMaximum' },
  'CB-07-0016': { http: 409, key: 'organisationsMaximum' },
  'CB-07-0017': { http: 409, key: 'alreadyMember' },
  'CB-07-0018': { http: 403, key: 'superadminProtected' },
  'CB-07-0019': { http: 403, key: 'roleNotYoursToGive' },
  'CB-07-0020': { http: 409, key: 'statusUnchanged' },
  'CB-07-0021': { http: 409, key: 'notYourself' },
  'CB-07-0022': { http: 409, key: 'permissionsFixed' },
  'CB-07-0023': { http: 409, key: 'personOrganisationsMaximum' },
  'CB-07-0024': { http: 403, key: 'twoFactorRequired' },
  'CB-07-0025': { http: 409, key: 'twoFactorUnchanged' },
  'CB-07-0026': { http: 403, key: 'addressNotAllowed' },
  'CB-07-0027': { http: 400, key: 'wouldLockYourselfOut' },
  'CB-07-0028': { http: 404, key: 'accountNotFound' },
  'CB-07-0029': { http: 404, key: 'organisationNotFound' },
  'CB-07-0030': { http: 400, key: 'smsQuotaAboveParent' },
  'CB-07-0031': { http: 400, key: 'passwordUnchanged' },
  'CB-07-0131': { http: 403, key: 'firstLevelNameProtected', result: '0131' },
  'CB-07-0132': { http: 409, key: 'organisationNotDeletable', result: '0132' },
  'CB-07-0133': { http: 403, key: 'settlementNameFixed', result: '0133' },
  'CB-07-0134': { http: 403, key: 'organisationPermissionDenied', result: '0134' },
  'CB-07-0135': { http: 409, key: 'organisationNameTaken', result: '0135' },
  'CB-99-0500': { http: 500, key: 'internal' },
  'CB-99-0503': { http: 503, key: 'unavailable' },
  'CB-99-9401': { http: 400, key: 'tokenUnauthorised' },
} as const satisfies Record<`CB-${string}`, { http: number; key: string; result?: string }>;

export type ErrorCode = keyof typeof errors;
export type ErrorKey = (typeof errors)[ErrorCode]['key'];

/** Every call may answer these; an endpoint names only the codes of its own. */
export const commonErrors = [
  'CB-00-0400',
  'CB-00-0401',
  'CB-00-0403',
  'CB-00-0413',
  'CB-00-0415',
  'CB-00-0429',
  'CB-00-0502',
  'CB-07-0008',
  'CB-07-0024',
  'CB-07-0026',
  'CB-99-0500',
  'CB-99-0503',
  'CB-99-9401',
] as const satisfies readonly ErrorCode[];

export const successCode = 'CB-00-0000';
export const successResult = '0000';
