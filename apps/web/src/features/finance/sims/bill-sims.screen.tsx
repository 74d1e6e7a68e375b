import { limits } from '@simcube/contract';
import type { BillSim } from '@simcube/contract/finance';
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
import { lineName, microsOf, priceDigits } from '../words.ts';

/** Each SIM's part of a bill, or of one of its lines. */
export const BillSimsScreen = (address: SearchScreenProps<BillSimsSearch>) => (
  <BillGate id={address.search.id}>{(id) => <Sims {...address} billId={id} />}</BillGate>
);

const Sims = ({ billId, ...address }: SearchScreenProps<BillSimsSearch> & { billId: string }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const bill = useBill(billId).data?.data.bill;
  const line = useBillLine(billId, address.search.line).data?.data[0];
  const sims = useBillSims(billId, address.search);
  const list = useList({
    name: 'bill-sims',
    of: billSimsSearch,
    address,
    query: sims,
    columns: useSimColumns(bill?.currency, sims.data?.data),
  });
  return (
    <Page
      actions={<ExportMenu onExport={downloadBill(billId, 'sims')} subject={t('finance.sims.file')} />}
      facts={line ? lineName(t, line) : null}
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

/** @param sims those of the page: their amounts have equally many decimals */
const useSimColumns = (
  currency: string | undefined,
  sims: readonly BillSim[] | undefined,
): Column<BillSim>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const cycle = useCycleText();
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
        title: t('finance.sims.charges'),
        width: 110,
        align: 'end',
        phone: 'line',
        render: ({ charges }) => format.count(charges.length),
      },
      {
        id: 'cycles',
        title: t('finance.sims.cycles'),
        width: 260,
        render: ({ charges }) =>
          [
            ...new Set(
              // A server of the version before sends no end.
              charges.map(({ cycle_started_at: from, cycle_ends_at: to }) =>
                to == null ? calendar.businessFullDate(from) : cycle(from, to),
              ),
            ),
          ].join(' · '),
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
    [t, format, calendar, cycle, currency, digits],
  );
};
