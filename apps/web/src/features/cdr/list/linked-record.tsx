import type { Cdr } from '@simcube/contract/cdr';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { keyNotOnPage, useLinkedRow } from '../../../ui/list-screen/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { plmnOf, useCdrNames } from '../cdr-names.ts';
import { CdrDetailPanel } from './cdr-detail.tsx';
import styles from './cdr-list.module.css';
import { useLinkedCdr } from './use-cdrs.ts';

interface LinkedRecordProps {
  /** Records of the current page, which open in their row. */
  rows: readonly Cdr[] | undefined;
  record: string | undefined;
  onClose: () => void;
  sessionHref: (session: string) => string;
}

const keyOf = ({ id }: Cdr): string => id;

/** A linked record that is not on the current page: shown over the list, with the content of its row. */
export const LinkedRecord = ({ rows, record, onClose, sessionHref }: LinkedRecordProps) => {
  const { t } = useTranslation();
  const link = { rows, linkedKey: record, keyOf };
  const recordId = keyNotOnPage(link);
  const { row, fallback } = useLinkedRow(link, useLinkedCdr(recordId));
  return (
    <Drawer
      onClose={onClose}
      open={recordId !== undefined}
      title={row ? (row.device_name ?? row.iccid) : t('cdr.label')}
      width={600}
    >
      {row ? (
        <div className={styles['linked']}>
          <Facts record={row} />
          <CdrDetailPanel record={row} sessionHref={sessionHref} />
        </div>
      ) : (
        fallback
      )}
    </Drawer>
  );
};

const Facts = ({ record }: { record: Cdr }) => {
  const { t } = useTranslation();
  const { zone } = useFormat();
  const words = useCdrNames();
  const { iccid, network, up_bytes: up, down_bytes: down, total_bytes: total } = record;
  return (
    <DescriptionList
      items={[
        {
          term: t('cdr.fields.time', { zone: zone === 'UTC' ? 'UTC' : t('common.time.local') }),
          value: (
            <>
              <Time at={record.started_at} style="exact" /> – <Time at={record.ended_at} style="exact" />
            </>
          ),
        },
        {
          term: t('cdr.fields.iccid'),
          value: <Identifier copy emphasis label={t('cdr.fields.iccid')} value={iccid} />,
        },
        {
          term: t('cdr.fields.operator'),
          value: network
            ? words.operator(plmnOf(network), network.operator, network.country)
            : t('cdr.unknown'),
        },
        { term: t('cdr.fields.down'), value: <Bytes value={down} /> },
        { term: t('cdr.fields.up'), value: <Bytes value={up} /> },
        { term: t('cdr.fields.total'), value: <Bytes value={total} /> },
      ]}
    />
  );
};
