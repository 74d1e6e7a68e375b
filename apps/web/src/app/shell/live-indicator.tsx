import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { type LiveState, useLiveState } from '../../lib/live/index.ts';
import { session } from '../../lib/session/index.ts';
import { Status, type Tone } from '../../ui/status/index.ts';
import styles from './live-indicator.module.css';

const tones: Record<LiveState, Tone> = { streaming: 'teal', connecting: 'grey', lost: 'orange' };

/** Whether the page updates live. A lost stream is announced to screen readers, and so is its return. */
export const LiveIndicator = () => {
  const { t } = useTranslation();
  const state = useLiveState();
  if (!session.currentMembership()) return null;
  return (
    <Tooltip title={t(`shell.live.${state}Hint`)}>
      <span className={styles['live']} role="status" data-state={state}>
        <Status tone={tones[state]}>{t(`shell.live.${state}`)}</Status>
      </span>
    </Tooltip>
  );
};
