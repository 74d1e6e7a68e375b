import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './details-panel.module.css';

interface DetailsPanelProps {
  title: ReactNode;
  /** Next to the title. */
  state?: ReactNode;
  /** Below the title: the entry's identifier. */
  identifier?: ReactNode;
  /** Actions on the entry, at the bottom. */
  actions?: ReactNode;
  /** Undefined inside a drawer, which has its own close button. */
  onClose: (() => void) | undefined;
  children: ReactNode;
}

/** One log entry in full. */
export const DetailsPanel = ({ title, state, identifier, actions, onClose, children }: DetailsPanelProps) => {
  const { t } = useTranslation();
  return (
    <div className={styles['aside']}>
      <div className={styles['header']}>
        <div>
          <h2 className={styles['title']}>
            {title} {state}
          </h2>
          {identifier ? <div className={styles['known']}>{identifier}</div> : null}
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
