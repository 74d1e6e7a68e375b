import type { Offer, OfferLine, OffersResponse } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import type { ApiQuery } from '../../../ui/query/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { AsOf, useCalendar } from '../../../ui/time/index.ts';
import { quantityText } from '../words.ts';
import styles from './estimate.module.css';

interface OffersCardProps {
  query: Pick<ApiQuery<OffersResponse>, 'data' | 'error' | 'refetch'>;
}

/** Where another bundle or a pool would have been cheaper, with the arithmetic. Only informs; changes nothing. */
export const OffersCard = ({ query: { data: response, error, refetch } }: OffersCardProps) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const found = response?.data.offers;
  const isFewer = found && found.compared.length > 0 && found.compared.length < found.months.length;
  return (
    <Card extra={found ? <AsOf at={found.computed_at} /> : null} title={t('finance.offers.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={3} />}
      {response && !found ? <p className={styles['note']}>{t('finance.offers.pending')}</p> : null}
      {found?.compared.length === 0 ? <p className={styles['note']}>{t('finance.offers.young')}</p> : null}
      {found && found.compared.length > 0 && found.offers.length === 0 ? (
        <p className={styles['note']}>{t('finance.offers.none')}</p>
      ) : null}
      {found?.offers.map((one) => (
        <OneOffer key={`${one.organisation.code} ${one.bundle.code} ${one.instead.pool}`} offer={one} />
      ))}
      {isFewer ? (
        <p className={styles['note']}>
          {t('finance.offers.fewer', {
            months: joinList(found.compared.map(calendar.longMonth)),
          })}
        </p>
      ) : null}
      {found && found.offers.length > 0 ? (
        <p className={styles['note']}>{t('finance.offers.never')}</p>
      ) : null}
    </Card>
  );
};

const OneOffer = ({ offer }: { offer: Offer }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { organisation, bundle, instead, sims, months, currency } = offer;
  const money = (minor: number) => format.money({ currency, amount_minor: minor });
  const names = { bundle: bundle.name, other: instead.bundle.name, pool: instead.pool ?? '' };
  return (
    <section aria-label={t('finance.offers.of', names)} className={styles['estimate']}>
      <p className={styles['figure']}>
        {t('finance.offers.saving', { amount: money(offer.saving_minor) })}
        <small>{organisation.name}</small>
      </p>
      <p className={styles['words']}>
        {t(instead.pool === null ? 'finance.offers.bundle' : 'finance.offers.pool', {
          ...names,
          count: sims,
          shown: format.count(sims),
          months: joinList(months.map(calendar.longMonth)),
        })}
      </p>
      <details>
        <summary>{t('finance.offers.arithmetic')}</summary>
        <SmallTable>
          <thead>
            <tr>
              <th scope="col">{t('finance.estimate.part')}</th>
              <th data-end scope="col">
                {t('finance.fields.amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {offer.was.map((line) => (
              <Line currency={currency} key={keyOf(line)} line={line} />
            ))}
            <Sum amount={money(offer.was_minor)} name={t('finance.offers.was', names)} />
            {offer.would.map((line) => (
              <Line currency={currency} key={keyOf(line)} line={line} />
            ))}
            <Sum amount={money(offer.would_minor)} name={t('finance.offers.would', names)} />
            {offer.change_minor === 0 ? null : (
              <Sum amount={money(offer.change_minor)} name={t('finance.offers.change')} />
            )}
            <Sum amount={money(offer.saving_minor)} name={t('finance.offers.difference')} />
          </tbody>
        </SmallTable>
      </details>
    </section>
  );
};

const keyOf = ({ kind, zone, tariff, unit, price_micros }: OfferLine): string =>
  [kind, zone?.code, tariff.code, tariff.starts_on, unit, price_micros].join(' ');

const Line = ({ line, currency }: { line: OfferLine; currency: string }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, zone, quantity, price_micros: price, amount_minor } = line;
  return (
    <tr>
      <td className={styles['part']}>
        {t(`finance.estimate.kinds.${kind}`, { name: zone?.name })}
        <small>
          {t('finance.offers.product', {
            quantity: quantityText(t, line, { count: quantity, shown: format.count(quantity) }),
            price: format.price(price, currency),
          })}
        </small>
      </td>
      <td data-end>{format.money({ currency, amount_minor })}</td>
    </tr>
  );
};

const Sum = ({ name, amount }: { name: string; amount: string }) => (
  <tr className={styles['sum']}>
    <th className={styles['part']} scope="row">
      {name}
    </th>
    <td data-end>{amount}</td>
  </tr>
);
