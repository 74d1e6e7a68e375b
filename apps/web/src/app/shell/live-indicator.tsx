import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { type LiveState, useLiveState } from '../../lib/live/index.ts';
import { session } from '../../lib/session/index.ts';
import { Status, type Tone } from '../../ui/status/index.ts';
import type { ConnectionProblem } from './connection-problem.ts';
import styles from './live-indicator.module.css';

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
export const LiveIndicator = ({ problem }: { problem: ConnectionProblem | null }) => {
  const { t } = useTranslation();
  const stream = useLiveState();
  const state = stream === 'streaming' && problem ? 'behind' : stream;
  if (!session.currentMembership()) return null;
  return (
    <Tooltip title={t(`shell.live.${state}Hint`)}>
      <span className={styles['live']} role="status" data-state={state}>
        <Status tone={tones[state]}>{t(`shell.live.${state}`)}</Status>
      </span>
    </Tooltip>
  );
};
