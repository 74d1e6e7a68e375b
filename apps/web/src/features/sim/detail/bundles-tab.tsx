import styles from './bundles-tab.module.css';
import type { BundlesTabProps } from './bundles-tab.props.ts';
import { CoverageCard } from './coverage-card.tsx';
import { CyclesSection } from './cycles-section.tsx';
import { OrderDrawer } from './order-drawer.tsx';
import { OrdersSection } from './orders-section.tsx';
import { OveruseCard } from './overuse-card.tsx';

/** The SIM's orders, the coverage and overuse policy of the one in use, and its cycles. */
export const BundlesTab = ({ iccid, search, onSearchChange }: BundlesTabProps) => (
  <div className={styles['tab']}>
    <OrdersSection iccid={iccid} onSearchChange={onSearchChange} search={search} />
    <div className={styles['pair']}>
      <OveruseCard iccid={iccid} />
      <CoverageCard iccid={iccid} />
    </div>
    <CyclesSection iccid={iccid} onSearchChange={onSearchChange} search={search} />
    <OrderDrawer
      iccid={iccid}
      onClose={() => onSearchChange({ ...search, order: undefined, bundle: undefined }, 'replace')}
      order={search.order && search.bundle ? { id: search.order, bundle: search.bundle } : undefined}
    />
  </div>
);
