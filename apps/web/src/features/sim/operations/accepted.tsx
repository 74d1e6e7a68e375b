import { CheckCircleFilled } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Link } from '../../../ui/link/index.ts';
import styles from './operations.module.css';

interface AcceptedProps {
  task: { reference_id: string; quantity: number };
  onClose: () => void;
}

/** The work continues in the background: its reference, and where it can be watched. */
export const Accepted = ({ task, onClose }: AcceptedProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={styles['content']}>
      <p className={styles['accepted']} role="status">
        <CheckCircleFilled aria-hidden="true" className={styles['tick'] ?? ''} />
        <span>
          {t('operations.accepted', { count: task.quantity, shown: format.count(task.quantity) })}{' '}
          <b>{task.reference_id}</b>
        </span>
      </p>
      <p className={styles['words']}>{t('operations.goesOn')}</p>
      <footer className={styles['footer']}>
        <Link className={styles['link']} href={`/${format.language}/taskcenter`} onClick={onClose}>
          {t('operations.toTaskCentre')}
        </Link>
        <Button autoFocus onClick={onClose} type="primary">
          {t('operations.close')}
        </Button>
      </footer>
    </div>
  );
};
