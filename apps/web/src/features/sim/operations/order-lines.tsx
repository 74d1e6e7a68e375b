import type { ActivationLine, OrderLine } from '@simcube/contract/bundle';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import styles from './operations.module.css';

interface OrderLinesProps {
  name: 'renew' | 'topUp' | 'changeBundle';
  lines: readonly OrderLine[];
}

/** How many of which bundle would be ordered, when they start, and what happens to the current one. */
export const OrderLines = ({ name, lines }: OrderLinesProps) => (
  <ul className={styles['orders']}>
    {lines.map((line) => (
      <Line key={JSON.stringify([line.bundle.code, line.current.code, line.price])} line={line} name={name} />
    ))}
  </ul>
);

const Line = ({ name, line }: { name: OrderLinesProps['name']; line: OrderLine }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const countValues = (count: number) => ({ count, shown: format.count(count) });
  const { bundle, orders, at_once: immediate } = line;
  const current = line.current.name;
  const dates = [...new Set([line.current_ends_first, line.current_ends_last])]
    .flatMap((end) => (end === null ? [] : format.date(end)))
    .join(' – ');
  const deferred = orders - immediate;
  return (
    <li className={styles['order']}>
      <b>{t('operations.orders.line', { shown: format.count(orders), bundle: bundle.name })}</b>{' '}
      {immediate > 0 && name !== 'changeBundle'
        ? `${t('operations.orders.atOnce', countValues(immediate))} `
        : null}
      {deferred > 0 && name === 'topUp' ? t('operations.orders.onResume', countValues(deferred)) : null}
      {deferred > 0 && name !== 'topUp'
        ? t('operations.orders.atEnd', { ...countValues(deferred), current, dates })
        : null}
      {immediate > 0 && name === 'changeBundle'
        ? t(dates ? 'operations.orders.replacedUntil' : 'operations.orders.replaced', { current, dates })
        : null}
      <Price line={line} isOneTime={name === 'topUp'} />
      {line.price && deferred > 0
        ? ` ${t(name === 'topUp' ? 'operations.orders.pricesOfCycle' : 'operations.orders.pricesOfToday')}`
        : null}
    </li>
  );
};

interface PriceProps {
  line: Pick<OrderLine, 'price'>;
  /** For an order in addition to a plan, which has the fee per cycle. */
  isOneTime?: boolean;
}

/** The price of each order in a line. */
const Price = ({ line: { price }, isOneTime = false }: PriceProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!price) return null;
  const text = t(isOneTime ? 'operations.orders.priceOnce' : 'operations.orders.price', {
    activation: format.price(price.activation_micros, price.currency),
    cycle: format.price(price.cycle_micros, price.currency),
  });
  return ` ${text}`;
};

/** How many of which bundle would start, and their prices. */
export const ActivationLines = ({ lines }: { lines: readonly ActivationLine[] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={styles['orders']}>
      {lines.map((line) => (
        <li className={styles['order']} key={line.bundle.code}>
          <b>{t('operations.orders.line', { shown: format.count(line.orders), bundle: line.bundle.name })}</b>
          <Price line={line} />
        </li>
      ))}
    </ul>
  );
};
