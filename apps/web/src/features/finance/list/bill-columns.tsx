import { type Bill, dueDay, issueDay } from '@simcube/contract/finance';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { SearchHighlight } from '../../../ui/highlight/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { dateWidth, useCalendar, useNow } from '../../../ui/time/index.ts';
import { BillComposition, maxTotals } from './bill-composition.tsx';
import styles from './finance.module.css';
import { PaymentStatus } from './payment-status.tsx';

/** @param bills those of the page: the longest bar is the largest of them */
export const useBillColumns = (bills: readonly Bill[] | undefined): Column<Bill>[] => {
  const { t } = useTranslation();
  const { language, exact } = useFormat();
  const width = language.startsWith('zh') ? widths.chinese : widths.latin;
  const calendar = useCalendar();
  const maxTotal = useMemo(() => maxTotals(bills), [bills]);
  return useMemo(
    () => [
      {
        id: 'number',
        title: t('finance.fields.number'),
        width: width.number,
        fixed: true,
        phone: 'heading',
        render: ({ number, version }, href) => (
          <span className={styles['number']}>
            <Link className={styles['mono']} href={href}>
              <SearchHighlight text={number} />
            </Link>
            {version > 1 ? <Pill>{t('finance.versionShort', { version })}</Pill> : null}
          </span>
        ),
      },
      {
        id: 'type',
        title: t('finance.fields.type'),
        width: 104,
        phone: 'line',
        render: ({ type }) => t(`finance.types.${type}`),
      },
      {
        id: 'month',
        title: t('finance.fields.month'),
        width: width.month,
        sort: 'month',
        phone: 'line',
        render: ({ month }) => calendar.longMonth(month),
      },
      {
        id: 'issued',
        title: t('finance.fields.issued'),
        width: width.date,
        render: (bill) =>
          bill.issued_at === null ? (
            <ExpectedDay bill={bill} of="issued" />
          ) : (
            <time dateTime={bill.issued_at} title={exact(bill.issued_at)}>
              {calendar.businessFullDate(bill.issued_at)}
            </time>
          ),
      },
      {
        id: 'due',
        title: t('finance.fields.due'),
        width: width.date,
        phone: 'line',
        phoneWhen: ({ due_on: due }) => due !== null,
        render: (bill) =>
          bill.due_on === null ? <ExpectedDay bill={bill} of="due" /> : calendar.day(bill.due_on),
      },
      {
        id: 'made',
        title: t('finance.fields.madeOf'),
        width: 84,
        render: (bill) => <BillComposition bill={bill} maxTotal={maxTotal.get(bill.currency)} />,
      },
      {
        id: 'amount',
        title: t('finance.fields.amount'),
        width: width.amount,
        align: 'end',
        sort: 'amount',
        phone: 'line',
        render: ({ currency, total_minor, state }) => (
          <span>
            <b>
              <Money amount={{ currency, amount_minor: total_minor }} />
            </b>
            {state === 'draft' ? <small> {t('finance.soFar')}</small> : null}
          </span>
        ),
      },
      {
        id: 'state',
        title: t('finance.fields.state'),
        width: 189,
        phone: 'aside',
        render: (bill) => <PaymentStatus bill={bill} />,
      },
    ],
    [t, exact, calendar, maxTotal, width],
  );
};

/** When a draft is to be issued or due; one that was not issued in time is held back for an unknown time. */
const ExpectedDay = ({ bill: { state, month }, of }: { bill: Bill; of: 'issued' | 'due' }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const today = businessDays.dayOf(useNow(60_000));
  const issued = issueDay(month);
  if (state !== 'draft' || issued < today) return '—';
  const day = of === 'issued' ? issued : dueDay(issued);
  return (
    <time className={styles['expected']} dateTime={day} title={t('finance.expected')}>
      {`≈ ${calendar.shortDay(day)}`}
    </time>
  );
};

/** All columns fit next to the page's scroll bar in a wide window: months are long in Spanish, dates and versions in Chinese. */
const widths = {
  latin: { number: 212, month: 152, date: 118, amount: 156 },
  chinese: { number: 228, month: 108, date: dateWidth, amount: 140 },
} as const;
