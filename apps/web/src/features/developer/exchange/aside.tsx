import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './aside.module.css';

interface AsideProps {
  title: ReactNode;
  /** Beside the title. */
  state?: ReactNode;
  /** Under it: by what the thing is known. */
  known?: ReactNode;
  /** What can be done with it, below everything. */
  actions?: ReactNode;
  /** None where it lies in a drawer, which has its own cross. */
  onClose: (() => void) | undefined;
  children: ReactNode;
}

/** One entry of a log, whole. */
export const Aside = ({ title, state, known, actions, onClose, children }: AsideProps) => {
  const { t } = useTranslation();
  return (
    <div className={styles['aside']}>
      <div className={styles['header']}>
        <div>
          <h2 className={styles['title']}>
            {title} {state}
          </h2>
          {known ? <div className={styles['known']}>{known}</div> : null}
        </div>
        {onClose ? (
          <Button
            aria-label={t('developer.close')}
            icon={<CloseOutlined aria-hidden="true" />}
            onClick={onClose}
            size="small"
            type="text"
          />
        ) : null}
      </div>
      <div className={styles['content']}>{children}</div>
      {actions ? <div className={styles['actions']}>{actions}</div> : null}
    </div>
  );
};
