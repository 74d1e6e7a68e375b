import { limits } from '@simcube/contract';
import { type Bill, billStates, billTypes, type Settlement } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { businessDays, now } from '../../../lib/time/index.ts';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import {
  type List,
  ListPanel,
  QuickCounts,
  useFilterBuilder,
  useList,
} from '../../../ui/list-screen/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { AsOf, useCalendar } from '../../../ui/time/index.ts';
import { useBills, useEstimate, useOffers, useSettlement } from '../api.ts';
import { monthsBetween } from '../months.ts';
import { type BillsSearch, billsSearch } from '../search.ts';
import { billHref, stateTones } from '../words.ts';
import { useBillColumns } from './bill-columns.tsx';
import { BillFiles } from './bill-files.tsx';
import { EstimateCard } from './estimate-card.tsx';
import styles from './finance.module.css';
import { MonthsCard } from './months-card.tsx';
import { OffersCard } from './offers-card.tsx';
import { OpenCard } from './open-card.tsx';

/** The bills of the organisation: monthly totals, open amounts, the expected cost of the running month, and each bill. */
export const FinanceScreen = (address: SearchScreenProps<BillsSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const year = address.search.year ?? thisYear();
  const settlement = useSettlement(year);
  const currencies = settlement.data?.data.currencies.map(({ currency }) => currency) ?? [];
  const estimate = useEstimate().data?.data.estimate;
  const bills = useBills(address.search);
  const list = useList({
    name: 'bills',
    of: billsSearch,
    address,
    query: bills,
    columns: useBillColumns(bills.data?.data),
  });
  return (
    <Page
      facts={
        <>
          <span>{joinList([...currencies, t('finance.beforeTax')])}</span>
          <AsOf at={list.asOf} />
        </>
      }
      title={t('shell.menu.finance')}
    >
      <div className={styles['cards']}>
        <MonthsCard
          estimate={estimate}
          onYear={(shown) =>
            address.onSearchChange(
              { ...address.search, year: shown === thisYear() ? undefined : shown },
              'replace',
            )
          }
          query={settlement}
          year={year}
        />
        <OpenCard query={settlement} />
      </div>
      <Outlook />
      <ListPanel
        counts={<States list={list} states={settlement.data?.data.states} />}
        empty={{ title: t('finance.empty'), hint: t('finance.emptyHint', { zone: businessDays.zone() }) }}
        filters={useBillFilters(list, settlement.data?.data)}
        label={t('finance.label')}
        list={list}
        noMatch={{ title: t('finance.noMatch'), hint: t('finance.noMatchHint') }}
        quickSearch={{ placeholder: t('finance.search'), maxLength: limits.bills.search }}
        rowActions={filesOf}
        rowHref={({ id }) => billHref(language, { id })}
        rowKey={({ id }) => id}
      />
    </Page>
  );
};

/**
 * The expected cost of the running month, and where it could be less. Organisations billed together with another one have
 * neither.
 */
const Outlook = () => {
  const [estimate, offers] = [useEstimate(), useOffers()];
  if (estimate.data?.data.billed === false) return null;
  return (
    <div className={styles['outlook']}>
      <EstimateCard query={estimate} />
      <OffersCard query={offers} />
    </div>
  );
};

const filesOf = (bill: Bill) => <BillFiles bill={bill} />;

interface StatesProps {
  list: List<Bill, BillsSearch>;
  states: readonly { state: (typeof billStates)[number]; bills: number }[] | undefined;
}

/** The numbers are of all current bills: no other filter may be set next to them. */
const States = ({ list, states }: StatesProps) => {
  const { t } = useTranslation();
  const counts = billsSearch.isFiltered({ ...list.search, state: undefined }) ? undefined : states;
  const countOf = (state: string) => counts && (counts.find((one) => one.state === state)?.bills ?? 0);
  return (
    <QuickCounts
      all={{ label: t('finance.all'), count: counts?.reduce((sum, { bills }) => sum + bills, 0) }}
      counts={billStates.map((value) => ({
        value,
        label: t(`finance.states.${value}`),
        tone: stateTones[value],
        count: countOf(value),
      }))}
      label={t('finance.fields.state')}
      onChange={(state) => list.onFilter({ state })}
      value={list.search.state}
    />
  );
};

const thisYear = (): number => Number(businessDays.dayOf(now()).slice(0, 4));

const useBillFilters = (
  list: List<Bill, BillsSearch>,
  settlement: Pick<Settlement, 'first_month' | 'last_month'> | undefined,
): Filter[] => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const by = useFilterBuilder(list);
  const { first_month: first, last_month: last } = settlement ?? {};
  const months = first && last ? monthsBetween(first, last).toReversed() : [];
  return [
    by.some('state', {
      label: t('finance.fields.state'),
      options: billStates.map((value) => ({
        value,
        label: t(`finance.states.${value}`),
        tone: stateTones[value],
      })),
    }),
    by.some('type', {
      label: t('finance.fields.type'),
      options: billTypes.map((value) => ({ value, label: t(`finance.types.${value}`) })),
    }),
    by.one('month', {
      label: t('finance.fields.month'),
      options: months.map((value) => ({ value, label: calendar.longMonth(value) })),
    }),
    by.one('versions', {
      label: t('finance.fields.versions'),
      options: [{ value: 'all', label: t('finance.replaced') }],
    }),
  ];
};
