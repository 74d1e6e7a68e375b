import { SendOutlined } from '@ant-design/icons';
import { Button, type GetRef, type Input } from 'antd';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { measureOf, TextField } from '../../message-text/index.ts';
import { useQuota, useSend } from '../api.ts';
import styles from './thread.module.css';

interface MessageFormProps {
  iccid: string;
  /** The SIM's display name. */
  name: string;
  text: string;
  field: Ref<GetRef<typeof Input.TextArea>>;
  onText: (text: string) => void;
  /** Called with the id of the message that was sent. */
  onSent: (message: string | undefined) => void;
}

/** Writes to one SIM; the cost is shown next to the button. */
export const MessageForm = ({ iccid, name, text, field, onText, onSent }: MessageFormProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const quota = useQuota();
  const measure = measureOf(text);
  const { content, parts } = measure;
  const { sending, refusal, send } = useSend(({ message }) => {
    onText('');
    onSent(message?.id);
  });
  useDraft(
    () => !sending && text.trim() !== '',
    (address) => address.get('message')?.startsWith(`${iccid}-`) ?? false,
    true,
  );
  const remaining = quota?.remaining ?? null;
  const exceedsQuota = remaining !== null && parts > remaining;
  return (
    <form
      className={styles['messageForm']}
      onSubmit={(event) => {
        event.preventDefault();
        if (content !== undefined && !exceedsQuota) send({ selection: { iccids: [iccid] }, content });
      }}
    >
      <TextField
        disabled={sending}
        label={t('sms.thread.writeTo', { name })}
        measure={measure}
        onChange={onText}
        placeholder={t('sms.thread.writeTo', { name })}
        ref={field}
        small
        value={text}
      />
      <Refusal reason={refusal} />
      <div className={styles['send']}>
        <span className={exceedsQuota ? styles['error'] : undefined}>
          {remaining === null ? null : t('sms.thread.left', { shown: count(remaining) })}
        </span>
        <Button
          disabled={content === undefined || exceedsQuota}
          htmlType="submit"
          icon={<SendOutlined aria-hidden="true" />}
          loading={sending}
          type="primary"
        >
          {t('sms.thread.send')}
        </Button>
      </div>
    </form>
  );
};
