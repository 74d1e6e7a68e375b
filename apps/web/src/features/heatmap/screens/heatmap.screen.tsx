import { unknownCountry } from '@simcube/contract';
import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { heatmapMetrics } from '@simcube/contract/heatmap';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { businessDays, now } from '../../../lib/time/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { combinedFailure } from '../../../ui/query/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { clock } from '../../../ui/time/index.ts';
import type { Box } from '../../../ui/world-map/index.ts';
import { type FiguresRequest, useFigures, useHexagons } from '../api/use-heatmap.ts';
import { CellsCard } from '../components/cells-card.tsx';
import { DaysBrush, type Span } from '../components/days-brush.tsx';
import { HeatLists } from '../components/heat-lists.tsx';
import { MapPanel } from '../components/map-panel.tsx';
import { useAmounts } from '../components/use-amounts.ts';
import { useHeatmapFilters } from '../components/use-heatmap-filters.ts';
import { daysOf, periodOf } from '../period.ts';
import { type HeatmapSearch, layers } from '../search.ts';
import styles from './heatmap.module.css';

/** Where in the world SIMs use data, and when. */
export const HeatmapScreen = (address: SearchScreenProps<HeatmapSearch>) => {
  const { search, onSearchChange } = address;
  const { t } = useTranslation();
  const metric = search.metric ?? 'usage';
  const layer = search.layer ?? 'both';
  const period = periodOf(search, now());
  const days = daysOf(period);
  const [chosen, setChosen] = useState<Span & { of: string }>();
  const of = `${period.from} ${period.to}`;
  const span = chosen?.of === of ? chosen : { first: 0, last: days.length - 1 };
  const change = (next: Partial<HeatmapSearch>): void => onSearchChange({ ...search, ...next }, 'replace');

  const { country, network, radio } = search;
  const whole: FiguresRequest = { ...period, metric, country, network, radio };
  const part: FiguresRequest = {
    ...whole,
    from: days[span.first] ?? period.from,
    to: days[span.last] ?? period.to,
  };
  const ofPeriod = useFigures(whole);
  const ofSpan = useFigures(part);
  const [box, setBox] = useState<Box>();
  const [placeChoices, setPlaceChoices] = useState(0);
  const hexagons = useHexagons(part, layer === 'countries' ? undefined : box);
  const cells = layer === 'countries' ? undefined : hexagons;
  /** For the countries to choose from; without a chosen one, the same request as that of the period. */
  const ofAllCountries = useFigures({ ...whole, country: undefined });
  const figures = ofSpan.data?.data;
  const known = ofAllCountries.data?.data.countries.map((one) => one.country ?? unknownCountry) ?? [];
  const filters = useHeatmapFilters({
    search,
    period,
    countries: [...new Set([...known, ...(country ? [country] : [])])],
    onChange: change,
  });
  const amounts = useAmounts(metric);
  const failure = combinedFailure([ofSpan, ofPeriod, ...(cells ? [cells] : [])]);
  return (
    <Page
      actions={<MetricSwitch metric={metric} onChange={(next) => change({ metric: next })} />}
      facts={<Facts response={ofSpan.data} cellsAsOf={cells?.data?.asOf} />}
      title={t('heatmap.title')}
    >
      <FilterBar
        filters={filters}
        onClear={() =>
          change({ from: undefined, to: undefined, country: undefined, network: undefined, radio: undefined })
        }
        onEdit={() => undefined}
        search={undefined}
        tools={
          <Segmented
            label={t('heatmap.layer')}
            onChange={(next) => change({ layer: next === 'both' ? undefined : next })}
            options={layers.map((value) => ({ value, label: t(`heatmap.layers.${value}`) }))}
            value={layer}
          />
        }
      />
      {failure.error ? (
        <Failure error={failure.error} onRetry={failure.retry} small={figures !== undefined} />
      ) : null}
      <div className={styles['parts']}>
        <div className={styles['map']}>
          <Suspense
            fallback={
              <div className={styles['pending']}>
                <Loading rows={12} />
              </div>
            }
          >
            <MapPanel
              address={address}
              figures={figures}
              hexagons={cells?.data?.data}
              layer={layer}
              metric={metric}
              onBox={setBox}
              placeChoices={placeChoices}
            />
          </Suspense>
          {ofPeriod.data || ofPeriod.isFetching ? (
            <DaysBrush
              // Those of another period are of other days.
              amounts={ofPeriod.isPlaceholderData ? [] : (ofPeriod.data?.data.days ?? [])}
              days={days}
              isShown={!ofSpan.isPlaceholderData && !cells?.isPlaceholderData && figures !== undefined}
              onSpan={(next) => setChosen({ ...next, of })}
              provisionalFrom={
                ofPeriod.data && businessDays.dayOf(Date.parse(ofPeriod.data.data.provisional_from))
              }
              format={amounts}
              span={span}
              today={periodOf({}, now()).to}
            />
          ) : null}
        </div>
        {figures?.countries.length === 0 ? (
          <Empty hint={t('heatmap.noneHint')} title={t('heatmap.none')} />
        ) : null}
        {(figures ? figures.countries.length > 0 : !ofSpan.error) ? (
          <HeatLists address={address} figures={figures} metric={metric} />
        ) : null}
      </div>
      {country ? (
        <CellsCard
          address={address}
          onPlace={() => setPlaceChoices(placeChoices + 1)}
          request={{ from: part.from, to: part.to, country, network, radio }}
        />
      ) : null}
    </Page>
  );
};

const MetricSwitch = (props: {
  metric: HeatmapMetric;
  onChange: (next: HeatmapMetric | undefined) => void;
}) => {
  const { t } = useTranslation();
  return (
    <Segmented
      label={t('heatmap.metric')}
      onChange={(next) => props.onChange(next === 'usage' ? undefined : next)}
      options={heatmapMetrics.map((value) => ({ value, label: t(`heatmap.metrics.${value}`) }))}
      value={props.metric}
    />
  );
};

interface FactsProps {
  response: ReturnType<typeof useFigures>['data'];
  /** Figures by cell may be a few minutes older. */
  cellsAsOf: string | null | undefined;
}

const Facts = ({ response, cellsAsOf }: FactsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!response) return null;
  const { total, uncounted_days: uncounted } = response.data;
  const { usage, sims } = total;
  // Former servers do not name them.
  const uncountedCount = uncounted?.length ?? 0;
  const asOf = cellsAsOf ?? response.asOf;
  return (
    <span>
      {[
        format.bytes(usage).text,
        sims === null ? null : t('heatmap.simsPerDay', { count: sims, shown: format.count(sims) }),
        uncountedCount > 0
          ? t('heatmap.uncountedDays', { count: uncountedCount, shown: format.count(uncountedCount) })
          : null,
        asOf ? t('common.time.asOf', { time: clock(format, asOf) }) : null,
      ]
        .filter(Boolean)
        .join(' · ')}
    </span>
  );
};
