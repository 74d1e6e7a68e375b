import { limits } from '@simcube/contract';
import type { Sms } from '@simcube/contract/sms';
import { hourMs } from '@simcube/contract/time';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import { compactDuration } from '../compact-duration.ts';
import styles from './thread.module.css';

interface MessageItemProps {
  message: Sms;
  /** The message whose row was opened. */
  isOpen: boolean;
  /** Undefined if nothing can be sent. */
  onSendAgain: ((content: string) => void) | undefined;
}

/** A message, with its states in order below. */
export const MessageItem = ({ message, isOpen, onSendAgain }: MessageItemProps) => {
  const { t } = useTranslation();
  const { direction, content, status } = message;
  return (
    <li
      aria-current={isOpen ? 'true' : undefined}
      className={styles['message']}
      data-direction={direction}
      data-message={message.id}
    >
      <div className={styles['bubble']}>
        <span className={visuallyHidden}>{t(`sms.directions.${direction}`)}</span>
        <SafeText text={content} />
      </div>
      {direction === 'mt' ? <SentSteps message={message} /> : <ReceivedSteps message={message} />}
      {status === 'failed' && onSendAgain ? (
        <Button
          className={styles['again'] ?? ''}
          onClick={() => onSendAgain(content)}
          size="small"
          type="link"
        >
          {t('sms.thread.sendAgain')}
        </Button>
      ) : null}
    </li>
  );
};

/** "processing 14:27:29 — sent +0.4 s — delivered +4 s" */
const SentSteps = ({ message }: { message: Sms }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, sent_at: sentAt, settled_at: settledAt, status, reason, network_code: code } = message;
  const elapsed = (later: string | null, earlier: string): string =>
    later === null ? '' : ` +${compactDuration(format.language, Date.parse(later) - Date.parse(earlier))}`;
  const steps: { key: string; words: ReactNode; tone?: string }[] = [
    {
      key: 'processing',
      words: (
        <time dateTime={at} title={format.exact(at)}>
          {t('sms.thread.processing', { time: format.seconds(at) })}
        </time>
      ),
    },
  ];
  if (sentAt !== null) steps.push({ key: 'sent', words: `${t('sms.thread.sent')}${elapsed(sentAt, at)}` });
  if (status === 'delivered')
    steps.push({
      key: 'end',
      words: `${t('sms.thread.delivered')}${elapsed(settledAt, sentAt ?? at)}`,
      tone: 'teal',
    });
  if (status === 'failed' || status === 'unknown') {
    const words =
      reason === null
        ? t(`sms.thread.${status}`)
        : t(`sms.thread.${status}Because`, { reason: t(`sms.reasons.${reason}`) });
    steps.push({
      key: 'end',
      words: <span title={code === null ? undefined : t('sms.thread.networkCode', { code })}>{words}</span>,
      tone: status === 'failed' ? 'red' : 'orange',
    });
  }
  return (
    <p aria-live="polite" className={styles['steps']}>
      {steps.map(({ key, words, tone }) => (
        <span className={styles['step']} data-tone={tone} key={key}>
          {words}
        </span>
      ))}
      <Origin message={message} />
    </p>
  );
};

/** The source of a message, unless it was a single message sent by hand. */
const Origin = ({ message: { task, kind, parts } }: { message: Sms }) => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  return (
    <>
      {kind === 'scheduled' ? (
        <span className={styles['step']} data-origin="true">
          {t('sms.kinds.scheduled')}
        </span>
      ) : null}
      {parts > 1 ? (
        <span className={styles['step']} data-origin="true">
          {t('sms.thread.parts', { count: parts, shown: count(parts) })}
        </span>
      ) : null}
      {task === null ? null : (
        <span className={styles['step']} data-origin="true">
          <Link href={`/${language}/taskcenter?task=${encodeURIComponent(task)}`}>{task}</Link>
        </span>
      )}
    </>
  );
};

const ReceivedSteps = ({ message }: { message: Sms }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, reply_to: replyTo, missing_parts: missing, encoding, content } = message;
  const sentMs = Number(replyTo?.split('-')[1]);
  return (
    <p className={styles['steps']}>
      <time className={styles['step']} dateTime={at} title={format.exact(at)}>
        {format.seconds(at)}
      </time>
      {replyTo === null ? null : (
        <span className={styles['step']}>
          {t('sms.thread.replyAfter', { span: compactDuration(format.language, Date.parse(at) - sentMs) })}
        </span>
      )}
      {encoding === 'binary' ? <span className={styles['step']}>{t('sms.binary')}</span> : null}
      {missing > 0 ? (
        <span className={styles['step']} data-tone="red">
          {t('sms.thread.missing', { count: missing, shown: format.count(missing) })}
        </span>
      ) : null}
      {content.length > limits.sms.received ? (
        <span className={styles['step']} data-tone="red">
          {t('sms.thread.cut', { most: format.count(limits.sms.received) })}
        </span>
      ) : null}
    </p>
  );
};

/** Until when a message from the SIM counts as a reply to the last message to it. */
export const replyWindowEnd = (messages: readonly Sms[]): number | undefined => {
  const last = messages.findLast(({ direction }) => direction === 'mt');
  return last && Date.parse(last.at) + limits.sms.replyHours * hourMs;
};
