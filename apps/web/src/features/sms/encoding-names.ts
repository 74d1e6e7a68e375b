import type { SmsEncoding } from '@simcube/contract/sms';

/** The technical names, the same in every language; binary content has a translated name. */
export const encodingNames: Readonly<Partial<Record<SmsEncoding, string>>> = {
  gsm7: 'GSM-7',
  ucs2: 'UCS-2',
  latin1: 'Latin-1',
};
