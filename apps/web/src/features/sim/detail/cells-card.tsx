import { limits } from '@simcube/contract';
import type { CdrCell } from '@simcube/contract/cdr';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useFocusHandover } from '../../../ui/focus/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { PlaceName } from '../../../ui/place/index.ts';
import { Scrollable } from '../../../ui/scrollable/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { useSimCells } from '../api/use-sim-cells.ts';
import styles from './location-tab.module.css';

/** Each row requests the name of its place. */
const rowsAtOnce = 20;

/** The cells in which a SIM used data, most usage first. */
export const CellsCard = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimCells(iccid);
  const cells = response?.data;
  return (
    <Card title={t('simTabs.location.cells.title', { days: limits.cdrs.days })}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={5} />}
      {cells?.length === 0 ? (
        <Empty
          hint={t('simTabs.location.cells.noneHint')}
          small
          title={t('simTabs.location.cells.none', { days: limits.cdrs.days })}
        />
      ) : null}
      {cells && cells.length > 0 ? <Cells cells={cells} /> : null}
    </Card>
  );
};

const Cells = ({ cells }: { cells: readonly CdrCell[] }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [shown, setShown] = useState(rowsAtOnce);
  const list = useRef<HTMLElement>(null);
  // The button disappears with the last rows.
  const handover = useFocusHandover(() => list.current ?? undefined);
  return (
    <>
      <Scrollable className={styles['cells']} label={t('simTabs.location.cells.list')} ref={list}>
        <SmallTable>
          <thead>
            <tr>
              <th scope="col">{t('simTabs.location.cell')}</th>
              <th scope="col">{t('simTabs.location.place')}</th>
              <th data-end scope="col">
                {t('simTabs.location.cells.used')}
              </th>
              <th data-end scope="col">
                {t('simTabs.location.cells.records')}
              </th>
              <th data-end scope="col">
                {t('simTabs.location.cells.lastSeen')}
              </th>
            </tr>
          </thead>
          <tbody>
            {cells.slice(0, shown).map((one) => (
              <tr key={one.cell}>
                <th scope="row">
                  <Identifier copy label={t('simTabs.location.cell')} value={one.cell} />
                </th>
                <td>
                  <CellPlace cell={one} />
                </td>
                <td data-end data-label={t('simTabs.location.cells.used')}>
                  <Bytes value={one.up_bytes + one.down_bytes} />
                </td>
                <td data-end data-label={t('simTabs.location.cells.records')}>
                  {count(one.records)}
                </td>
                <td data-end data-label={t('simTabs.location.cells.lastSeen')}>
                  <Time at={one.last_seen_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
      </Scrollable>
      {shown < cells.length ? (
        <Button
          block
          className={styles['more'] ?? ''}
          onClick={() => setShown(shown + rowsAtOnce)}
          {...handover}
        >
          {t('simTabs.location.cells.more', { shown: count(shown), total: count(cells.length) })}
        </Button>
      ) : null}
    </>
  );
};

const CellPlace = ({ cell: { latitude, longitude } }: { cell: CdrCell }) => {
  const { t } = useTranslation();
  if (latitude === null || longitude === null)
    return <span className={styles['unknown']}>{t('simTabs.location.cells.unplaced')}</span>;
  return <PlaceName at={{ latitude, longitude }} />;
};
