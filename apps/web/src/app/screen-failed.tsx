import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { reportError } from '../lib/api-client/index.ts';
import styles from './screen-failed.module.css';

/** A screen that threw: say so, report it, and offer the one thing that helps. */
export const ScreenFailed = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation();
  useEffect(() => reportError(error, 'screen'), [error]);
  return (
    <div className={styles['failed']} role="alert">
      <h1 className={styles['title']}>{t('errors.client.screenFailed')}</h1>
      <p className={styles['text']}>{t('errors.client.screenFailedHint')}</p>
      <button type="button" className={styles['action']} onClick={() => window.location.reload()}>
        {t('common.actions.reload')}
      </button>
    </div>
  );
};
