import type { PoolMember } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useUsageRank } from '../api/use-pool.ts';
import { longestBar, ShareBar } from '../members/share-bar.tsx';
import type { PoolPageSearch } from '../search.ts';
import styles from './overview.module.css';

/** Enough digits to distinguish SIMs, next to the name. */
const visibleDigits = 8;

interface RankCardProps extends Pick<SearchScreenProps<PoolPageSearch>, 'hrefOf'> {
  poolId: string;
  sims: number | undefined;
}

/** The SIMs with the most usage: within their own share, and above it. */
export const RankCard = ({ poolId, sims, hrefOf }: RankCardProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data: response, error, refetch } = useUsageRank(poolId);
  const maxBytes = longestBar(response?.data ?? []);
  return (
    <Card
      extra={
        <>
          <Pill dot="var(--amount)">{t('pool.rank.own')}</Pill>
          <Pill dot="var(--orange)">{t('pool.rank.above')}</Pill>
        </>
      }
      title={t('pool.rank.title')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {response?.data.length === 0 ? <Empty small title={t('pool.members.empty')} /> : null}
      {response || error ? null : <Loading rows={5} />}
      <ol className={styles['rank']}>
        {response?.data.map((member) => (
          <RankedSim key={member.iccid} member={member} maxBytes={maxBytes} />
        ))}
      </ol>
      {sims ? (
        <Link className={styles['all']} href={hrefOf({ tab: 'sims' })}>
          {t('pool.rank.all', { count: sims, shown: count(sims) })}
        </Link>
      ) : null}
    </Card>
  );
};

const RankedSim = ({ member, maxBytes }: { member: PoolMember; maxBytes: number }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { iccid, device_name: name, used_bytes: used } = member;
  return (
    <li className={styles['ranked']}>
      <span className={styles['device']} title={name ?? undefined}>
        {name ?? t('common.states.none')}
      </span>
      <Link href={`/${language}/simCard/${encodeURIComponent(iccid)}`}>
        <Identifier
          emphasis
          label={t('sim.columns.iccid')}
          shown={`…${iccid.slice(-visibleDigits)}`}
          value={iccid}
        />
      </Link>
      <ShareBar member={member} maxBytes={maxBytes} />
      <b>
        <Bytes value={used} />
      </b>
    </li>
  );
};
