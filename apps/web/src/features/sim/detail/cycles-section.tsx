import { endpoints, limits, type ResponseOf } from '@simcube/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { type Column, DataTable, useTableLayout } from '../../../ui/data-table/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { useSimCycles } from '../api/use-sim-detail.ts';
import type { BundlesTabProps } from './bundles-tab.props.ts';
import styles from './cycles-section.module.css';
import { Section } from './section.tsx';

type Cycle = ResponseOf<typeof endpoints.bundle.listCycles>[number];

export const CyclesSection = ({ iccid, search, onSearchChange }: BundlesTabProps) => {
  const { t } = useTranslation();
  const layout = useTableLayout('sim-cycles', useCycleColumns());
  const number = search.cycles ?? 1;
  const size = search.size ?? limits.page.default;
  const { data: answer, error, isPlaceholderData, refetch } = useSimCycles(iccid, { page: number, size });
  return (
    <Section
      extra={
        <ExportMenu
          disabled={answer?.data.length === 0}
          onExport={async (format) =>
            saveFile(await download(endpoints.bundle.exportCycles, { body: { iccid, format } }))
          }
          small
          what={t('simDetail.exports.cycles')}
        />
      }
      title={t('simDetail.cycles.title')}
    >
      <DataTable
        empty={<Empty hint={t('simDetail.cycles.noneHint')} small title={t('simDetail.cycles.none')} />}
        error={error}
        label={t('simDetail.cycles.title')}
        layout={layout}
        onPage={(page) =>
          // The page size is one for both tables: another size is another first page of the orders too.
          onSearchChange(
            {
              ...search,
              cycles: page.number,
              size: page.size,
              page: page.size === size ? search.page : undefined,
            },
            'push',
          )
        }
        onRetry={() => void refetch()}
        page={{ number, size, total: answer?.totalCount ?? 0, relation: answer?.totalRelation ?? 'eq' }}
        rowKey={({ started_at }) => started_at}
        rows={answer?.data}
        stale={isPlaceholderData}
      />
    </Section>
  );
};

const useCycleColumns = (): Column<Cycle>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'period',
        title: t('simDetail.cycles.period'),
        width: 240,
        fixed: true,
        phone: 'heading',
        render: ({ started_at: from, ends_at: to }) => (
          <span className={styles['period']}>
            <Time at={from} style="date" /> – <Time at={to} style="date" />
          </span>
        ),
      },
      {
        id: 'used',
        title: t('simDetail.cycles.used'),
        width: 100,
        align: 'end',
        phone: 'line',
        render: ({ used_bytes: used }) => <Bytes value={used} />,
      },
      {
        id: 'limit',
        title: t('simDetail.cycles.limit'),
        width: 100,
        align: 'end',
        phone: 'line',
        // It may no longer be known for a closed cycle.
        render: ({ limit_bytes: limit, current }) => {
          if (limit !== null) return <Bytes value={limit} />;
          return current ? t('bundle.unlimited') : '—';
        },
      },
      {
        id: 'share',
        title: t('simDetail.cycles.share'),
        width: 180,
        render: ({ used_bytes: used, limit_bytes: limit }) =>
          limit ? (
            <span className={styles['share']}>
              <UsageBar
                label={t('sim.list.usageOf', { percent: format.percent(used / limit) })}
                limit={limit}
                used={used}
              />
              {format.percent(used / limit)}
            </span>
          ) : (
            '—'
          ),
      },
      {
        id: 'state',
        title: t('simDetail.cycles.state'),
        width: 180,
        phone: 'aside',
        render: (cycle) => <CycleState cycle={cycle} />,
      },
    ],
    [t, format],
  );
};

const CycleState = ({ cycle: { current, provisional } }: { cycle: Cycle }) => {
  const { t } = useTranslation();
  if (current) {
    return (
      <Status live tone="teal">
        {t('simDetail.cycles.current')}
      </Status>
    );
  }
  if (!provisional) return <Status tone="grey">{t('simDetail.cycles.final')}</Status>;
  return (
    <span title={t('simDetail.cycles.provisionalHint')}>
      <Status tone="orange">{t('simDetail.cycles.provisional')}</Status>
    </span>
  );
};
