import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import { endpoints } from '@simcube/contract';
import { Button, type GetRef, type Input } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiFailure, endpointQuery, messageOf } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { maySend, useCanSend } from '../api.ts';
import { MessageForm } from './message-form.tsx';
import styles from './thread.module.css';
import { Thread } from './thread.tsx';
import { type ThreadScope, useThread } from './use-thread.ts';

type TextArea = GetRef<typeof Input.TextArea>;

interface ConversationProps {
  iccid: string;
  scope: ThreadScope;
  message?: string | undefined;
  header?: ReactNode;
}

/** All messages between the organisation and a SIM, and a field to write to it. */
export const Conversation = ({ iccid, scope, message, header }: ConversationProps) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const thread = useThread({ iccid, scope, message });
  const [text, setText] = useState('');
  const [sent, setSent] = useState<string>();
  const field = useRef<TextArea>(null);
  const last = thread.messages?.at(-1);
  // The SIM may have belonged to another organisation for a long time: then only the messages are shown.
  const isOwn = last?.own ?? true;
  const canSend = useCanSend();
  const { data: sim, error } = useSim(iccid, isOwn);
  // Of a link: the SIM does not exist, or belongs to another organisation.
  const missing = error?.http === 404 ? error : undefined;
  const suspended = sim?.data.sms_suspended === true;
  const canWrite = maySend() && isOwn && !missing && !suspended && canSend === true;
  const sendAgain = async (content: string): Promise<void> => {
    const question = {
      title: t('kit.unsaved.title'),
      action: t('kit.unsaved.discard'),
      cancel: t('kit.unsaved.stay'),
      danger: true,
    };
    if (text.trim() !== '' && text !== content && !(await confirm(question))) return;
    setText(content);
    field.current?.focus();
  };
  return (
    <div className={styles['conversation']}>
      {header}
      <Thread
        message={message}
        onSendAgain={canWrite ? (content) => void sendAgain(content) : undefined}
        sent={sent}
        thread={thread}
      />
      {canWrite ? (
        <MessageForm
          field={field}
          iccid={iccid}
          name={last?.device_name ?? iccid}
          onSent={setSent}
          onText={setText}
          text={text}
        />
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
