import type { BillLine, BillVersion } from '@simcube/contract/finance';
import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Beside } from '../../../ui/beside/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { elsewhere, useLinkedRow } from '../../../ui/list-screen/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { saveBill, useBill, useBillLine, useBillLines, useFormerLines, useVersions } from '../api.ts';
import { BillStanding } from '../list/bill-standing.tsx';
import { type BillSearch, billSearch } from '../search.ts';
import styles from './bill.module.css';
import { BillGate } from './bill-gate.tsx';
import { CheckCard } from './check-card.tsx';
import { LinesCard } from './lines-card.tsx';
import { ToBills } from './parents.tsx';
import { PaymentCard } from './payment-card.tsx';
import { PdfButtons } from './pdf-buttons.tsx';
import { Why } from './why.tsx';

type Address = SearchScreenProps<BillSearch>;

const keyOf = ({ line }: BillLine): string => String(line);

/** One bill: its lines with explanations, its payment, and whether recomputing it gives the same result. */
export const BillScreen = (address: Address) => (
  <BillGate id={address.search.id}>{(id) => <Shown {...address} billId={id} />}</BillGate>
);

const Shown = ({ billId, ...address }: Address & { billId: string }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const { search, onSearchChange } = address;
  const version = useBill(billId).data?.data;
  const lines = useBillLines(billId);
  const named = { rows: lines.rows, named: search.line?.toString(), keyOf };
  const further = useBillLine(billId, elsewhere(named) === undefined ? undefined : search.line);
  const { row: line, instead } = useLinkedRow(named, further);
  const bill = version?.bill;
  const former = useFormerLines(version?.replaces?.id);
  const showsChanges = version?.replaces !== null && search.changes !== 'hidden';
  const close = () => onSearchChange(billSearch.closed(search), 'replace');
  return (
    <Beside
      label={t('finance.why.label')}
      onClose={close}
      open={
        bill && (line || instead)
          ? (closable) => (
              <Why bill={bill} instead={instead} line={line} onClose={closable ? close : undefined} />
            )
          : undefined
      }
      width={440}
    >
      <Page
        actions={bill ? <Actions {...address} bill={bill} billId={billId} /> : null}
        facts={bill ? <Facts {...bill} /> : null}
        name={bill?.number ?? t('finance.one')}
        parent={<ToBills />}
        title={bill ? calendar.longMonth(bill.month) : t('finance.one')}
      >
        {version?.replaces ? (
          <Replaced
            onShow={(shown) =>
              onSearchChange({ ...search, changes: shown ? undefined : 'hidden' }, 'replace')
            }
            shown={showsChanges}
            version={version}
          />
        ) : null}
        {version ? (
          <>
            <LinesCard
              {...address}
              answer={lines}
              bill={version.bill}
              former={former}
              showsChanges={showsChanges}
            />
            <CheckCard version={version} />
            <PaymentCard version={version} />
          </>
        ) : (
          <Card>
            <Loading rows={10} />
          </Card>
        )}
      </Page>
    </Beside>
  );
};

const Facts = (bill: BillVersion['bill']) => {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles['mono']}>{bill.number}</span>
      <Pill>{t(`finance.types.${bill.type}`)}</Pill>
      <BillStanding bill={bill} />
    </>
  );
};

const Actions = ({
  bill,
  billId,
  search,
  onSearchChange,
}: Address & { bill: BillVersion['bill']; billId: string }) => {
  const { t } = useTranslation();
  const versions = useVersions(billId).data?.data ?? [];
  return (
    <>
      {versions.length > 1 ? (
        <Select
          aria-label={t('finance.versions')}
          onChange={(id: string) => onSearchChange({ ...billSearch.closed(search), id }, 'push')}
          options={versions.map(({ id, version }) => ({
            value: id,
            label: t('finance.version', { version }),
          }))}
          value={billId}
        />
      ) : null}
      <ExportMenu
        label={t('finance.exportLines')}
        onExport={saveBill(billId, 'lines')}
        what={t('finance.one')}
      />
      <ExportMenu
        label={t('finance.exportSims')}
        onExport={saveBill(billId, 'sims')}
        what={t('finance.one')}
      />
      <PdfButtons bill={bill} />
    </>
  );
};

interface ReplacedProps {
  version: BillVersion;
  shown: boolean;
  onShow: (shown: boolean) => void;
}

/** What this version replaced, and why. */
const Replaced = ({ version: { bill, replaces }, shown, onShow }: ReplacedProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  if (!replaces) return null;
  // A draft is not issued yet.
  const issued = bill.issued_at ?? bill.computed_at;
  const change = format.money({
    currency: bill.currency,
    amount_minor: bill.total_minor - replaces.total_minor,
  });
  return (
    <Card>
      <div className={styles['replaced']}>
        <p>
          <b>
            {t('finance.replaces', {
              version: bill.version,
              before: replaces.version,
              issued: calendar.businessDate(issued),
              former: calendar.businessDate(replaces.issued_at),
            })}
          </b>
          <span>{change}</span>
          <span>{replaces.reason}</span>
        </p>
        <span>
          {t('finance.showChanges')}{' '}
          <Switch aria-label={t('finance.showChanges')} checked={shown} onChange={onShow} size="small" />
        </span>
      </div>
    </Card>
  );
};
