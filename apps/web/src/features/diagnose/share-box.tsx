import { CopyOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { toast } from '../../lib/toast/index.ts';
import type { SharedLink } from './api/use-sharing.ts';
import styles from './share-box.module.css';

/** The public link, to be copied, and until when it works. */
export const ShareBox = ({ link: { address, expiresAt } }: { link: SharedLink }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      toast.success(t('simDetail.diagnosePage.copied'));
    } catch {
      toast.error(t('simDetail.diagnosePage.copyFailed'));
    }
  };
  return (
    <section aria-labelledby={id} className={styles['box']}>
      <h2 className={styles['title']} id={id}>
        {t('simDetail.diagnosePage.sharing')}
      </h2>
      <p className={styles['hint']}>{t('simDetail.diagnosePage.shareHint')}</p>
      <div className={styles['link']}>
        <Input
          aria-label={t('simDetail.diagnosePage.link')}
          onFocus={(event) => event.target.select()}
          readOnly
          value={address}
        />
        <Button icon={<CopyOutlined aria-hidden="true" />} onClick={() => void copy()} type="primary">
          {t('simDetail.diagnosePage.copy')}
        </Button>
      </div>
      <p className={styles['hint']}>
        <time dateTime={expiresAt} title={format.exact(expiresAt)}>
          {t('simDetail.diagnosePage.expires', { time: format.exact(expiresAt) })}
        </time>
      </p>
    </section>
  );
};
