import {
  type Bill,
  type BillExtract,
  type BillGroup,
  type BillLine,
  billGroups,
} from '@simcube/contract/finance';
import { Button } from 'antd';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import type { LoadMoreQuery } from '../../../ui/query/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { useBillExtract } from '../api.ts';
import { type BillSearch, billSearch } from '../search.ts';
import styles from './bill.module.css';
import { differenceOf, droppedOf, formerOf } from './compared-lines.ts';
import { Difference } from './difference.tsx';
import { DroppedRow, GroupRow, LineRow } from './line-rows.tsx';

interface LinesProps extends SearchScreenProps<BillSearch> {
  bill: Bill;
  query: LoadMoreQuery<BillLine>;
  /** Lines of the previous version, if they are compared. */
  previousLines: readonly BillLine[] | undefined;
  /** The previous version's total. */
  previousTotal: number | undefined;
  showsChanges: boolean;
}

/** The lines of a bill, grouped by subject; each opens an explanation of its amount. */
export const LinesCard = ({
  bill,
  query: { rows, error, refetch, ...more },
  previousLines,
  previousTotal,
  showsChanges,
  ...address
}: LinesProps) => {
  const { t } = useTranslation();
  const { search, onSearchChange } = address;
  const format = useFormat();
  const hasMore = more.hasMore;
  const extract = useBillExtract(bill.id, hasMore).data?.data;
  const parts = hasMore && extract ? extract : rows;
  const sections = [...new Map(parts?.map(({ organisation: { code, name } }) => [code, name]))];
  const isShown = ({ organisation }: BillLine): boolean =>
    search.section === undefined || organisation.code === search.section;
  const lines = rows?.filter(isShown);
  const isCompared = showsChanges && rows !== undefined && !hasMore && previousLines !== undefined;
  const dropped = isCompared ? droppedOf(previousLines, rows).filter(isShown) : [];
  return (
    <Card
      extra={
        sections.length > 1 ? (
          <Select
            aria-label={t('finance.sections.label')}
            onChange={(section: string) =>
              onSearchChange(
                { ...billSearch.withoutOverlays(search), section: section === '' ? undefined : section },
                'push',
              )
            }
            options={[
              { value: '', label: t('finance.sections.all') },
              ...sections.map(([value, label]) => ({ value, label })),
            ]}
            value={search.section ?? ''}
          />
        ) : null
      }
      title={t('finance.linesTitle')}
    >
      {error && !rows ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {rows || error ? null : <Loading rows={10} />}
      {lines?.length === 0 && !hasMore ? <Empty small title={t('finance.noLines')} /> : null}
      {lines && (lines.length > 0 || hasMore) ? (
        <Lines
          {...address}
          bill={bill}
          sums={hasMore ? partialSums({ bill, extract, section: search.section }) : sumsOf(lines)}
          dropped={dropped}
          lines={lines}
          previousLines={isCompared ? previousLines : undefined}
          previousTotal={search.section === undefined ? previousTotal : undefined}
          showsChanges={showsChanges}
        />
      ) : null}
      {rows && hasMore ? (
        <>
          <p className={styles['note']}>{t('finance.linesCut', { shown: format.count(rows.length) })}</p>
          {error ? <Failure error={error} onRetry={more.loadMore} small /> : null}
          <Button block loading={more.isLoadingMore} onClick={more.loadMore}>
            {t('finance.moreLines')}
          </Button>
        </>
      ) : null}
    </Card>
  );
};

interface TableProps extends SearchScreenProps<BillSearch> {
  bill: Bill;
  lines: readonly BillLine[];
  sums: Sums;
  /** Lines that only the previous version has. */
  dropped: readonly BillLine[];
  /** All lines of the previous version, if all of both are compared. */
  previousLines: readonly BillLine[] | undefined;
  /** Undefined if the sum is not that of the whole bill. */
  previousTotal: number | undefined;
  showsChanges: boolean;
}

/** Amounts by group, and their total; undefined if there is none, or while it is unknown. */
interface Sums {
  groups: ReadonlyMap<BillGroup, number>;
  total: number | undefined;
}

const sumsOf = (parts: readonly Pick<BillLine, 'group' | 'amount_minor'>[]): Sums => {
  const groups = new Map<BillGroup, number>();
  for (const { group, amount_minor: amount } of parts) groups.set(group, (groups.get(group) ?? 0) + amount);
  return { groups, total: [...groups.values()].reduce((sum, amount) => sum + amount, 0) };
};

interface PartialLines {
  bill: Bill;
  extract: readonly BillExtract[] | undefined;
  section: string | undefined;
}

/** While not all lines are loaded: the bill's own sums, or those of the chosen section. */
const partialSums = ({ bill, extract, section }: PartialLines): Sums => {
  if (section === undefined) return { ...sumsOf(bill.groups), total: bill.total_minor };
  if (!extract) return { groups: new Map(), total: undefined };
  return sumsOf(extract.filter(({ organisation }) => organisation.code === section));
};

const isOf =
  (group: BillGroup) =>
  (line: BillLine): boolean =>
    line.group === group;

const Lines = ({
  bill,
  lines,
  sums,
  dropped,
  previousLines,
  previousTotal,
  showsChanges,
  ...address
}: TableProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const groups = billGroups.filter(
    (group) => sums.groups.has(group) || [...lines, ...dropped].some((line) => line.group === group),
  );
  const money = (amount: number) => format.money({ currency: bill.currency, amount_minor: amount });
  const shown = (amount: number | undefined) => (amount === undefined ? null : money(amount));
  const showsSection = new Set([...lines, ...dropped].map(({ organisation }) => organisation.code)).size > 1;
  return (
    <div className={styles['scroll']}>
      <table className={styles['lines']}>
        <thead>
          <tr>
            <th scope="col">{t('finance.fields.line')}</th>
            <th data-more scope="col">
              {t('finance.fields.tariff')}
            </th>
            <th data-end data-more scope="col">
              {t('finance.fields.quantity')}
            </th>
            <th data-end data-more scope="col">
              {t('finance.fields.price')}
            </th>
            <th data-end scope="col">
              {t('finance.fields.amount')}
            </th>
            {showsChanges ? (
              <th data-end scope="col">
                {t('finance.toVersion', { version: bill.version - 1 })}
              </th>
            ) : null}
            <td />
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group}>
              <GroupRow
                amount={shown(sums.groups.get(group) ?? (previousLines ? 0 : undefined))}
                change={
                  previousLines
                    ? differenceOf(lines.filter(isOf(group)), dropped.filter(isOf(group)))
                    : undefined
                }
                currency={bill.currency}
                group={group}
                showsChanges={showsChanges}
              />
              {lines.filter(isOf(group)).map((line) => (
                <LineRow
                  {...address}
                  currency={bill.currency}
                  key={line.line}
                  former={showsChanges ? formerOf(previousLines, line) : undefined}
                  line={line}
                  money={money}
                  showsChanges={showsChanges}
                  showsSection={showsSection}
                />
              ))}
              {dropped.filter(isOf(group)).map((line) => (
                <DroppedRow
                  currency={bill.currency}
                  key={line.line}
                  line={line}
                  money={money}
                  showsSection={showsSection}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('finance.total')}</th>
            <td colSpan={3} data-more />
            <td data-end>
              <b>{shown(sums.total)}</b>
            </td>
            {showsChanges ? (
              <td data-end>
                {previousTotal === undefined ? null : (
                  <Difference currency={bill.currency} minor={bill.total_minor - previousTotal} />
                )}
              </td>
            ) : null}
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
};
