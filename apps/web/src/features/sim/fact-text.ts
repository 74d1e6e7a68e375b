import { controlResults, simEventReasons } from '@simcube/contract/sim';
import type { TFunction } from 'i18next';

/** Acct-Terminate-Cause (RFC 2866, 5.10), and causes that AAA concludes. */
const causes = [
  'User-Request',
  'Lost-Carrier',
  'Lost-Service',
  'Idle-Timeout',
  'Session-Timeout',
  'Admin-Reset',
  'Admin-Reboot',
  'Port-Error',
  'NAS-Error',
  'NAS-Request',
  'NAS-Reboot',
  'Port-Unneeded',
  'Port-Preempted',
  'Port-Suspended',
  'Service-Unavailable',
  'Callback',
  'User-Error',
  'Host-Request',
  'Superseded',
  'Silence',
] as const;

/** Error-Cause (RFC 5176, 3.5). */
const errorCauses = [
  '201',
  '202',
  '401',
  '402',
  '403',
  '404',
  '405',
  '406',
  '407',
  '501',
  '502',
  '503',
  '504',
  '505',
  '506',
  '507',
  '508',
] as const;

/** An unknown term is shown unchanged: newer servers and gateways may have more. */
export const reasonText = (term: string, t: TFunction): string => {
  const known = simEventReasons.find((one) => one === term);
  return known ? t(`sim.events.reasons.${known}`) : term;
};

export const causeText = (term: string, t: TFunction): string => {
  const known = causes.find((one) => one === term);
  return known ? t(`sim.events.causes.${known}`) : term;
};

export const resultText = (term: string, t: TFunction): string => {
  const known = controlResults.find((one) => one === term);
  return known ? t(`sim.events.results.${known}`) : term;
};

export const errorCauseText = (term: string, t: TFunction): string => {
  const known = errorCauses.find((one) => one === term);
  return known ? t(`sim.events.errorCauses.${known}`) : t('sim.events.fact.errorCause', { value: term });
};
