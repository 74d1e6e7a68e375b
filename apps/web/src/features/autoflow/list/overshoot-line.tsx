import { useTranslation } from 'react-i18next';
import styles from './overshoot-line.module.css';

interface OvershootLineProps {
  threshold: string;
  /** Seconds between two reports. */
  interval: string;
  /** Time from the report until the actions are complete, with its unit. */
  delay: string;
}

/**
 * From one report to the next, and on until the actions are complete: the time in which usage goes unnoticed is highlighted. The
 * text above says the same.
 */
export const OvershootLine = ({ threshold, interval, delay }: OvershootLineProps) => {
  const { t } = useTranslation();
  return (
    <div aria-hidden="true" className={styles['line']}>
      <span className={styles['crosses']}>{t('autoflow.overshoot.crosses', { threshold })}</span>
      <span className={styles['done']}>{t('autoflow.overshoot.done')}</span>
      <span className={styles['track']}>
        <i />
        <i />
        <i />
        <i />
      </span>
      <span className={styles['unseen']}>{t('autoflow.overshoot.unseen', { seconds: interval })}</span>
      <span className={styles['delay']}>{delay}</span>
      <span className={styles['updates']}>
        <span>{t('autoflow.overshoot.update')}</span>
        <span>{t('autoflow.overshoot.nextUpdate')}</span>
      </span>
    </div>
  );
};
