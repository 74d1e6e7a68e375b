import { SendOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { useQuota, useSend } from '../api.ts';
import { measureOf } from '../composer/measure.ts';
import { TextField } from '../composer/text-field.tsx';
import styles from './thread.module.css';

interface WriteProps {
  iccid: string;
  /** The SIM's display name. */
  name: string;
  text: string;
  onText: (text: string) => void;
}

/** Writes to one SIM; the cost is shown next to the button. */
export const Write = ({ iccid, name, text, onText }: WriteProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const quota = useQuota();
  const measure = measureOf(text);
  const { content, parts } = measure;
  const { sending, refusal, send } = useSend(() => onText(''));
  useDraft(
    () => !sending && text.trim() !== '',
    (address) => address.get('message')?.startsWith(`${iccid}-`) ?? false,
  );
  const left = quota?.remaining ?? null;
  const isShort = left !== null && parts > left;
  return (
    <form
      className={styles['write']}
      onSubmit={(event) => {
        event.preventDefault();
        if (content !== undefined && !isShort) send({ selection: { iccids: [iccid] }, content });
      }}
    >
      <TextField
        disabled={sending}
        label={t('sms.thread.writeTo', { name })}
        measure={measure}
        onChange={onText}
        placeholder={t('sms.thread.writeTo', { name })}
        small
        value={text}
      />
      {refusal ? (
        <p className={styles['wrong']} role="alert">
          {refusal}
        </p>
      ) : null}
      <div className={styles['send']}>
        <span className={isShort ? styles['wrong'] : undefined}>
          {left === null ? null : t('sms.thread.left', { shown: count(left) })}
        </span>
        <Button
          disabled={content === undefined || isShort}
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
