import { limits } from '@simcube/contract';
import type { BillLine, BillSim } from '@simcube/contract/finance';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useCycleText } from '../../../ui/cycle/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { FoundIdentifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { downloadBill, useBill, useBillLine, useBillSims } from '../api.ts';
import { BillGate } from '../bill/bill-gate.tsx';
import { ToBill } from '../bill/parents.tsx';
import { type BillSimsSearch, billSimsSearch } from '../search.ts';
import { lineName, microsOf, priceDigits, quantityText } from '../words.ts';

/** Each SIM's part of a bill, or of one of its lines. */
export const BillSimsScreen = (address: SearchScreenProps<BillSimsSearch>) => (
  <BillGate id={address.search.id}>{(id) => <Sims {...address} billId={id} />}</BillGate>
);

const Sims = ({ billId, ...address }: SearchScreenProps<BillSimsSearch> & { billId: string }) => {
  const { t } = useTranslation();
  const { language, count, money } = useFormat();
  const bill = useBill(billId).data?.data.bill;
  const line = useBillLine(billId, address.search.line).data?.data[0];
  const sims = useBillSims(billId, address.search);
  const total = sims.data?.totalCount;
  const list = useList({
    name: 'bill-sims',
    of: billSimsSearch,
    address,
    query: sims,
    columns: useSimColumns(bill?.currency, line, sims.data?.data),
  });
  return (
    <Page
      actions={<ExportMenu onExport={downloadBill(billId, 'sims')} subject={t('finance.sims.file')} />}
      facts={
        <>
          {line ? <span>{lineName(t, line)}</span> : null}
          {total == null ? null : <span>{t('finance.why.sims', { count: total, shown: count(total) })}</span>}
          {bill && line ? <b>{money({ currency: bill.currency, amount_minor: line.amount_minor })}</b> : null}
        </>
      }
      fill
      parent={<ToBill bill={bill} id={billId} />}
      title={t('finance.sims.title')}
    >
      <ListPanel
        empty={{ title: t('finance.sims.empty'), hint: t('finance.sims.emptyHint') }}
        label={t('finance.sims.label')}
        list={list}
        noMatch={{ title: t('finance.sims.noMatch'), hint: t('finance.sims.noMatchHint') }}
        quickSearch={{ placeholder: t('finance.sims.search'), maxLength: limits.bills.search }}
        rowHref={({ iccid }) => `/${language}/simCard/${encodeURIComponent(iccid)}`}
        rowKey={({ iccid }) => iccid}
      />
    </Page>
  );
};

const cyclesInFull = 2;

/**
 * @param line the one whose parts are shown; those of the whole bill without
 * @param sims those of the page: their amounts have equally many decimals
 */
const useSimColumns = (
  currency: string | undefined,
  line: BillLine | undefined,
  sims: readonly BillSim[] | undefined,
): Column<BillSim>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const spans = useSpans(line?.unit === 'part');
  const digits = currency === undefined ? 0 : priceDigits(sims?.map(microsOf) ?? [], currency);
  return useMemo(
    () => [
      {
        id: 'iccid',
        title: t('sim.columns.iccid'),
        width: 190,
        fixed: true,
        phone: 'heading',
        render: ({ iccid }, href) => (
          <Link href={href}>
            <FoundIdentifier emphasis label={t('sim.columns.iccid')} value={iccid} />
          </Link>
        ),
      },
      {
        id: 'device',
        title: t('finance.sims.device'),
        width: 180,
        phone: 'line',
        phoneWhen: ({ device_name: name }) => name !== null,
        render: ({ device_name: name }) => name ?? '—',
      },
      {
        id: 'charges',
        title: line ? t('finance.fields.quantity') : t('finance.sims.charges'),
        width: 120,
        align: 'end',
        phone: 'line',
        render: ({ charges }) => {
          if (!line) return format.count(charges.length);
          const count = charges.reduce((sum, { quantity }) => sum + quantity, 0);
          return quantityText(t, line, { count, shown: format.count(count) });
        },
      },
      {
        id: 'cycles',
        title: line?.unit === 'part' ? t('finance.sims.days') : t('finance.sims.cycles'),
        width: 260,
        render: ({ charges }) => spans(charges),
      },
      {
        id: 'amount',
        title: t('finance.fields.amount'),
        width: 150,
        align: 'end',
        sort: 'amount',
        phone: 'aside',
        render: (sim) => {
          return currency === undefined ? '—' : format.price(microsOf(sim), currency, digits);
        },
      },
    ],
    [t, format, spans, line, currency, digits],
  );
};

/** The cycles of a SIM's charges, or the days of its messages: each once, and of many only their number and extent. */
const useSpans = (areDays: boolean): ((charges: BillSim['charges']) => string) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const calendar = useCalendar();
  const cycle = useCycleText();
  return useMemo(
    () => (charges) => {
      // A server of the version before sends no end.
      const spanOf = (from: string, to: string | null | undefined): string =>
        to == null ? calendar.businessFullDate(from) : cycle(from, to);
      const spans = [...new Set(charges.map((one) => spanOf(one.cycle_started_at, one.cycle_ends_at)))];
      const starts = charges.map(({ cycle_started_at: at }) => at).toSorted();
      const ends = charges.flatMap(({ cycle_ends_at: at }) => at ?? []).toSorted();
      const [first, last] = [starts[0], ends.at(-1)];
      if (spans.length <= cyclesInFull || first === undefined || last === undefined) return spans.join(' · ');
      const counted = { shown: count(spans.length), span: cycle(first, last) };
      return areDays ? t('finance.sims.daysOf', counted) : t('finance.sims.cyclesOf', counted);
    },
    [t, count, calendar, cycle, areDays],
  );
};
