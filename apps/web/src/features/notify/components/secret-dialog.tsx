import { CopyOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../ui/copy/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import styles from './groups.module.css';

interface SecretDialogProps {
  /** The dialog is closed if undefined. */
  secret: string | undefined;
  onClose: () => void;
}

/** Shows the secret of an API target, only once; × asks for confirmation before it was copied. */
export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      persistent
      onClose={onClose}
      open={secret !== undefined}
      title={t('notify.secret.title')}
      width={560}
    >
      {secret === undefined ? null : <Secret onClose={onClose} secret={secret} />}
    </Dialog>
  );
};

const Secret = ({ secret, onClose }: { secret: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const copy = useCopy();
  const [isSaved, setIsSaved] = useState(false);
  useDraft(() => !isSaved);
  return (
    <>
      <p className={styles['hint']}>{t('notify.secret.hint')}</p>
      <div className={styles['secret']}>
        <Input
          aria-label={t('notify.secret.label')}
          onFocus={(event) => event.target.select()}
          readOnly
          value={secret}
        />
        <Button
          icon={<CopyOutlined aria-hidden="true" />}
          onClick={() => copy(secret, () => setIsSaved(true))}
        >
          {t('notify.secret.copy')}
        </Button>
      </div>
      <div className={styles['done']}>
        <Button onClick={onClose} type="primary">
          {t('notify.secret.done')}
        </Button>
      </div>
    </>
  );
};
