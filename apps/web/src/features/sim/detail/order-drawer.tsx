import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { BundleType, CycleBar, OrderStatus, Quota } from '../../service/index.ts';
import { useSimOrder } from '../api/use-sim-detail.ts';
import { CountryList } from './country-list.tsx';
import styles from './order-drawer.module.css';

interface OrderDrawerProps {
  iccid: string;
  /** Nothing is open without it. */
  order: { id: string; bundle: string } | undefined;
  onClose: () => void;
}

/** One order: what it is, its rules, when, and where it is valid. */
export const OrderDrawer = ({ iccid, order, onClose }: OrderDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer
      onClose={onClose}
      open={order !== undefined}
      title={t('simDetail.orders.drawer', { order: order?.id ?? '' })}
    >
      {order ? <Order bundleCode={order.bundle} iccid={iccid} orderId={order.id} /> : null}
    </Drawer>
  );
};

const Order = (of: { iccid: string; orderId: string; bundleCode: string }) => {
  const { t } = useTranslation();
  const { data: answer, error, refetch } = useSimOrder(of);
  if (error && !answer) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!answer) return <Skeleton active paragraph={{ rows: 12 }} title={false} />;
  const { bundle, coverage, ...order } = answer.data;
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
            term: t('service.fields.code'),
            value: <Identifier copy label={t('service.fields.code')} value={bundle.code} />,
          },
          { term: t('service.fields.sku'), value: bundle.sku },
          { term: t('service.fields.salesOrder'), value: order.sales_order_id },
          { term: t('service.fields.quota'), value: <Quota bytes={order.quota_bytes} /> },
          {
            term: t('service.fields.cycleUsage'),
            value: order.cycle ? <CycleBar cycle={order.cycle} /> : t('service.noCycle'),
          },
        ]}
      />
      <h2 className={styles['heading']}>{t('simDetail.orders.policies')}</h2>
      <DescriptionList
        items={[
          { term: t('service.fields.resetCycle'), value: t(`service.resetCycles.${order.reset_cycle}`) },
          { term: t('service.fields.overage'), value: t(`service.overage.${order.overage_policy}`) },
          {
            term: t('service.fields.outOfCoverage'),
            value: t(`service.outOfCoverage.${order.out_of_coverage_policy}`),
          },
        ]}
      />
      <h2 className={styles['heading']}>{t('simDetail.orders.times')}</h2>
      <DescriptionList
        items={[
          { term: t('service.fields.ordered'), value: <Time at={order.ordered_at} /> },
          { term: t('service.fields.activated'), value: <Time at={order.activated_at} /> },
          { term: t('service.fields.expires'), value: <Time at={order.expires_at} /> },
        ]}
      />
      <h2 className={styles['heading']}>{t('simDetail.orders.coverage')}</h2>
      <CountryList countries={coverage.countries} />
    </div>
  );
};
