import type { BillLine, BillVersion } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { keyNotOnPage, useLinkedRow } from '../../../ui/list-screen/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { SidePanelLayout } from '../../../ui/side-panel/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { downloadBill, useBill, useBillLine, useBillLines, usePreviousLines, useVersions } from '../api.ts';
import { PaymentStatus } from '../list/payment-status.tsx';
import { type BillSearch, billSearch } from '../search.ts';
import styles from './bill.module.css';
import { BillGate } from './bill-gate.tsx';
import { CheckCard } from './check-card.tsx';
import { LineExplanation } from './line-explanation.tsx';
import { LinesCard } from './lines-card.tsx';
import { ToBills } from './parents.tsx';
import { PaymentCard } from './payment-card.tsx';
import { PdfButtons } from './pdf-buttons.tsx';
import { ReplacedCard } from './replaced-card.tsx';

type Address = SearchScreenProps<BillSearch>;

const keyOf = ({ line }: BillLine): string => String(line);

/** One bill: its lines with explanations, its payment, and whether recomputing it gives the same result. */
export const BillScreen = (address: Address) => (
  <BillGate id={address.search.id}>{(id) => <BillPage {...address} billId={id} />}</BillGate>
);

const BillPage = ({ billId, ...address }: Address & { billId: string }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const { search, onSearchChange } = address;
  const version = useBill(billId).data?.data;
  const lines = useBillLines(billId);
  const link = { rows: lines.rows, linkedKey: search.line?.toString(), keyOf };
  const lineQuery = useBillLine(billId, keyNotOnPage(link) === undefined ? undefined : search.line);
  const { row: line, fallback } = useLinkedRow(link, lineQuery);
  const bill = version?.bill;
  const previousLines = usePreviousLines(version?.replaces?.id);
  const showsChanges = version?.replaces !== null && search.changes !== 'hidden';
  const close = () => onSearchChange(billSearch.withoutOverlays(search), 'replace');
  return (
    <SidePanelLayout
      label={t('finance.why.label')}
      onClose={close}
      panel={
        bill && (line || fallback)
          ? (closable) => (
              <LineExplanation
                bill={bill}
                fallback={fallback}
                line={line}
                onClose={closable ? close : undefined}
              />
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
        title={
          bill ? <span className={styles['month']}>{calendar.longMonth(bill.month)}</span> : t('finance.one')
        }
      >
        {version?.replaces ? (
          <ReplacedCard
            lines={lines.hasMore ? undefined : lines.rows}
            onShow={(shown) =>
              onSearchChange({ ...search, changes: shown ? undefined : 'hidden' }, 'replace')
            }
            previousLines={previousLines}
            shown={showsChanges}
            version={version}
          />
        ) : null}
        {version ? (
          <>
            <LinesCard
              {...address}
              query={lines}
              bill={version.bill}
              previousLines={previousLines}
              previousTotal={version.replaces?.total_minor}
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
    </SidePanelLayout>
  );
};

const Facts = (bill: BillVersion['bill']) => {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles['mono']}>{bill.number}</span>
      <Pill>{t(`finance.types.${bill.type}`)}</Pill>
      <PaymentStatus bill={bill} />
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
          onChange={(id: string) => onSearchChange({ ...billSearch.withoutOverlays(search), id }, 'push')}
          options={versions.map(({ id, version }) => ({
            value: id,
            label: t('finance.version', { version }),
          }))}
          value={billId}
        />
      ) : null}
      <ExportMenu
        label={t('finance.exportLines')}
        onExport={downloadBill(billId, 'lines')}
        subject={t('finance.one')}
      />
      <ExportMenu
        label={t('finance.exportSims')}
        onExport={downloadBill(billId, 'sims')}
        subject={t('finance.one')}
      />
      <PdfButtons bill={bill} />
    </>
  );
};
