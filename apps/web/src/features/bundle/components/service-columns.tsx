import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, type Matches, matchesIn } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { FoundIdentifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { dateWidth, Time } from '../../../ui/time/index.ts';
import type { ServiceRow } from '../api/use-services.ts';
import { BundleType, CycleBar, OrderStatus, Quota } from './order-parts.tsx';

/** Link to the order on its SIM's page. */
export const orderHref = (language: string, { iccid, order_id, bundle }: ServiceRow): string => {
  const search = new URLSearchParams({ tab: 'bundles', order: order_id, bundle: bundle.code });
  return `/${language}/simCard/${encodeURIComponent(iccid)}?${search.toString()}`;
};

export const useServiceColumns = (): Column<ServiceRow>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'iccid',
        title: t('bundle.fields.iccid'),
        width: 168,
        fixed: true,
        sort: 'iccid',
        searched: 'iccid',
        phone: 'heading',
        render: (order, href) => (
          <Link href={href}>
            <FoundIdentifier emphasis label={t('bundle.fields.iccid')} value={order.iccid} />
          </Link>
        ),
      },
      {
        id: 'device',
        title: t('bundle.fields.device'),
        width: 160,
        searched: 'device_name',
        phone: 'heading',
        phoneWhen: (order) => order.device_name !== null,
        render: (order) => (order.device_name === null ? '—' : <SearchHighlight text={order.device_name} />),
      },
      {
        id: 'bundle',
        title: t('bundle.fields.bundle'),
        width: 150,
        phone: 'line',
        render: ({ bundle }) => <span title={`${bundle.name} · ${bundle.code}`}>{bundle.name}</span>,
      },
      {
        id: 'code',
        title: t('bundle.fields.code'),
        width: 128,
        initiallyHidden: true,
        render: ({ bundle }) => bundle.code,
      },
      {
        id: 'sku',
        title: t('bundle.fields.sku'),
        width: 128,
        initiallyHidden: true,
        render: ({ bundle }) => bundle.sku,
      },
      {
        id: 'type',
        title: t('bundle.fields.type'),
        width: 150,
        initiallyHidden: true,
        render: ({ bundle }) => <BundleType type={bundle.type} />,
      },
      {
        id: 'status',
        title: t('bundle.fields.status'),
        width: 100,
        phone: 'aside',
        render: ({ status }) => <OrderStatus status={status} />,
      },
      {
        id: 'quota',
        title: t('bundle.fields.quota'),
        width: 86,
        align: 'end',
        render: (order) => <Quota bytes={order.quota_bytes} />,
      },
      {
        id: 'cycle',
        title: t('bundle.fields.cycleUsage'),
        width: 146,
        phone: 'line',
        phoneWhen: (order) => order.cycle !== null,
        render: (order) => <CycleBar cycle={order.cycle} />,
      },
      {
        id: 'cost',
        title: t('price.column'),
        width: 100,
        align: 'end',
        phone: 'line',
        phoneWhen: (order) => order.cost !== null,
        render: (order) => <Money amount={order.cost} />,
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
        id: 'resetCycle',
        title: t('bundle.fields.resetCycle'),
        width: 176,
        initiallyHidden: true,
        render: (order) => t(`bundle.resetCycles.${order.reset_cycle}`),
      },
      {
        id: 'salesOrder',
        title: t('bundle.fields.salesOrder'),
        width: 118,
        initiallyHidden: true,
        searched: 'sales_order_id',
        phone: 'line',
        phoneWhen: (order) => order.sales_order_id !== null,
        render: (order) =>
          order.sales_order_id === null ? '—' : <SearchHighlight text={order.sales_order_id} />,
      },
      {
        id: 'ordered',
        filteredBy: ['ordered_from', 'ordered_to'],
        title: t('bundle.fields.ordered'),
        width: dateWidth,
        sort: 'ordered_at',
        render: (order) => <Time at={order.ordered_at} style="date" />,
      },
      {
        id: 'activated',
        title: t('bundle.fields.activated'),
        width: dateWidth,
        initiallyHidden: true,
        sort: 'activated_at',
        render: (order) => <Time at={order.activated_at} style="date" />,
      },
      {
        id: 'expires',
        filteredBy: ['expires_from', 'expires_to'],
        title: t('bundle.fields.expires'),
        width: dateWidth,
        sort: 'expires_at',
        phone: 'line',
        phoneWhen: (order) => order.expires_at !== null,
        render: (order) => <Time at={order.expires_at} style="date" />,
      },
    ],
    [t],
  );
};

/** Fields that orders are searched by but that no column shows. */
export const useServiceMatches = (search: string | undefined): Matches<ServiceRow> => {
  const { t } = useTranslation();
  return useMemo(
    () =>
      matchesIn<ServiceRow>(search, {
        iccid: { label: t('bundle.fields.iccid'), text: ({ iccid }) => iccid },
        device_name: { label: t('bundle.fields.device'), text: (order) => order.device_name },
        sales_order_id: { label: t('bundle.fields.salesOrder'), text: (order) => order.sales_order_id },
      }),
    [search, t],
  );
};
