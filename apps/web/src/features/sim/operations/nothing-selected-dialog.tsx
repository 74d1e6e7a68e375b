import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog/index.ts';
import type { PlainOperation } from './operation.ts';
import styles from './operations.module.css';

interface NothingSelectedProps {
  name: PlainOperation;
  /** The person means all that match. */
  onAll: () => void;
  onClose: () => void;
}

/** An order for all SIMs that match is given on purpose, not because none was selected. */
export const NothingSelectedDialog = ({ name, onAll, onClose }: NothingSelectedProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} open title={t(`operations.titles.${name}`)} width={520}>
      <div className={styles['content']}>
        <p className={styles['words']}>{t('operations.noneSelected')}</p>
        <footer className={styles['footer']}>
          <Button onClick={onAll}>{t('operations.allThatMatch')}</Button>
          <Button onClick={onClose} type="primary">
            {t('operations.selectSims')}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
};
