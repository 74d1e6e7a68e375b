import type { Pool } from '@simcube/contract/pool';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { dateWidth, useCalendar } from '../../../ui/time/index.ts';
import { lastDayOf, remainingBytes } from '../pool-display.ts';
import styles from './pool-parts.module.css';
import { PoolState, PoolUsage } from './pool-parts.tsx';

export const usePoolColumns = (): Column<Pool>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const calendar = useCalendar();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('pool.fields.name'),
        width: 142,
        fixed: true,
        sort: 'name',
        phone: 'heading',
        render: ({ name }, href) => (
          <Link href={href} title={name}>
            <SearchHighlight text={name} />
          </Link>
        ),
      },
      {
        id: 'state',
        title: t('pool.fields.state'),
        width: 150,
        phone: 'aside',
        render: (pool) => <PoolState pool={pool} />,
      },
      {
        id: 'usage',
        title: t('pool.fields.usage'),
        width: 146,
        phone: 'line',
        render: (pool) => <PoolUsage pool={pool} />,
      },
      {
        id: 'left',
        title: t('pool.fields.left'),
        width: 90,
        align: 'end',
        phone: 'line',
        render: (pool) => <Bytes value={remainingBytes(pool)} />,
      },
      {
        id: 'sims',
        title: t('pool.fields.activatedSims'),
        width: 114,
        align: 'end',
        phone: 'line',
        render: ({ activated_sims: activated, sims }) =>
          t('pool.ofAll', { part: count(activated), all: count(sims) }),
      },
      {
        id: 'bundle',
        title: t('pool.fields.bundle'),
        width: 132,
        phone: 'line',
        render: ({ bundle }) => (
          <span title={`${bundle.name} · ${bundle.code}`}>
            <SearchHighlight text={bundle.name} />
          </span>
        ),
      },
      {
        id: 'policy',
        title: t('pool.fields.policy'),
        width: 156,
        render: ({ policy }) => <span className={styles['words']}>{t(`pool.policies.${policy}`)}</span>,
      },
      {
        id: 'opt_in',
        title: t('pool.fields.optIn'),
        width: 116,
        render: ({ opt_in: mode }) => t(`pool.optIns.${mode}`),
      },
      {
        id: 'rule',
        title: t('pool.fields.rule'),
        width: 140,
        initiallyHidden: true,
        render: ({ activation_rule: rule }) => t(`pool.rules.${rule}`),
      },
      {
        id: 'base',
        title: t('pool.fields.base'),
        width: 140,
        align: 'end',
        initiallyHidden: true,
        render: ({ base_limit_bytes: bytes }) => <Bytes value={bytes} />,
      },
      {
        id: 'started',
        title: t('pool.fields.cycleStarted'),
        width: dateWidth,
        initiallyHidden: true,
        render: ({ cycle_started_at: at }) => calendar.businessDate(at),
      },
      {
        id: 'ends',
        title: t('pool.fields.cycleEnds'),
        width: dateWidth,
        phone: 'line',
        render: (pool) => calendar.businessDate(lastDayOf(pool)),
      },
    ],
    [t, count, calendar],
  );
};
