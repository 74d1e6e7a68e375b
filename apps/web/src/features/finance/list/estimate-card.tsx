import {
  billGroups,
  type EstimateCurrency,
  type EstimatePart,
  type EstimateResponse,
} from '@simcube/contract/finance';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartLegend } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import type { ApiQuery } from '../../../ui/query/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { AsOf, useCalendar } from '../../../ui/time/index.ts';
import { groupColours } from '../words.ts';
import styles from './estimate.module.css';

interface EstimateCardProps {
  query: Pick<ApiQuery<EstimateResponse>, 'data' | 'error' | 'refetch'>;
}

/** The expected cost of the running month, with its range and its parts. */
export const EstimateCard = ({ query: { data: response, error, refetch } }: EstimateCardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const estimate = response?.data.estimate;
  return (
    <Card
      extra={estimate ? <AsOf at={estimate.computed_at} /> : null}
      title={
        estimate
          ? t('finance.estimate.of', { month: calendar.longMonth(estimate.month) })
          : t('finance.estimate.title')
      }
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={3} />}
      {response && !estimate ? <p className={styles['note']}>{t('finance.estimate.pending')}</p> : null}
      {estimate?.currencies.length === 0 ? (
        <p className={styles['note']}>{t('finance.estimate.nothing')}</p>
      ) : null}
      {estimate?.currencies.map((one) => (
        <InCurrency key={one.currency} one={one} />
      ))}
      {estimate && estimate.unpriced_cycles > 0 ? (
        <p className={styles['note']}>
          {t('finance.estimate.unpriced', {
            count: estimate.unpriced_cycles,
            shown: format.count(estimate.unpriced_cycles),
          })}
        </p>
      ) : null}
    </Card>
  );
};

const InCurrency = ({ one }: { one: EstimateCurrency }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency } = one;
  const money = (minor: number) => format.money({ currency, amount_minor: minor });
  const range = (of: Range) => rangeOf(t, of, money);
  return (
    <section aria-label={`${t('finance.estimate.title')} ${currency}`} className={styles['estimate']}>
      <p className={styles['figure']}>
        {t('finance.estimate.about', { amount: money(one.expected_minor) })}
        <small>{range(one)}</small>
      </p>
      <Picture one={one} />
      <details>
        <summary>{t('finance.estimate.parts')}</summary>
        <SmallTable>
          <thead>
            <tr>
              <th scope="col">{t('finance.estimate.part')}</th>
              <th data-end scope="col">
                {t('finance.estimate.soFar')}
              </th>
              <th data-end scope="col">
                {t('finance.estimate.expected')}
              </th>
            </tr>
          </thead>
          <tbody>
            {one.parts.map((part) => (
              <tr key={`${part.group} ${part.kind} ${part.zone?.code}`}>
                <th className={styles['part']} scope="row">
                  {partName(t, part)}
                </th>
                <td data-end>{money(part.so_far_minor)}</td>
                <td data-end>
                  {money(part.expected_minor)}
                  {part.low_minor === part.high_minor ? null : <small>{range(part)}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
        <p className={styles['note']}>{t('finance.estimate.how')}</p>
      </details>
    </section>
  );
};

type Range = Pick<EstimatePart, 'low_minor' | 'high_minor'>;

const rangeOf = (
  t: TFunction,
  { low_minor: low, high_minor: high }: Range,
  money: (minor: number) => string,
) =>
  low === high
    ? t('finance.estimate.certain')
    : t('finance.estimate.range', { low: money(low), high: money(high) });

const partName = (t: TFunction, { group, kind, zone }: EstimatePart): string =>
  group === 'corrections'
    ? t('finance.groups.corrections')
    : t(`finance.estimate.kinds.${kind}`, { name: zone?.name });

/** The cost so far filled, the expected rest hatched, and the range below. The table contains the same as text. */
const Picture = ({ one }: { one: EstimateCurrency }) => {
  const { t } = useTranslation();
  const whole = Math.max(1, one.high_minor);
  const share = (minor: number) => `${(Math.max(0, minor) / whole) * 100}%`;
  const groups = billGroups.flatMap((group) => {
    const parts = one.parts.filter((part) => part.group === group);
    const sum = (of: 'so_far_minor' | 'expected_minor') => parts.reduce((all, part) => all + part[of], 0);
    const soFar = Math.max(0, sum('so_far_minor'));
    const expected = Math.max(0, sum('expected_minor'));
    return expected > 0 ? [{ group, soFar, toCome: Math.max(0, expected - soFar) }] : [];
  });
  return (
    <>
      <div aria-hidden="true" className={styles['bar']}>
        {groups.map(({ group, soFar }) => (
          <span
            key={group}
            style={{ background: `var(--${groupColours[group]})`, inlineSize: share(soFar) }}
          />
        ))}
        {groups.map(({ group, toCome }) => (
          <span
            className={styles['forecast']}
            key={group}
            style={{ color: `var(--${groupColours[group]})`, inlineSize: share(toCome) }}
          />
        ))}
      </div>
      <div aria-hidden="true" className={styles['scale']}>
        <span
          className={styles['range']}
          style={{
            insetInlineStart: share(one.low_minor),
            inlineSize: share(one.high_minor - one.low_minor),
          }}
        />
      </div>
      <div className={styles['legend']}>
        <ChartLegend
          entries={[
            ...groups.map(({ group }) => ({
              name: t(`finance.groups.${group}`),
              colour: groupColours[group],
            })),
            { name: t('finance.estimate.toCome'), colour: 'grey', style: 'hatched' },
          ]}
        />
      </div>
    </>
  );
};
