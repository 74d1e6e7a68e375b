import { RightOutlined } from '@ant-design/icons';
import type { BillGroup, BillLine } from '@simcube/contract/finance';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import type { BillSearch } from '../search.ts';
import { groupColours, lineName, quantityText } from '../words.ts';
import styles from './bill.module.css';
import { Difference } from './difference.tsx';

/** A line of the previous version that this one no longer has. */
export const DroppedRow = ({
  line,
  currency,
  money,
  showsSection,
}: Omit<RowProps, 'showsChanges' | 'former' | keyof SearchScreenProps<BillSearch>>) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <tr>
      <th scope="row">
        <s>{lineName(t, line)}</s>
        {showsSection ? <small>{line.organisation.name}</small> : null}
      </th>
      <td data-more>{line.tariff.name}</td>
      <td data-end data-more>
        <s>{quantityText(t, line, { count: line.quantity, shown: format.count(line.quantity) })}</s>
      </td>
      <td data-end data-more>
        <s>{format.price(line.price_micros, currency)}</s>
      </td>
      <td data-end>
        <s>{money(line.amount_minor)}</s>
      </td>
      <td data-end>
        <Difference currency={currency} minor={-line.amount_minor} />
      </td>
      <td />
    </tr>
  );
};

interface GroupProps {
  group: BillGroup;
  currency: string;
  amount: string | null;
  /** To the previous version; undefined if that isn't compared. */
  change: number | undefined;
  showsChanges: boolean;
}

export const GroupRow = ({ group, currency, amount, change, showsChanges }: GroupProps) => {
  const { t } = useTranslation();
  return (
    <tr className={styles['group']}>
      <th scope="rowgroup">
        <span aria-hidden="true" style={{ background: `var(--${groupColours[group]})` }} />
        {t(`finance.groups.${group}`)}
      </th>
      <td colSpan={3} data-more />
      <td data-end>
        <b>{amount}</b>
      </td>
      {showsChanges ? (
        <td data-end>{change ? <Difference currency={currency} minor={change} /> : null}</td>
      ) : null}
      <td />
    </tr>
  );
};

interface RowProps extends SearchScreenProps<BillSearch> {
  line: BillLine;
  /** The line in the previous version, if it is shown what changed. */
  former: BillLine | undefined;
  currency: string;
  money: (amount: number) => string;
  showsChanges: boolean;
  /** Whether to show the section of each line: if there are several. */
  showsSection: boolean;
}

/** The whole row acts as its button; selecting text in it does not. */
const clickRow = (event: MouseEvent, toggle: () => void): void => {
  const isOnButton = (event.target as Element).closest('button') !== null;
  if (!isOnButton && window.getSelection()?.isCollapsed !== false) toggle();
};

/** A value, after the struck-through one that it replaced. */
const Changed = ({ before, now }: { before: string | undefined; now: string }) =>
  before === undefined || before === now ? (
    now
  ) : (
    <>
      <s>{before}</s> <span>{now}</span>
    </>
  );

export const LineRow = ({
  line,
  former,
  currency,
  money,
  showsChanges,
  showsSection,
  search,
  onSearchChange,
}: RowProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const isOpen = search.line === line.line;
  const { before_minor: previous, amount_minor: amount } = line;
  const name = lineName(t, line);
  const quantityOf = (one: BillLine): string =>
    quantityText(t, one, { count: one.quantity, shown: format.count(one.quantity) });
  const toggle = () => onSearchChange({ ...search, line: isOpen ? undefined : line.line }, 'push');
  return (
    <tr
      data-open={isOpen ? 'true' : undefined}
      data-openable="true"
      onClick={(event) => clickRow(event, toggle)}
    >
      <th scope="row">
        <button aria-expanded={isOpen} onClick={toggle} type="button">
          {line.corrects === null
            ? name
            : t('finance.corrects', { name, month: calendar.longMonth(line.corrects) })}
        </button>
        {showsSection ? <small>{line.organisation.name}</small> : null}
      </th>
      <td data-more>
        <Changed before={former?.tariff.name} now={line.tariff.name} />
      </td>
      <td data-end data-more>
        <Changed before={former && quantityOf(former)} now={quantityOf(line)} />
      </td>
      <td data-end data-more>
        <Changed
          before={former && format.price(former.price_micros, currency)}
          now={format.price(line.price_micros, currency)}
        />
      </td>
      <td data-end>
        {showsChanges && previous !== null && previous !== amount ? <s>{money(previous)}</s> : null}{' '}
        <b>{money(amount)}</b>
      </td>
      {showsChanges ? (
        <td data-end>
          {previous === amount ? null : previous === null ? (
            t('finance.newLine')
          ) : (
            <Difference currency={currency} minor={amount - previous} />
          )}
        </td>
      ) : null}
      <td className={styles['chevron']}>
        <RightOutlined aria-hidden="true" />
      </td>
    </tr>
  );
};
