import type { DiagnoseCheck, Light } from '@simcube/contract/diagnose';

/** All possible findings of a report: their check and their light. */
export const findings = {
  'card-known': ['card', 'good'],
  'card-not-shipped': ['card', 'warning'],
  'card-not-activatable': ['card', 'warning'],

  active: ['lifecycle', 'good'],
  testing: ['lifecycle', 'good'],
  'activates-itself': ['lifecycle', 'warning'],
  'not-activated': ['lifecycle', 'bad'],
  paused: ['lifecycle', 'bad'],
  expired: ['lifecycle', 'bad'],
  terminated: ['lifecycle', 'bad'],

  'order-in-use': ['order', 'good'],
  'order-endless': ['order', 'good'],
  'order-ending': ['order', 'warning'],
  'order-over': ['order', 'warning'],
  'order-pending': ['order', 'warning'],
  'order-none': ['order', 'bad'],
  'order-terminated': ['order', 'bad'],

  'quota-none': ['quota', 'unknown'],
  'quota-unlimited': ['quota', 'good'],
  'quota-left': ['quota', 'good'],
  'quota-turned': ['quota', 'good'],
  'quota-nearly': ['quota', 'warning'],
  'quota-billed': ['quota', 'warning'],
  'quota-slowed': ['quota', 'warning'],
  'quota-stopped': ['quota', 'bad'],
  'quota-stopped-until': ['quota', 'bad'],

  'let-in': ['authorisation', 'good'],
  'let-in-slowed': ['authorisation', 'warning'],
  'refused-identity-missing': ['authorisation', 'bad'],
  'refused-unknown-sim': ['authorisation', 'bad'],
  'refused-not-activated': ['authorisation', 'bad'],
  'refused-paused': ['authorisation', 'bad'],
  'refused-expired': ['authorisation', 'bad'],
  'refused-terminated': ['authorisation', 'bad'],
  'refused-quota-used': ['authorisation', 'bad'],
  'refused-pool-used-up': ['authorisation', 'bad'],
  'refused-data-off': ['authorisation', 'bad'],
  'refused-apn-not-allowed': ['authorisation', 'bad'],
  'refused-outside-coverage': ['authorisation', 'bad'],

  seen: ['registration', 'good'],
  'seen-before': ['registration', 'warning'],
  'never-seen': ['registration', 'warning'],
  silent: ['registration', 'bad'],

  'session-open': ['session', 'good'],
  'session-ended': ['session', 'good'],
  'session-quiet': ['session', 'warning'],
  'session-not-ended': ['session', 'bad'],
  'session-rate-unchanged': ['session', 'warning'],
  'session-broken': ['session', 'warning'],
  'session-old': ['session', 'warning'],
  'session-none': ['session', 'warning'],

  'apn-any': ['apn', 'good'],
  'apn-any-used': ['apn', 'good'],
  'apn-right': ['apn', 'good'],
  'apn-unseen': ['apn', 'unknown'],
  'apn-refused': ['apn', 'bad'],
  'apn-wrong': ['apn', 'bad'],

  'ip-fixed': ['ip', 'good'],
  'ip-private': ['ip', 'good'],
  'ip-shared': ['ip', 'good'],
  'ip-public': ['ip', 'good'],
  'ip-none': ['ip', 'unknown'],
  'ip-fixed-waiting': ['ip', 'unknown'],
  'ip-other': ['ip', 'bad'],

  'imei-steady': ['imei', 'good'],
  'imei-unknown': ['imei', 'unknown'],
  'imei-changed': ['imei', 'warning'],

  'coverage-everywhere': ['coverage', 'good'],
  'coverage-inside': ['coverage', 'good'],
  'coverage-ignored': ['coverage', 'good'],
  'coverage-unknown': ['coverage', 'unknown'],
  'coverage-no-bundle': ['coverage', 'unknown'],
  'coverage-billed': ['coverage', 'warning'],
  'coverage-refused': ['coverage', 'bad'],

  'rejects-none': ['rejects', 'good'],
  'rejects-over': ['rejects', 'warning'],
  'rejects-lasting': ['rejects', 'bad'],
} as const satisfies Record<string, readonly [DiagnoseCheck, Light]>;

export type FindingName = keyof typeof findings;

/**
 * A finding, independent of language. The suffix of a fact's name defines its type: `_at` an instant (ISO
 * 8601), `_bytes` octets, `country` ISO 3166-1 alpha-2.
 */
export interface Finding {
  finding: FindingName;
  facts: Readonly<Record<string, string | number | null>>;
}

export const checkOf = (finding: FindingName): DiagnoseCheck => findings[finding][0];
export const lightOf = (finding: FindingName): Light => findings[finding][1];

/** The worst last. Unknown is worse than good. */
const severity: readonly Light[] = ['good', 'unknown', 'warning', 'bad'];

export const worstOf = (lights: readonly Light[]): Light =>
  severity.findLast((light) => lights.includes(light)) ?? 'good';
