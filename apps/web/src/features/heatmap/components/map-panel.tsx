import { recordSpanOfDays } from '@simcube/contract/cdr';
import type { Heatmap, HeatmapMetric, Hexagons } from '@simcube/contract/heatmap';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { session } from '../../../lib/session/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { type Box, HeatMap, type Place } from '../../../ui/world-map/index.ts';
import { levelsOf } from '../levels.ts';
import type { HeatmapSearch, Layer } from '../search.ts';
import { CountryCard } from './country-card.tsx';
import { HexagonCard } from './hexagon-card.tsx';
import { Legend } from './legend.tsx';
import styles from './map-panel.module.css';
import { useAmounts } from './use-amounts.ts';
import { useDays } from './use-days.ts';

interface MapPanelProps {
  figures: Heatmap | undefined;
  hexagons: Hexagons | undefined;
  metric: HeatmapMetric;
  layer: Layer;
  address: SearchScreenProps<HeatmapSearch>;
  /** How often the same place was chosen again. */
  placeChoices: number;
  onBox: (box: Box) => void;
}

const noCountries: readonly Heatmap['countries'][number][] = [];

/** `52.52,13.4` from a URL. */
const placeOf = (at: string | undefined): Place | undefined => {
  const [latitude, longitude] = at?.split(',').map(Number) ?? [];
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
};

/** The map with its legend, and the card of a country. */
export const MapPanel = (props: MapPanelProps) => {
  const { figures, hexagons, metric, layer, address, placeChoices, onBox } = props;
  const { search, onSearchChange, hrefOf } = address;
  const { t } = useTranslation();
  const format = useFormat();
  const { comparison } = useDays();
  const amounts = useAmounts(metric);
  const [hovered, setHovered] = useState<string>();
  const [hoveredHexagon, setHoveredHexagon] = useState<number>();
  const countries = figures?.countries ?? noCountries;
  // Otherwise the countries have no amounts: neither shades nor a legend.
  const isCounted = figures !== undefined && figures.total[metric] !== null;
  const element = useRef<HTMLDivElement>(null);
  // Choosing the same place again is another request to show it: a new object.
  const at = useMemo(() => {
    const place = placeOf(search.at);
    return place && { ...place, choice: placeChoices };
  }, [search.at, placeChoices]);
  // The links to places are in a list below the map.
  useEffect(() => {
    if (at) element.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const shades = useMemo(
    () =>
      levelsOf(
        'countries',
        countries.map((one) => one[metric]),
        amounts.isBytes,
      ),
    [countries, metric, amounts.isBytes],
  );
  const marks = useMemo(
    () =>
      levelsOf(
        'hexagons',
        (hexagons?.hexagons ?? []).map((one) => one[6]),
        amounts.isBytes,
      ),
    [hexagons, amounts.isBytes],
  );
  const shown = useMemo(() => {
    const textOf = (amount: number) =>
      metric === 'usage' ? format.bytes(amount).text : format.count(amount);
    const named = countries.flatMap(({ country, ...one }) => (country ? [{ ...one, country }] : []));
    return new Map(
      named.map((one) => [
        one.country,
        {
          level: shades.levelOf(one[metric]),
          name: format.country(one.country),
          amount: isCounted ? textOf(one[metric]) : t('common.states.none'),
          weight: one[metric],
        },
      ]),
    );
  }, [countries, shades, metric, isCounted, format, t]);
  const rendered = useMemo(
    () =>
      (hexagons?.hexagons ?? []).map(([x, y, x1, y1, x2, y2, amount]) => ({
        outline: [x, y, x1, y1, x2, y2] as const,
        level: marks.levelOf(amount),
      })),
    [hexagons, marks],
  );
  const open = search.open ?? hovered;
  const hexagon = hoveredHexagon === undefined ? undefined : hexagons?.hexagons[hoveredHexagon];
  const card = countries.find((one) => one.country !== null && one.country === open);
  return (
    <div className={styles['panel']} ref={element}>
      <HeatMap
        at={at}
        countries={shown}
        isShaded={layer !== 'cells' && isCounted}
        hexagons={rendered}
        label={t('heatmap.mapLabel', { metric: t(`heatmap.metrics.${metric}`) })}
        onHexagon={setHoveredHexagon}
        onHover={setHovered}
        onSelect={(country) => onSearchChange({ ...search, open: country }, 'replace')}
        onView={onBox}
        selected={search.open}
      >
        {countries.length > 0 && isCounted ? (
          <Legend
            amounts={amounts}
            countries={layer === 'cells' ? undefined : shades}
            hexagons={hexagons && rendered.length > 0 ? marks : undefined}
            title={t('heatmap.ofCountry', { metric: t(`heatmap.metrics.${metric}`) })}
          />
        ) : null}
        {hexagons && hexagon && search.open === undefined ? (
          <HexagonCard amounts={amounts} hexagon={hexagon} metric={metric} total={hexagons.total} />
        ) : null}
        {figures && card?.country ? (
          <CountryCard
            compared={comparison(figures)}
            country={{ ...card, country: card.country }}
            figures={figures}
            links={
              search.open === undefined
                ? undefined
                : {
                    open: hrefOf({ ...search, country: card.country }),
                    sims: session.can('sim')
                      ? `/${format.language}/simCard?country=${card.country}`
                      : undefined,
                    cdrs: session.can('cdr')
                      ? `/${format.language}/cdrCard${stringifySearch({
                          ...recordSpanOfDays(figures.period, businessDays.offsetMs()),
                          country: [card.country],
                          operator: search.network && [search.network],
                          radio: search.radio && [search.radio],
                        })}`
                      : undefined,
                    onClose: () => onSearchChange({ ...search, open: undefined }, 'replace'),
                  }
            }
            metric={metric}
          />
        ) : null}
      </HeatMap>
      {figures || hexagons ? (
        <p className={styles['where']}>
          {[
            figures &&
              t('heatmap.countries', { count: countries.length, shown: format.count(countries.length) }),
            hexagons &&
              t('heatmap.hexagons', { count: rendered.length, shown: format.count(rendered.length) }),
            hexagons &&
              hexagons.unplaced > 0 &&
              t('heatmap.unplaced', { amount: amounts.text(hexagons.unplaced) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      ) : null}
    </div>
  );
};
