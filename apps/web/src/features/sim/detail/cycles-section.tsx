import { endpoints, limits, type ResponseOf } from '@simcube/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { type PagesSearch, pagesSearch } from '../../../lib/search-params/list-search.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { CycleSpan } from '../../../ui/cycle/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { ListTable, useList } from '../../../ui/list-screen/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { useSimCycles } from '../api/use-sim-detail.ts';
import type { BundlesTabProps } from './bundles-tab.props.ts';
import styles from './cycles-section.module.css';
import { Section } from './section.tsx';

type Cycle = ResponseOf<typeof endpoints.bundle.listCycles>[number];

export const CyclesSection = ({ iccid, search, onSearchChange }: BundlesTabProps) => {
  const { t } = useTranslation();
  const { size = limits.page.default } = search;
  const page: PagesSearch = { page: search.cycles, size };
  const list = useList({
    name: 'sim-cycles',
    of: pagesSearch,
    address: {
      search: page,
      // Both tables share one page size: changing it also returns the orders to the first page.
      onSearchChange: ({ page: cycles, size: next }, how) =>
        onSearchChange({ ...search, cycles, size: next, page: next === size ? search.page : undefined }, how),
    },
    query: useSimCycles(iccid, page),
    columns: useCycleColumns(),
  });
  return (
    <Section
      extra={
        <ExportMenu
          disabled={list.rows?.length === 0}
          onExport={async (format) =>
            saveFile(await download(endpoints.bundle.exportCycles, { body: { iccid, format } }))
          }
          small
          subject={t('simDetail.exports.cycles')}
        />
      }
      title={t('simTabs.cycles.title')}
    >
      <ListTable
        empty={{ title: t('simTabs.cycles.none'), hint: t('simTabs.cycles.noneHint'), small: true }}
        label={t('simTabs.cycles.title')}
        list={list}
        rowKey={({ started_at }) => started_at}
        skeletonRows={6}
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
        title: t('simTabs.cycles.period'),
        width: 272,
        fixed: true,
        phone: 'heading',
        render: ({ started_at: from, ends_at: to }) => <CycleSpan endsAt={to} from={from} />,
      },
      {
        id: 'used',
        title: t('simTabs.cycles.used'),
        width: 100,
        align: 'end',
        phone: 'line',
        render: ({ used_bytes: used }) => <Bytes value={used} />,
      },
      {
        id: 'limit',
        title: t('simTabs.cycles.limit'),
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
        title: t('simTabs.cycles.share'),
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
        id: 'cost',
        title: t('price.column'),
        width: 132,
        align: 'end',
        phone: 'line',
        phoneWhen: ({ cost }) => cost !== null,
        render: ({ cost }) => <Money amount={cost} />,
      },
      {
        id: 'state',
        title: t('simTabs.cycles.state'),
        width: 180,
        phone: 'aside',
        render: (cycle) => <CycleState cycle={cycle} />,
      },
    ],
    [t, format],
  );
};

const CycleState = ({ cycle: { current, provisional, cost_provisional: unbilled } }: { cycle: Cycle }) => {
  const { t } = useTranslation();
  if (current) {
    return (
      <Status live tone="teal">
        {t('simTabs.cycles.current')}
      </Status>
    );
  }
  if (!provisional && !unbilled) return <Status tone="grey">{t('simTabs.cycles.final')}</Status>;
  const state = provisional ? 'provisional' : 'unbilled';
  return (
    <span title={t(`simTabs.cycles.${state}Hint`)}>
      <Status tone="orange">{t(`simTabs.cycles.${state}`)}</Status>
    </span>
  );
};
