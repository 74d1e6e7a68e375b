import type { SmsEncoding } from '@simcube/contract/sms';
import { countText } from '@simcube/smpp/text';

/** How a text goes out. */
export interface MeasuredText {
  encoding: SmsEncoding;
  parts: number;
}

export const measureText = (content: string): MeasuredText => {
  const { encoding, parts } = countText(content);
  return { encoding, parts };
};
