import { endpoints, limits, type ResponseOf } from '@simcube/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { pagesSearch } from '../../../lib/search-params/list-search.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListTable, useList } from '../../../ui/list-screen/index.ts';
import { dateWidth, Time } from '../../../ui/time/index.ts';
import { BundleType, OrderStatus, Quota } from '../../bundle/index.ts';
import { useSimOrders } from '../api/use-sim-detail.ts';
import { simHref } from '../sim-display.ts';
import type { BundlesTabProps } from './bundles-tab.props.ts';
import { Section } from './section.tsx';

type Order = ResponseOf<typeof endpoints.bundle.listOrders>[number];

export const OrdersSection = ({ iccid, search, onSearchChange }: BundlesTabProps) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const list = useList({
    name: 'sim-orders',
    of: pagesSearch,
    address: {
      search,
      onSearchChange: ({ page, size }, how) =>
        onSearchChange(
          {
            ...search,
            page,
            size,
            cycles: size === (search.size ?? limits.page.default) ? search.cycles : undefined,
          },
          how,
        ),
    },
    query: useSimOrders(iccid, search),
    columns: useOrderColumns(),
  });
  return (
    <Section
      extra={
        <ExportMenu
          disabled={list.rows?.length === 0}
          onExport={async (format) =>
            saveFile(await download(endpoints.bundle.exportOrders, { body: { iccid, format } }))
          }
          small
          subject={t('simDetail.exports.orders')}
        />
      }
      title={t('simTabs.orders.title')}
    >
      <ListTable
        empty={{ title: t('simTabs.orders.none'), hint: t('simTabs.orders.noneHint') }}
        label={t('simTabs.orders.title')}
        list={list}
        rowHref={({ order_id: order, bundle }) =>
          simHref(language, iccid) +
          stringifySearch({ ...search, tab: 'bundles', order, bundle: bundle.code })
        }
        rowKey={({ order_id }) => order_id}
        skeletonRows={2}
      />
    </Section>
  );
};

const useOrderColumns = (): Column<Order>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'bundle',
        title: t('bundle.fields.bundle'),
        width: 170,
        fixed: true,
        phone: 'heading',
        render: (order, href) => (
          <Link
            href={href}
            title={t('simTabs.orders.open', { order: order.sales_order_id ?? order.bundle.code })}
          >
            {order.bundle.name}
          </Link>
        ),
      },
      {
        id: 'type',
        title: t('bundle.fields.type'),
        width: 150,
        phone: 'line',
        render: ({ bundle }) => <BundleType type={bundle.type} />,
      },
      {
        id: 'status',
        title: t('bundle.fields.status'),
        width: 104,
        phone: 'aside',
        render: ({ status }) => <OrderStatus status={status} />,
      },
      {
        id: 'quota',
        title: t('bundle.fields.cycleQuota'),
        width: 124,
        align: 'end',
        phone: 'line',
        render: (order) => <Quota bytes={order.quota_bytes} />,
      },
      {
        id: 'used',
        title: t('bundle.fields.totalUsed'),
        width: 124,
        align: 'end',
        phone: 'line',
        render: ({ used_bytes: used }) => <Bytes value={used} />,
      },
      {
        id: 'overage',
        title: t('bundle.fields.overage'),
        width: 204,
        initiallyHidden: true,
        render: (order) => t(`bundle.overage.${order.overage_policy}`),
      },
      {
        id: 'coverage',
        title: t('bundle.fields.outOfCoverage'),
        width: 136,
        initiallyHidden: true,
        render: (order) => t(`bundle.outOfCoverage.${order.out_of_coverage_policy}`),
      },
      {
        id: 'salesOrder',
        title: t('bundle.fields.salesOrder'),
        width: 118,
        render: (order) => order.sales_order_id ?? '—',
      },
      {
        id: 'ordered',
        title: t('bundle.fields.ordered'),
        width: dateWidth,
        render: (order) => <Time at={order.ordered_at} style="date" />,
      },
      {
        id: 'activated',
        title: t('bundle.fields.activated'),
        width: dateWidth,
        render: (order) => <Time at={order.activated_at} style="date" />,
      },
      {
        id: 'expires',
        title: t('bundle.fields.expires'),
        width: dateWidth,
        phone: 'line',
        phoneWhen: (order) => order.expires_at !== null,
        render: (order) => <Time at={order.expires_at} style="date" />,
      },
    ],
    [t],
  );
};
