import type { SimData } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import { dataTones, restrictionText } from '../sim-display.ts';
import styles from './data-status.module.css';

/** Whether a SIM has data; what restricts it on hover, and for screen readers. */
export const DataStatus = ({ data }: { data: SimData }) => {
  const { t } = useTranslation();
  const { dateTime: timeOf } = useFormat();
  const state = t(`sim.data.states.${data.state}`);
  if (data.restrictions.length === 0) return <Status tone={dataTones[data.state]}>{state}</Status>;
  const reasons = data.restrictions.map((one) => restrictionText(one, { t, timeOf })).join('\n');
  return (
    <Status tone={dataTones[data.state]}>
      <span title={reasons}>{state}</span> <span className={visuallyHidden}>{reasons}</span>
    </Status>
  );
};

/** What restricts a SIM's data, one mark each; none while it is open. */
export const DataMarks = ({ data }: { data: SimData }) => {
  const { t } = useTranslation();
  const { shortDateTime: timeOf, dateTime } = useFormat();
  return data.restrictions.map((one) => (
    <span className={styles['mark']} key={one.by} title={restrictionText(one, { t, timeOf: dateTime })}>
      <Pill dot={`var(--${one.kbps === null ? 'red' : 'orange'})`}>
        {restrictionText(one, { t, timeOf })}
      </Pill>
    </span>
  ));
};

/** Whether a SIM has data, and below it what restricts it. */
export const DataDetails = ({ data }: { data: SimData }) => {
  const { t } = useTranslation();
  const { dateTime: timeOf } = useFormat();
  return (
    <>
      <Status tone={dataTones[data.state]}>{t(`sim.data.states.${data.state}`)}</Status>
      {data.restrictions.map((one) => (
        <div className={styles['reason']} key={one.by}>
          {restrictionText(one, { t, timeOf })}
        </div>
      ))}
    </>
  );
};
