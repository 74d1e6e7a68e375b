import type { SimBasic } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { Pill } from '../../../ui/card/index.ts';
import { lifecycleTones, Status } from '../../../ui/status/index.ts';
import { Ago } from '../../../ui/time/index.ts';
import { useSimConnection } from '../api/use-sim.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { DataMarks } from './data-status.tsx';
import styles from './sim-facts.module.css';

/** Next to the ICCID: lifecycle, connection with its age, and what restricts its data. */
export const SimFacts = ({ basic, iccid }: { basic: SimBasic | undefined; iccid: string }) => {
  const { t } = useTranslation();
  const { data: response } = useSimConnection(iccid);
  if (!basic) return null;
  return (
    <div className={styles['facts']}>
      <Status tone={lifecycleTones[basic.lifecycle]}>{t(`sim.lifecycle.${basic.lifecycle}`)}</Status>
      {response ? (
        <ConnectionStatus live sim={response.data}>
          {response.data.last_seen_at ? (
            <>
              {' · '}
              <Ago at={response.data.last_seen_at} />
            </>
          ) : null}
        </ConnectionStatus>
      ) : null}
      {response?.data.network_overdue === 'rate' ? (
        <span title={t('sim.overdueHint.rate')}>
          <Pill dot="var(--red)">{t('sim.overdue.rate')}</Pill>
        </span>
      ) : null}
      <DataMarks data={basic.data} />
      {basic.sms_suspended ? (
        <Pill dot="var(--orange)">
          {t('kit.marks.named', { name: t('sim.filters.sms'), value: t('sim.filters.smsSuspended') })}
        </Pill>
      ) : null}
    </div>
  );
};
