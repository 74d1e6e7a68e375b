import { endpoints, limits } from '@simcube/contract';
import type { HeatmapCell } from '@simcube/contract/heatmap';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Pager } from '../../../ui/data-table/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { degreesText } from '../../../ui/place/index.ts';
import { Scrollable } from '../../../ui/scrollable/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { type CellsRequest, useCells } from '../api/use-heatmap.ts';
import type { HeatmapSearch } from '../search.ts';
import styles from './cells-card.module.css';
import { useCountryName } from './use-heatmap-filters.ts';

interface CellsCardProps {
  request: CellsRequest;
  address: SearchScreenProps<HeatmapSearch>;
  /** The place that the map already has is chosen again. */
  onPlace: () => void;
}

/** The cells of a country with the most usage first: the data behind its hexagons. */
export const CellsCard = ({ request, address, onPlace }: CellsCardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useCountryName();
  const of = JSON.stringify(request);
  const [chosen, setChosen] = useState<{ of: string; number: number; size: number }>({
    of,
    number: 1,
    size: limits.page.sizes[0],
  });
  const page = { number: chosen.of === of ? chosen.number : 1, size: chosen.size };
  const { data, error, refetch } = useCells(request);
  const title = t('heatmap.cells.title', { country: nameOf(request.country) });
  const cells = data?.data.cells;
  const total = data?.data.total ?? 0;
  const shown = cells?.slice((page.number - 1) * page.size, page.number * page.size) ?? [];
  return (
    <Card
      extra={
        <ExportMenu
          disabled={total === 0}
          onExport={async (format) =>
            saveFile(await download(endpoints.heatmap.cellsFile, { query: { ...request, format } }))
          }
          small
          subject={title}
        />
      }
      title={title}
    >
      {error && !cells ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {cells || error ? null : <Loading rows={5} />}
      {cells && total === 0 ? (
        <Empty hint={t('heatmap.cells.noneHint')} small title={t('heatmap.cells.none')} />
      ) : null}
      {cells && total > 0 ? (
        <>
          <Cells address={address} cells={shown} onPlace={onPlace} />
          {total > cells.length ? (
            <p className={styles['quiet']}>
              {t('heatmap.cells.most', { shown: format.count(cells.length), total: format.count(total) })}
            </p>
          ) : null}
          <Pager
            tableLabel={title}
            onChange={(next) => setChosen({ of, ...next })}
            page={{ ...page, total: cells.length, relation: 'eq' }}
            rows={shown.length}
          />
        </>
      ) : null}
    </Card>
  );
};

interface CellsProps extends Pick<CellsCardProps, 'address' | 'onPlace'> {
  cells: readonly HeatmapCell[];
}

const Cells = ({ cells, address, onPlace }: CellsProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const radios = ({ radios: found }: HeatmapCell) =>
    found.map((radio) => (radio === 'other' ? t('sim.otherRadio') : radio)).join(', ') || '—';
  return (
    <Scrollable className={styles['rows']} label={t('heatmap.cells.list')}>
      <SmallTable>
        <thead>
          <tr>
            <th scope="col">{t('heatmap.cells.cell')}</th>
            <th scope="col">{t('heatmap.cells.town')}</th>
            <th scope="col">{t('heatmap.network')}</th>
            <th scope="col">{t('heatmap.radio')}</th>
            <th data-end scope="col">
              {t('heatmap.metrics.usage')}
            </th>
            <th data-end scope="col">
              {t('heatmap.metrics.sims')}
            </th>
            <th data-end scope="col">
              {t('heatmap.cells.lastSeen')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cells.map((one) => (
            <tr key={`${one.mcc}-${one.mnc} ${one.cell}`}>
              <th className={styles['cell']} scope="row">
                <Identifier label={t('heatmap.cells.cell')} value={one.cell} />
              </th>
              <td>
                <CellPlace address={address} cell={one} onPlace={onPlace} />
              </td>
              <td>{one.operator ?? `${one.mcc}-${one.mnc}`}</td>
              <td>{radios(one)}</td>
              <td data-end>
                <Bytes value={one.usage} />
              </td>
              <td data-end>{count(one.sims)}</td>
              <td data-end>
                <Time at={one.last_seen_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </Scrollable>
  );
};

/** The nearest town, as a link to the place on the map. */
const CellPlace = (props: { cell: HeatmapCell } & Omit<CellsProps, 'cells'>) => {
  const { cell, address, onPlace } = props;
  const { t } = useTranslation();
  const { latitude, longitude } = cell;
  if (latitude === null || longitude === null)
    return <span className={styles['quiet']}>{t('heatmap.cells.unplaced')}</span>;
  const place = cell.town ?? t('common.states.nothingNear');
  const at = `${degreesText(latitude)},${degreesText(longitude)}`;
  return (
    <Link
      aria-label={t('heatmap.cells.onMap', { place, cell: cell.cell })}
      href={address.hrefOf({ ...address.search, at })}
      onClick={() => {
        if (at === address.search.at) onPlace();
      }}
    >
      {place}
    </Link>
  );
};
