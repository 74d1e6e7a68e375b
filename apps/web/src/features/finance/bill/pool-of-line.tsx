import type { BillLine } from '@simcube/contract/finance';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { OverLimit } from '../../../ui/cost-card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { usePoolCycle, usePoolMembers } from '../api.ts';
import styles from './why.module.css';

/** The shared pool's cycle that a line charges: usage beyond its limit, and the usage and contribution of its SIMs. */
export const PoolOfLine = ({ billId, line }: { billId: string; line: BillLine }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { data: response, error, refetch } = usePoolCycle({ billId, line: line.line });
  const members = usePoolMembers({ billId, line: line.line });
  const cycle = response?.data;
  const hasFailed = (error && !response) || (members.error && !members.rows);
  const retry = () => {
    void refetch();
    void members.refetch();
  };
  if (hasFailed) return <Failure error={error ?? members.error} onRetry={retry} small />;
  if (cycle === null) return null;
  if (!cycle || !members.rows) return <Loading rows={5} />;
  const { rows: shown, totalCount } = members;
  return (
    <section>
      {line.kind === 'over-pool-limit' ? (
        <div className={styles['cycle']}>
          <OverLimit usage={cycle} />
        </div>
      ) : null}
      <h3>
        {t('finance.why.members', {
          count: totalCount ?? 0,
          shown: format.count(totalCount ?? 0),
          date: calendar.businessDate(cycle.started_at),
        })}
      </h3>
      <ul className={styles['members']}>
        {shown.map(({ iccid, device_name: name, used_bytes: used, own_bytes: own }) => (
          <li key={iccid}>
            <span>
              {name === null ? null : <b>{name}</b>}
              <Link href={`/${format.language}/simCard/${encodeURIComponent(iccid)}`}>
                <Identifier emphasis label={t('sim.columns.iccid')} value={iccid} />
              </Link>
            </span>
            <span>
              <b>{t('finance.why.memberUsed', { bytes: format.bytes(used).text })}</b>
              <small>{t('finance.why.memberOwn', { bytes: format.bytes(own).text })}</small>
            </span>
          </li>
        ))}
      </ul>
      {members.error ? <Failure error={members.error} onRetry={members.loadMore} small /> : null}
      {members.hasMore ? (
        <Button block loading={members.isLoadingMore} onClick={members.loadMore}>
          {t('finance.why.moreMembers')}
        </Button>
      ) : null}
    </section>
  );
};
