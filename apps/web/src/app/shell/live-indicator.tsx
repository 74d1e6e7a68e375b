import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { type LiveState, useLiveState } from '../../lib/live/index.ts';
import { session } from '../../lib/session/index.ts';
import { Status, type Tone } from '../../ui/status/index.ts';
import styles from './live-indicator.module.css';
import type { Trouble } from './trouble.ts';

const tones: Record<LiveState | 'behind', Tone> = {
  streaming: 'teal',
  connecting: 'grey',
  lost: 'orange',
  behind: 'orange',
};

/**
 * Whether the page updates live: not while requests are failing, whatever the state of the stream. Losing and regaining the
 * stream is announced to screen readers.
 */
export const LiveIndicator = ({ trouble }: { trouble: Trouble | null }) => {
  const { t } = useTranslation();
  const stream = useLiveState();
  const state = stream === 'streaming' && trouble ? 'behind' : stream;
  if (!session.currentMembership()) return null;
  return (
    <Tooltip title={t(`shell.live.${state}Hint`)}>
      <span className={styles['live']} role="status" data-state={state}>
        <Status tone={tones[state]}>{t(`shell.live.${state}`)}</Status>
      </span>
    </Tooltip>
  );
};
