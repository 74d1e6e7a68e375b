import { type BillVersion, formatIban } from '@simcube/contract/finance';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import styles from './bill.module.css';
import { BillHistory } from './bill-history.tsx';

/** Payee, amount and due date, and the bill's history. */
export const PaymentCard = ({ version }: { version: BillVersion }) => {
  const { t } = useTranslation();
  const rows = usePaymentRows(version);
  const copy = useCopy();
  const text = () =>
    rows.map(({ term, value }) => t('finance.part', { name: term, amount: value })).join('\n');
  return (
    <Card
      extra={
        <Button onClick={() => copy(text())} size="small" type="link">
          {t('finance.payment.copy')}
        </Button>
      }
      title={t('finance.payment.title')}
    >
      <dl className={styles['payment']}>
        {rows.map(({ term, value }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <BillHistory version={version} />
    </Card>
  );
};

const usePaymentRows = ({ bill, payee }: BillVersion): { term: string; value: string }[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { currency } = bill;
  const money = (amount: number) => format.money({ currency, amount_minor: amount });
  const figures = [
    ['creditLimit', bill.credit_limit_minor],
    ['creditLeft', bill.credit_left_minor],
    ['opening', bill.opening_minor],
    ['topUp', bill.top_up_minor],
    ['closing', bill.closing_minor],
  ] as const;
  // Amounts covered by a deposit, and replaced versions, are not to be paid.
  const isToPay = bill.to_pay_minor > 0;
  return [
    ...(payee && isToPay
      ? [
          { term: t('finance.payment.to'), value: payee.name },
          { term: t('finance.payment.iban'), value: formatIban(payee.iban) },
          { term: t('finance.payment.bank'), value: `${payee.bank}, ${payee.bic}` },
        ]
      : []),
    { term: t('finance.payment.reference'), value: bill.number },
    { term: t('finance.payment.billedTo'), value: bill.settlement_customer.name },
    ...(bill.due_on === null || !isToPay
      ? []
      : [{ term: t('finance.fields.due'), value: calendar.day(bill.due_on) }]),
    { term: t('finance.payment.toPay'), value: money(bill.to_pay_minor) },
    ...figures.flatMap(([name, amount]) =>
      amount === null ? [] : [{ term: t(`finance.payment.${name}`), value: money(amount) }],
    ),
  ];
};
