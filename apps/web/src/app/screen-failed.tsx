import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reportError } from '../lib/api-client/index.ts';
import { MissingChunkError } from '../lib/chunks/index.ts';
import { now } from '../lib/time/index.ts';
import { allDrafts } from '../ui/unsaved/drafts.ts';
import styles from './screen-failed.module.css';

/**
 * Shown when a screen threw: says so, reports the error and offers to reload. If reloading is certain to help, it does so
 * immediately.
 */
export const ScreenFailed = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation();
  const [shouldReload] = useState(() => error instanceof MissingChunkError && !wasReloaded());
  useEffect(() => {
    if (shouldReload) reload();
    else reportError(error, 'screen');
  }, [error, shouldReload]);
  if (shouldReload) return null;
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

/** When this tab was last reloaded for a missing chunk; if the chunk is still missing afterwards, that is a failure. */
const name = 'simcube.reloaded-at';
const recentMs = 20_000;

const wasReloaded = (): boolean => now() - Number(sessionStorage.getItem(name) ?? '0') < recentMs;

const reload = (): void => {
  sessionStorage.setItem(name, String(now()));
  // The screen that the drafts belonged to is gone.
  allDrafts.drop();
  window.location.reload();
};
