import type { ActivationLine, OrderLine } from '@simcube/contract/bundle';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
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

interface ActivationLinesProps {
  lines: readonly ActivationLine[];
  /** How many SIMs would be activated: the lines may be only the first ones. */
  changing: number;
}

type PricedLine = ActivationLine & { price: NonNullable<ActivationLine['price']> };
const hasPrice = (line: ActivationLine): line is PricedLine => line.price !== null;

/** How many of which bundle would start, what that costs, and the total. */
export const ActivationLines = ({ lines, changing }: ActivationLinesProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (lines.length === 0) return null;
  const priced = lines.filter(hasPrice);
  const name = ({ bundle, orders }: ActivationLine) =>
    t('operations.orders.line', { shown: format.count(orders), bundle: bundle.name });
  if (priced.length === 0) {
    return (
      <ul className={styles['orders']}>
        {lines.map((line) => (
          <li className={styles['order']} key={line.bundle.code}>
            <b>{name(line)}</b>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className={styles['costs']}>
      <SmallTable>
        <thead>
          <tr>
            <th scope="col">{t('operations.fields.bundle')}</th>
            <th data-end scope="col">
              {t('operations.orders.once')}
            </th>
            <th data-end scope="col">
              {t('operations.orders.perCycle')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.bundle.code}>
              <td>{name(line)}</td>
              {(['activation_micros', 'cycle_micros'] as const).map((part) => (
                <td data-end key={part}>
                  {hasPrice(line) ? <LineCost micros={line.price[part]} line={line} /> : '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <Total changing={changing} lines={lines} priced={priced} />
      </SmallTable>
    </div>
  );
};

/** The cost of a line, and of each order in it. */
const LineCost = ({ micros, line: { orders, price } }: { micros: number; line: PricedLine }) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {format.price(micros * orders, price.currency)}
      {orders > 1 && micros > 0 ? (
        <small>{t('operations.orders.each', { price: format.price(micros, price.currency) })}</small>
      ) : null}
    </>
  );
};

/** None if it would leave something out, or add up different currencies. */
const Total = ({ lines, changing, priced }: ActivationLinesProps & { priced: readonly PricedLine[] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [currency = '', ...others] = new Set(priced.map(({ price }) => price.currency));
  const orders = priced.reduce((sum, line) => sum + line.orders, 0);
  if (lines.length < 2 || orders !== changing || others.length > 0) return null;
  const sumOf = (part: 'activation_micros' | 'cycle_micros') =>
    format.price(
      priced.reduce((sum, line) => sum + line.orders * line.price[part], 0),
      currency,
    );
  return (
    <tfoot>
      <tr>
        <th scope="row">{t('operations.orders.total')}</th>
        <td data-end>{sumOf('activation_micros')}</td>
        <td data-end>{sumOf('cycle_micros')}</td>
      </tr>
    </tfoot>
  );
};
