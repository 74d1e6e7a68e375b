import type { Sms } from '@simcube/contract/sms';
import { Button } from 'antd';
import { type UIEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../../lib/format/index.ts';
import { dayOf } from '../../../lib/time/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Scrollable } from '../../../ui/scrollable/index.ts';
import { useCalendar, useNow } from '../../../ui/time/index.ts';
import { MessageItem, replyWindowEnd } from './message-item.tsx';
import styles from './thread.module.css';
import type { useThread } from './use-thread.ts';

interface ThreadProps {
  thread: ReturnType<typeof useThread>;
  /** The conversation opens at this message. */
  message: string | undefined;
  /** The message that was sent here last. */
  sent: string | undefined;
  onSendAgain: ((content: string) => void) | undefined;
}

/** The messages to and from a SIM, by day. */
export const Thread = ({ thread, message, sent, onSendAgain }: ThreadProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { messages, error, retry, isFurtherUp, hasEarlier, loadingEarlier, showEarlier } = thread;
  const scroll = useScrollToMessage(messages, { message, sent });
  if (error && !messages) return <Failure error={error} onRetry={retry} />;
  if (!messages) {
    return (
      <div className={styles['scroll']}>
        <Loading rows={4} />
      </div>
    );
  }
  if (messages.length === 0)
    return <Empty hint={t('sms.thread.emptyHint')} small title={t('sms.thread.empty')} />;
  return (
    <Scrollable className={styles['scroll']} label={t('sms.thread.label')} {...scroll}>
      {hasEarlier ? (
        <Button
          className={styles['earlier'] ?? ''}
          loading={loadingEarlier}
          onClick={showEarlier}
          size="small"
        >
          {t('sms.thread.earlier')}
        </Button>
      ) : null}
      {error ? <Failure error={error} onRetry={hasEarlier ? showEarlier : retry} small /> : null}
      {isFurtherUp ? (
        <p className={styles['notice']} role="status">
          {t('sms.thread.furtherUp')}
        </p>
      ) : null}
      {daysOf(messages, format).map(({ day, messages: dayMessages }) => (
        <div key={day}>
          <p className={styles['day']}>
            <Day day={day} />
          </p>
          <ol className={styles['messages']}>
            {dayMessages.map((one) => (
              <MessageItem isOpen={one.id === message} key={one.id} message={one} onSendAgain={onSendAgain} />
            ))}
          </ol>
        </div>
      ))}
      <ReplyWindow messages={messages} />
    </Scrollable>
  );
};

const Day = ({ day }: { day: string }) => {
  const { t } = useTranslation();
  const { zone } = useFormat();
  const calendar = useCalendar();
  const today = dayOf(new Date(useNow()).toISOString(), zone);
  return day === today ? t('sms.thread.today') : calendar.day(day);
};

const ReplyWindow = ({ messages }: { messages: readonly Sms[] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const end = replyWindowEnd(messages);
  if (end === undefined || end <= now) return null;
  const at = new Date(end).toISOString();
  return <p className={styles['window']}>{t('sms.thread.replyUntil', { time: format.shortDateTime(at) })}</p>;
};

const daysOf = (messages: readonly Sms[], { zone }: Format) => {
  const days: { day: string; messages: Sms[] }[] = [];
  for (const message of messages) {
    const day = dayOf(message.at, zone) ?? '';
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, messages: [message] });
  }
  return days;
};

/** Pixels to the end within which a person reads the newest messages. */
const endPx = 60;

interface Targets {
  message: string | undefined;
  sent: string | undefined;
}

/**
 * Scrolls to the opened message once it is loaded, and to the newest one as it arrives: not while a person reads earlier ones, unless
 * they sent it.
 */
const useScrollToMessage = (messages: readonly Sms[] | undefined, { message, sent }: Targets) => {
  const ref = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const newest = messages?.at(-1)?.id;
  const isLoaded = messages?.some(({ id }) => id === message) ?? false;
  useEffect(() => {
    const element = ref.current;
    if (!element || newest === undefined || !(isAtEnd.current || newest === sent)) return;
    element.scrollTop = element.scrollHeight;
  }, [newest, sent]);
  useEffect(() => {
    const element = ref.current;
    if (!element || !isLoaded || message === undefined) return;
    const item = element.querySelector<HTMLElement>(`[data-message="${CSS.escape(message)}"]`);
    if (item) element.scrollTop = item.offsetTop + item.offsetHeight - element.clientHeight + 60;
  }, [isLoaded, message]);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < endPx;
  };
  return { ref, onScroll };
};
