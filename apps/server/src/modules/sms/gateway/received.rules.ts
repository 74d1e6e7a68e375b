import type { DataBody, MessageBody } from '@simcube/smpp';
import type { DefaultAlphabet } from '@simcube/smpp/text';

/** The values of `data_coding` that name an alphabet (SMPP 3.4, §5.2.19); 0 is read as GSM 7-bit. */
const codings: Record<DefaultAlphabet, number> = { gsm7: 0, ascii: 1, latin1: 3 };

/** A received message whose `data_coding` no longer depends on the SMSC: its parts may come over different connections. */
export const withAlphabet = (
  message: MessageBody | DataBody,
  defaultAlphabet: DefaultAlphabet,
): MessageBody | DataBody =>
  message.dataCoding === 0 ? { ...message, dataCoding: codings[defaultAlphabet] } : message;
