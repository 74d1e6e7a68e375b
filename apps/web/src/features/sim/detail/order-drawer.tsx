import { useTranslation } from 'react-i18next';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { BundleType, CycleBar, OrderStatus, Quota } from '../../bundle/index.ts';
import { useSimOrder } from '../api/use-sim-detail.ts';
import { CountryList } from './country-list.tsx';
import styles from './order-drawer.module.css';
import { overageAmounts } from './overage-amounts.tsx';

interface OrderDrawerProps {
  iccid: string;
  /** The drawer is closed if undefined. */
  order: { id: string; bundle: string } | undefined;
  onClose: () => void;
}

/** One order: its bundle, rules, dates and coverage. */
export const OrderDrawer = ({ iccid, order, onClose }: OrderDrawerProps) => {
  const { t } = useTranslation();
  const params = { iccid, orderId: order?.id ?? '', bundleCode: order?.bundle ?? '' };
  const { data: response } = useSimOrder(params, order !== undefined);
  return (
    <Drawer
      onClose={onClose}
      open={order !== undefined}
      title={t('simTabs.orders.drawer', { order: response?.data.sales_order_id ?? params.bundleCode })}
    >
      {order ? <OrderDetails {...params} /> : null}
    </Drawer>
  );
};

const OrderDetails = (params: { iccid: string; orderId: string; bundleCode: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimOrder(params);
  if (error && !response) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!response) return <Loading rows={12} />;
  const { bundle, coverage, ...order } = response.data;
  return (
    <div className={styles['order']}>
      <div className={styles['name']}>
        <strong>{bundle.name}</strong>
        <BundleType type={bundle.type} />
        <OrderStatus status={order.status} />
      </div>
      <DescriptionList
        items={[
          {
            term: t('bundle.fields.code'),
            value: <Identifier copy label={t('bundle.fields.code')} value={bundle.code} />,
          },
          { term: t('bundle.fields.sku'), value: bundle.sku },
          { term: t('bundle.fields.salesOrder'), value: order.sales_order_id },
          { term: t('bundle.fields.quota'), value: <Quota bytes={order.quota_bytes} /> },
          {
            term: t('bundle.fields.cycleUsage'),
            value: order.cycle ? <CycleBar cycle={order.cycle} /> : t('bundle.noCycle'),
          },
        ]}
      />
      <h2 className={styles['heading']}>{t('simTabs.orders.policies')}</h2>
      <DescriptionList
        items={[
          { term: t('bundle.fields.resetCycle'), value: t(`bundle.resetCycles.${order.reset_cycle}`) },
          { term: t('bundle.fields.overage'), value: t(`bundle.overage.${order.overage_policy}`) },
          ...overageAmounts(order.overage, t),
          {
            term: t('bundle.fields.outOfCoverage'),
            value: t(`bundle.outOfCoverage.${order.out_of_coverage_policy}`),
          },
        ]}
      />
      <h2 className={styles['heading']}>{t('simTabs.orders.times')}</h2>
      <DescriptionList
        items={[
          { term: t('bundle.fields.ordered'), value: <Time at={order.ordered_at} /> },
          { term: t('bundle.fields.activated'), value: <Time at={order.activated_at} /> },
          { term: t('bundle.fields.expires'), value: <Time at={order.expires_at} /> },
        ]}
      />
      <h2 className={styles['heading']}>{t('simTabs.orders.coverage')}</h2>
      <CountryList countries={coverage.countries} />
    </div>
  );
};
