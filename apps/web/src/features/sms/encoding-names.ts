import type { SmsEncoding } from '@simcube/contract/sms';

/** As people of the field call them, in every language; what is no text has a word of its own. */
export const encodingNames: Readonly<Partial<Record<SmsEncoding, string>>> = {
  gsm7: 'GSM-7',
  ucs2: 'UCS-2',
  latin1: 'Latin-1',
};
