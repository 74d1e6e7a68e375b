import { type Sms, smsEncodingNames } from '@simcube/contract/sms';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../../lib/format/index.ts';
import { dayOf } from '../../../lib/time/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { FoundIdentifier, Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import { MessageState } from '../message-state.tsx';
import styles from './messages.module.css';

export const useMessageColumns = (): Column<Sms>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t('sms.fields.time', { zone: format.zone === 'UTC' ? 'UTC' : t('common.time.local') }),
        width: 122,
        filteredBy: ['last', 'from', 'to'],
        phone: 'aside',
        render: ({ at }) => <MessageTime at={at} />,
      },
      {
        id: 'sim',
        title: t('sms.fields.sim'),
        width: 276,
        fixed: true,
        phone: 'heading',
        render: (message, href) => <SimCell href={href} message={message} />,
      },
      {
        id: 'content',
        title: t('sms.fields.content'),
        width: 180,
        phone: 'line',
        render: ({ content, direction }) => (
          <span className={styles['content']}>
            <span aria-hidden="true" className={styles['arrow']} data-direction={direction} />
            <span className={visuallyHidden}>{t(`sms.directions.${direction}`)}</span>
            <SafeText oneLine text={content} />
          </span>
        ),
      },
      {
        id: 'direction',
        filteredBy: ['direction', 'kind'],
        title: t('sms.fields.type'),
        width: 100,
        phone: 'line',
        render: ({ kind, reply_to: replyTo }) =>
          t(`sms.kinds.${kind ?? (replyTo === null ? 'received' : 'reply')}`),
      },
      {
        id: 'status',
        title: t('sms.fields.status'),
        width: 104,
        phone: 'aside',
        render: (message) => <MessageState message={message} />,
      },
      ...hiddenColumns(t, format),
    ],
    [t, format],
  );
};

/** With the network's code, if there is one. */
const reasonText = (text: string, code: string | null, t: TFunction): string =>
  code === null ? text : t('kit.marks.aside', { text, note: code });

const hiddenColumns = (t: TFunction, format: Format): Column<Sms>[] => [
  {
    id: 'reason',
    title: t('sms.fields.reason'),
    width: 220,
    initiallyHidden: true,
    phoneWhen: ({ reason }) => reason !== null,
    render: ({ reason, network_code: code }) =>
      reason === null ? '—' : reasonText(t(`sms.reasons.${reason}`), code, t),
  },
  {
    id: 'msisdn',
    title: t('sms.fields.msisdn'),
    width: 140,
    initiallyHidden: true,
    render: ({ msisdn }) => <Identifier label={t('sms.fields.msisdn')} value={msisdn} />,
  },
  {
    id: 'parts',
    title: t('sms.fields.parts'),
    width: 74,
    align: 'end',
    initiallyHidden: true,
    render: ({ parts }) => format.count(parts),
  },
  {
    id: 'encoding',
    title: t('sms.fields.encoding'),
    width: 110,
    initiallyHidden: true,
    render: ({ encoding }) => smsEncodingNames[encoding] ?? t('sms.binary'),
  },
  {
    id: 'replies',
    title: t('sms.fields.replies'),
    width: 84,
    align: 'end',
    initiallyHidden: true,
    render: ({ direction, replies }) => (direction === 'mt' ? format.count(replies) : '—'),
  },
  {
    id: 'sentBy',
    title: t('sms.fields.sentBy'),
    width: 150,
    initiallyHidden: true,
    render: ({ sent_by: by }) => (by === null ? '—' : <span title={by}>{by}</span>),
  },
  {
    id: 'task',
    title: t('sms.fields.task'),
    width: 110,
    initiallyHidden: true,
    render: ({ task }) =>
      task === null ? (
        '—'
      ) : (
        <Link href={`/${format.language}/taskcenter?task=${encodeURIComponent(task)}`}>{task}</Link>
      ),
  },
];

/** For today only the time, with seconds; for other days also the date. */
const MessageTime = ({ at }: { at: string }) => {
  const format = useFormat();
  const today = dayOf(new Date(useNow()).toISOString(), format.zone);
  const isToday = dayOf(at, format.zone) === today;
  return (
    <time dateTime={at} title={format.exact(at)}>
      {isToday ? format.seconds(at) : format.shortDateTime(at)}
    </time>
  );
};

/** The SIM of a message: its name, and its ICCID, which links to the conversation. */
const SimCell = ({ message: { iccid, device_name: name }, href }: { message: Sms; href: string }) => {
  const { t } = useTranslation();
  return (
    <span className={styles['sim']}>
      {name === null ? null : (
        <span className={styles['device']} title={name}>
          <SearchHighlight text={name} />
        </span>
      )}
      <Link href={href}>
        <FoundIdentifier emphasis label={t('sms.fields.iccid')} value={iccid} />
      </Link>
    </span>
  );
};
