import { ReloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiFailure, messageOf, missingResourceOf, quoteOf } from '../../lib/api-client/index.ts';
import styles from './failure.module.css';

export interface FailureProps {
  error: unknown;
  onRetry: () => void;
  /** A line above content that is still shown, instead of a block of its own. */
  small?: boolean;
}

/** Shows an error in place, with a retry button, and the code and trace id to quote. */
export const Failure = ({ error, onRetry, small = false }: FailureProps) => {
  const { t } = useTranslation();
  const failure = error instanceof ApiFailure ? error : undefined;
  const resource = failure ? missingResourceOf(failure) : null;
  /** What the server refuses: it would do so again. */
  const issues = [...new Set(failure?.issues.map(({ message }) => message))].join(' · ');
  const quote = failure ? quoteOf(failure) : null;
  return (
    <div className={small ? `${styles['failure']} ${styles['small']}` : styles['failure']} role="alert">
      <div className={styles['words']}>
        <p className={styles['title']}>{t('common.states.failed')}</p>
        {failure ? <p className={styles['message']}>{issues || messageOf(failure)}</p> : null}
        {resource === null ? null : <p className={styles['message']}>{resource}</p>}
        {quote === null ? null : <p className={styles['quote']}>{quote}</p>}
      </div>
      {issues ? null : (
        <Button icon={<ReloadOutlined aria-hidden="true" />} onClick={onRetry}>
          {t('common.actions.retry')}
        </Button>
      )}
    </div>
  );
};
