import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reportError } from '../lib/api-client/index.ts';
import { PartGone } from '../lib/parts/index.ts';
import { now } from '../lib/time/index.ts';
import { allDrafts } from '../ui/unsaved/drafts.ts';
import styles from './screen-failed.module.css';

/** A screen that threw: say so, report it, and offer the one thing that helps. Where that helps for sure, it is done. */
export const ScreenFailed = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation();
  const [heals] = useState(() => error instanceof PartGone && !wasReloaded());
  useEffect(() => {
    if (heals) reload();
    else reportError(error, 'screen');
  }, [error, heals]);
  if (heals) return null;
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

/** When this tab was loaded again for a part; a part that is still gone then is a failure. */
const name = 'simcube.reloaded-at';
const soonMs = 20_000;

const wasReloaded = (): boolean => now() - Number(sessionStorage.getItem(name) ?? '0') < soonMs;

const reload = (): void => {
  sessionStorage.setItem(name, String(now()));
  // The screen that they were on was left.
  allDrafts.drop();
  window.location.reload();
};
