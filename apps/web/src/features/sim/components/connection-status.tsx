import type { SimConnection } from '@simcube/contract/sim';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status/index.ts';
import { connectionTones } from '../sim-display.ts';

export interface ConnectionStatusProps {
  sim: Pick<SimConnection, 'connection' | 'network_overdue'>;
  /** Highlights that the SIM is online now. */
  live?: boolean;
  /** Shown after the text. */
  children?: ReactNode;
}

/** The connection of a SIM; red if the network should have ended its session but has not. */
export const ConnectionStatus = ({ sim, live = false, children }: ConnectionStatusProps) => {
  const { t } = useTranslation();
  const { connection, network_overdue: overdue } = sim;
  if (overdue === 'disconnect') {
    return (
      <Status tone="red">
        <span title={t('sim.overdueHint.disconnect')}>{t('sim.overdue.disconnect')}</span>
        {children}
      </Status>
    );
  }
  return (
    <Status live={live && connection === 'online'} tone={connectionTones[connection]}>
      {t(`sim.connection.${connection}`)}
      {children}
    </Status>
  );
};
