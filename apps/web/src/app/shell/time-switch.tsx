import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { setTimeDisplay, useTimeDisplay } from '../../lib/time/index.ts';
import styles from './time-switch.module.css';

/** Switches between UTC and local time everywhere. */
export const TimeSwitch = () => {
  const { t } = useTranslation();
  const choice = useTimeDisplay();
  return (
    <Segmented<'UTC' | 'LOCAL'>
      className={styles['switch'] ?? ''}
      aria-label={t('shell.header.timeDisplay')}
      value={choice}
      onChange={setTimeDisplay}
      options={[
        { value: 'UTC', label: t('common.time.utc') },
        { value: 'LOCAL', label: t('common.time.local') },
      ]}
    />
  );
};
