import { CloseOutlined, RightOutlined } from '@ant-design/icons';
import type { Bill, BillLine, BillSim } from '@simcube/contract/finance';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useLargestSims } from '../api.ts';
import { billSimsHref, lineName, microsOf, priceDigits, quantityText } from '../words.ts';
import { BilledCycle } from './billed-cycle.tsx';
import { PoolOfLine } from './pool-of-line.tsx';
import styles from './why.module.css';

interface LineExplanationProps {
  bill: Bill;
  line: BillLine | undefined;
  /** Shown instead while there is no line. */
  fallback: ReactNode;
  onClose: (() => void) | undefined;
}

/** Explains a line's amount: its arithmetic, its rule, and its SIMs and cycles. */
export const LineExplanation = ({ bill, line, fallback, onClose }: LineExplanationProps) => {
  const { t } = useTranslation();
  const { money } = useFormat();
  const amount = line && money({ currency: bill.currency, amount_minor: line.amount_minor });
  return (
    <div className={styles['why']}>
      <div className={styles['head']}>
        <h2>{amount === undefined ? t('finance.why.label') : t('finance.why.title', { amount })}</h2>
        {onClose ? (
          <Button
            aria-label={t('finance.why.close')}
            icon={<CloseOutlined aria-hidden="true" />}
            onClick={onClose}
            type="text"
          />
        ) : null}
      </div>
      {line ? <Reasons bill={bill} line={line} /> : fallback}
    </div>
  );
};

const Reasons = ({ bill, line }: { bill: Bill; line: BillLine }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { currency } = bill;
  const { quantity, price_micros: price, amount_minor, tariff, kind } = line;
  const amount = format.money({ currency, amount_minor });
  const exact = format.price(quantity * price, currency);
  const factors = {
    quantity: quantityText(t, line, { count: quantity, shown: format.count(quantity) }),
    price: format.price(price, currency),
  };
  return (
    <>
      <p className={styles['name']}>{lineName(t, line)}</p>
      <p className={styles['sum']}>
        <span>
          {exact === amount
            ? t('finance.offers.product', factors)
            : t('finance.why.product', { ...factors, exact })}
        </span>
        <span>
          {exact === amount ? '=' : t('finance.why.rounded')} <b>{amount}</b>
        </span>
      </p>
      <section>
        <h3>{t('finance.why.counts')}</h3>
        <p>{t(`finance.why.kinds.${kind}`)}</p>
        <p className={styles['note']}>
          {t('price.tariff', { name: tariff.name, date: calendar.day(tariff.starts_on) })}
        </p>
      </section>
      {line.pool ? <PoolOfLine billId={bill.id} line={line} /> : <LargestSims bill={bill} line={line} />}
    </>
  );
};

const LargestSims = ({ bill, line }: { bill: Bill; line: BillLine }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useLargestSims(bill.id, line.line);
  const total = data?.totalCount ?? 0;
  const digits = priceDigits(data?.data.map(microsOf) ?? [], bill.currency);
  return (
    <section>
      <h3>
        {data ? t('finance.why.sims', { count: total, shown: format.count(total) }) : t('finance.sims.title')}
      </h3>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {data || error ? null : <Loading rows={5} />}
      <ul className={styles['sims']}>
        {data?.data.map((sim) => (
          <SimOfLine bill={bill} digits={digits} key={sim.iccid} line={line} sim={sim} />
        ))}
      </ul>
      {data && total > 0 ? (
        <Link href={billSimsHref(format.language, { id: bill.id, line: line.line })}>
          {t('finance.why.allSims')}
        </Link>
      ) : null}
    </section>
  );
};

interface SimProps {
  bill: Bill;
  line: BillLine;
  sim: BillSim;
  /** Decimals of the amounts. */
  digits: number;
}

const SimOfLine = ({ bill, line, sim, digits }: SimProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const [open, setOpen] = useState(false);
  const quantityOf = (count: number): string => quantityText(t, line, { count, shown: format.count(count) });
  const started = (at: string): string => {
    const date = calendar.businessFullDate(at);
    // Messages are charged by day.
    return line.unit === 'part' ? date : t('finance.why.began', { date });
  };
  return (
    <li>
      <button aria-expanded={open} onClick={() => setOpen(!open)} type="button">
        <RightOutlined aria-hidden="true" />
        <span>
          {sim.device_name === null ? null : <b>{sim.device_name}</b>}
          <Identifier emphasis label={t('sim.columns.iccid')} value={sim.iccid} />
        </span>
        <span>{quantityOf(sim.charges.reduce((sum, one) => sum + one.quantity, 0))}</span>
        <span>{format.price(microsOf(sim), bill.currency, digits)}</span>
      </button>
      {open
        ? sim.charges.map((charge) =>
            line.bytes === null ? (
              <p className={styles['charge']} key={charge.cycle_started_at}>
                <span>{started(charge.cycle_started_at)}</span>
                <span>{quantityOf(charge.quantity)}</span>
                <span>{format.price(charge.amount_micros, bill.currency, digits)}</span>
              </p>
            ) : (
              <BilledCycle
                billId={bill.id}
                cycle={charge.cycle_started_at}
                iccid={sim.iccid}
                key={charge.cycle_started_at}
                line={line}
              />
            ),
          )
        : null}
    </li>
  );
};
