import { CopyOutlined, DownloadOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../lib/download/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { useDraft, useLeave } from '../../../ui/unsaved/index.ts';
import styles from '../developer.module.css';
import type { CreatedKey } from './use-keys.ts';

interface CreatedKeyDialogProps {
  /** Nothing is shown if undefined. */
  created: CreatedKey | undefined;
  onClose: () => void;
}

/**
 * A new key with its private half, which is shown only once: a click outside does not close it, and closing it before the key was
 * saved asks for confirmation.
 */
export const CreatedKeyDialog = ({ created, onClose }: CreatedKeyDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      persistent
      onClose={onClose}
      open={created !== undefined}
      title={t('developer.created.title')}
      width={640}
    >
      {created ? <Created created={created} onClose={onClose} /> : null}
    </Dialog>
  );
};

const Created = ({ created, onClose }: { created: CreatedKey; onClose: () => void }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const copy = useCopy();
  const leave = useLeave();
  const [isSaved, setIsSaved] = useState(false);
  useDraft(() => !isSaved);
  const { id } = created.key;
  return (
    <div className={styles['stack']}>
      <p className={styles['words']}>{t('developer.created.hint')}</p>
      <div>
        {t('developer.keys.id')} <Identifier copy label={t('developer.keys.id')} value={id} />
      </div>
      <Input.TextArea
        aria-label={t('developer.created.privateKey')}
        className={styles['secret'] ?? ''}
        onFocus={({ target }) => target.select()}
        readOnly
        rows={9}
        value={created.private_key}
      />
      <div className={styles['line']}>
        <Button
          icon={<DownloadOutlined aria-hidden="true" />}
          onClick={() => {
            saveFile({
              blob: new Blob([created.private_key], { type: 'application/x-pem-file' }),
              name: `simcube-${id}.pem`,
            });
            setIsSaved(true);
          }}
          type={isSaved ? 'default' : 'primary'}
        >
          {t('developer.created.download')}
        </Button>
        <Button
          icon={<CopyOutlined aria-hidden="true" />}
          onClick={() => copy(created.private_key, () => setIsSaved(true))}
        >
          {t('developer.copy')}
        </Button>
        <a
          className={styles['end']}
          href={`/${language}/guide/developer?section=signing-calls`}
          rel="noreferrer"
          target="_blank"
        >
          {t('developer.created.howTo')}
        </a>
      </div>
      <div className={styles['line']}>
        <Button
          className={styles['end'] ?? ''}
          onClick={() => leave(onClose)}
          type={isSaved ? 'primary' : 'default'}
        >
          {t('developer.created.done')}
        </Button>
      </div>
    </div>
  );
};
