import { CopyOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../lib/toast/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import styles from './groups.module.css';

interface SecretDialogProps {
  /** The dialog is closed if undefined. */
  secret: string | undefined;
  onClose: () => void;
}

/** Shows the secret of an API target, only once. */
export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret ?? '');
      toast.success(t('notify.secret.copied'));
    } catch {
      toast.error(t('notify.secret.copyFailed'));
    }
  };
  return (
    <Dialog
      footer={
        <Button onClick={onClose} type="primary">
          {t('notify.secret.done')}
        </Button>
      }
      persistent
      onClose={onClose}
      open={secret !== undefined}
      title={t('notify.secret.title')}
      width={560}
    >
      <p className={styles['hint']}>{t('notify.secret.hint')}</p>
      <div className={styles['secret']}>
        <Input
          aria-label={t('notify.secret.label')}
          onFocus={(event) => event.target.select()}
          readOnly
          value={secret}
        />
        <Button icon={<CopyOutlined aria-hidden="true" />} onClick={() => void copy()}>
          {t('notify.secret.copy')}
        </Button>
      </div>
    </Dialog>
  );
};
