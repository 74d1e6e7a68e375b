import type { SmsEncoding } from '@simcube/contract/sms';
import { countText } from '@simcube/smpp/text';

/** A text's encoding and number of parts. */
export interface MeasuredText {
  encoding: SmsEncoding;
  parts: number;
}

export const measureText = (content: string): MeasuredText => {
  const { encoding, parts } = countText(content);
  return { encoding, parts };
};
