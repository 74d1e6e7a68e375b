import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import { endpoints } from '@simcube/contract';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiFailure, endpointQuery, messageOf } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { maySend, useCanSend } from '../api.ts';
import { MessageForm } from './message-form.tsx';
import styles from './thread.module.css';
import { Thread } from './thread.tsx';
import { type ThreadScope, useThread } from './use-thread.ts';

interface ConversationProps {
  iccid: string;
  scope: ThreadScope;
  message?: string | undefined;
  header?: ReactNode;
}

/** All messages between the organisation and a SIM, and a field to write to it. */
export const Conversation = ({ iccid, scope, message, header }: ConversationProps) => {
  const thread = useThread(iccid, scope);
  const [text, setText] = useState('');
  const last = thread.messages?.at(-1);
  // The SIM may have belonged to another organisation for a long time: then only the messages are shown.
  const isOwn = last?.own ?? true;
  const canSend = useCanSend();
  const { data: sim, error } = useSim(iccid, isOwn);
  // Of a link: the SIM does not exist, or belongs to another organisation.
  const missing = error?.http === 404 ? error : undefined;
  const suspended = sim?.data.sms_suspended === true;
  const canWrite = maySend() && isOwn && !missing && !suspended && canSend === true;
  return (
    <div className={styles['conversation']}>
      {header}
      <Thread message={message} onSendAgain={canWrite ? setText : undefined} thread={thread} />
      {canWrite ? (
        <MessageForm iccid={iccid} name={last?.device_name ?? iccid} onText={setText} text={text} />
      ) : (
        <WriteNotice canSend={canSend} isOwn={isOwn} missing={missing} suspended={suspended} />
      )}
    </div>
  );
};

const useSim = (iccid: string, isOwn: boolean) =>
  useApiQuery({
    ...endpointQuery(endpoints.sim.basic, { query: { iccid } }),
    enabled: isOwn && session.can('sim'),
  });

/** Why nothing can be written, unless the reason is only the person's permissions. */
const WriteNotice = ({
  isOwn,
  missing,
  suspended,
  canSend,
}: {
  isOwn: boolean;
  missing: ApiFailure | undefined;
  suspended: boolean;
  canSend: boolean | undefined;
}) => {
  const { t } = useTranslation();
  const reasonText = (): string | null => {
    if (!isOwn) return t('sms.thread.notOwn');
    if (missing) return messageOf(missing);
    if (suspended) return t('sms.thread.suspended');
    return canSend === false ? t('sms.cannotSend') : null;
  };
  const text = reasonText();
  return text === null ? null : <p className={styles['notice']}>{text}</p>;
};

const connectionTones: Readonly<Record<string, Tone>> = {
  online: 'teal',
  connected: 'purple',
  offline: 'grey',
  unknown: 'orange',
};

interface HeaderProps {
  iccid: string;
  /** The rows before and after the open one. */
  earlier: string | undefined;
  later: string | undefined;
  onClose: (() => void) | undefined;
  onMessage: (id: string) => void;
}

/** The SIM of the conversation, its connection, and links. */
export const ConversationHeader = ({ iccid, earlier, later, onClose, onMessage }: HeaderProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data: sim } = useSim(iccid, true);
  const { data: connection } = useApiQuery({
    ...endpointQuery(endpoints.sim.connection, { query: { iccid } }),
    enabled: session.can('sim'),
  });
  const state = connection?.data.connection;
  const step = (id: string | undefined, label: string, icon: ReactNode) => (
    <Button
      aria-label={label}
      disabled={id === undefined}
      icon={icon}
      onClick={() => id !== undefined && onMessage(id)}
      size="small"
      title={label}
      type="text"
    />
  );
  return (
    <div className={styles['header']}>
      <div className={styles['sim']}>
        <h2 className={styles['name']}>
          {sim?.data.device_name ?? t('sms.thread.title')}
          {state ? (
            <span>
              <Status tone={connectionTones[state] ?? 'grey'}>{t(`sim.connection.${state}`)}</Status>
            </span>
          ) : null}
        </h2>
        <Identifier copy emphasis label={t('sms.fields.iccid')} value={iccid} />
      </div>
      <div className={styles['tools']}>
        {sim ? (
          <Link href={`/${language}/simCard/${encodeURIComponent(iccid)}`}>{t('sms.thread.openSim')}</Link>
        ) : null}
        {step(earlier, t('sms.thread.previous'), <UpOutlined aria-hidden="true" />)}
        {step(later, t('sms.thread.next'), <DownOutlined aria-hidden="true" />)}
        {onClose ? (
          <Button
            aria-label={t('sms.thread.close')}
            icon={<CloseOutlined aria-hidden="true" />}
            onClick={onClose}
            size="small"
            type="text"
          />
        ) : null}
      </div>
    </div>
  );
};
