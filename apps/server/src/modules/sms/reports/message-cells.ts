import type { Language } from '@simcube/contract';
import { type Sms, smsEncodingNames } from '@simcube/contract/sms';
import { phrase } from '@simcube/phrases';
import { type Cell, localTimeFormatter } from '../../../platform/files/index.ts';

interface Reader {
  language: Language;
  timeZone: string;
}

/** Headings for a file of messages. */
export const messageHeadings = ({ language, timeZone }: Reader): string[] => {
  const word = (column: (typeof columns)[number]) => phrase(language, `files.columns.${column}`);
  return columns.map((column) => (isTime.has(column) ? `${word(column)} (${timeZone})` : word(column)));
};

const columns = [
  'time',
  'direction',
  'iccid',
  'msisdn',
  'device_name',
  'content',
  'parts',
  'status',
  'reason',
  'network_code',
  'sent',
  'settled',
  'reply_to',
  'task',
  'sent_by',
  'type',
  'encoding',
  'replies',
] as const;
const isTime: ReadonlySet<(typeof columns)[number]> = new Set(['time', 'sent', 'settled']);

/** The cells of a message under those headings. */
export const messageCells = ({ language, timeZone }: Reader) => {
  const local = localTimeFormatter(timeZone);
  return (sms: Sms): Cell[] => [
    local(sms.at),
    phrase(language, `sms.directions.${sms.direction}`),
    sms.iccid,
    sms.msisdn,
    sms.device_name,
    sms.content,
    sms.parts,
    sms.status && phrase(language, `sms.statuses.${sms.status}`),
    sms.reason && phrase(language, `sms.reasons.${sms.reason}`),
    sms.network_code,
    sms.sent_at && local(sms.sent_at),
    sms.settled_at && local(sms.settled_at),
    sms.reply_to,
    sms.task,
    sms.sent_by,
    phrase(language, `sms.kinds.${sms.kind ?? (sms.reply_to === null ? 'received' : 'reply')}`),
    smsEncodingNames[sms.encoding] ?? phrase(language, 'sms.binary'),
    sms.direction === 'mt' ? sms.replies : null,
  ];
};
