import { useTranslation } from 'react-i18next';
import { ProductMark } from '../../features/public/index.ts';
import { Dialog } from '../../ui/dialog/index.ts';
import { version } from '../version.ts';
import styles from './about-dialog.module.css';

export const AboutDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('shell.about.title')} onClose={onClose} width={400}>
      <div className={styles['about']}>
        <ProductMark size={44} />
        <div>
          <p className={styles['version']}>
            {t('shell.about.version')} <b>{version}</b>
          </p>
          <p className={styles['text']}>{t('shell.about.text')}</p>
          <p className={styles['text']}>{t('shell.about.licence')}</p>
        </div>
      </div>
    </Dialog>
  );
};
