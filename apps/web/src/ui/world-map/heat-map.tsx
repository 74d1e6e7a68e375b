import {
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { textWidth, useWidth } from '../chart/index.ts';
import styles from './heat-map.module.css';
import { MapControls } from './map-controls.tsx';
import {
  aspectRatio,
  type Bounds,
  type Box,
  boxOf,
  closeUp,
  positionIn,
  type View,
  viewAround,
  wholeWorld,
  withoutOutliers,
  xOf,
  yOf,
} from './mercator.ts';
import { placeNames } from './name-places.ts';
import { type Scale, type Shape, shapesOf } from './shapes.ts';
import { usePanZoom } from './use-pan-zoom.ts';

/** Centre and two adjacent corners, as the server sends them, in thousandths of a degree. */
export interface MapHexagon {
  outline: readonly [number, number, number, number, number, number];
  /** Level of the amount, from 0. */
  level: number;
}

export interface MapCountry {
  /** Level of the amount, from 0. */
  level: number;
  name: string;
  /** The amount as text; `weight` is it as a number. */
  amount: string;
  weight: number;
}

export interface HeatMapProps {
  /** The content of the map, for screen readers; the data itself is in the lists next to it. */
  label: string;
  /** By ISO 3166-1 alpha-2. */
  countries: ReadonlyMap<string, MapCountry>;
  /** Whether countries are shaded by amount. */
  isShaded: boolean;
  hexagons: readonly MapHexagon[];
  /**
   * A marked place: each new object moves the view there. By default the view shows the countries with the largest amounts.
   */
  at?: Place | undefined;
  selected: string | undefined;
  onSelect: (country: string | undefined) => void;
  onHover: (country: string | undefined) => void;
  /** Index of the hexagon under the pointer. */
  onHexagon: (index: number | undefined) => void;
  onView: (box: Box) => void;
  /** Overlays of the map. */
  children?: ReactNode;
}

/** At smaller widths, the outlines of 1:110m look coarse. */
const detailWidth = 420;
/** The initial view shows the countries of this level and above; if there are none, those of the highest level. */
const minHomeLevel = 3;
/** Countries at least this wide, in pixels, show their name. */
const minNamedWidth = 42;
/** Assumed until layout. */
const assumedWidth = 850;

/** A world map of countries and hexagons; it can be moved and zoomed by pointer, wheel and keyboard. */
export const HeatMap = (props: HeatMapProps) => {
  const { label, countries, isShaded, hexagons, at, selected, onSelect, onHover, onView, children } = props;
  const { t } = useTranslation();
  const [chosenView, setChosenView] = useViewOf(at);
  const shapes = useShapes((chosenView?.width ?? wholeWorld.width) < detailWidth ? 'near' : 'far');
  const home = useMemo(() => viewAround(homeBounds(shapes, countries)), [shapes, countries]);
  const view = chosenView ?? home;
  const move = usePanZoom(view, setChosenView);
  const frame = useRef<HTMLDivElement>(null);
  const renderedWidth = useWidth(frame) ?? assumedWidth;
  useScrollToSelected({ selected, isInitiallyShown: at !== undefined, shapes, onView: setChosenView });
  /** Handled on the whole drawing: countries are plain outlines, and can also be selected in the lists. */
  const pointerHandlers = {
    onClick: ({ target }: MouseEvent) => {
      const country = countryAt(target);
      if (!move.wasMoved()) onSelect(country === selected ? undefined : country);
    },
    onPointerOver: ({ target }: MouseEvent) => onHover(countryAt(target)),
    onPointerLeave: () => {
      onHover(undefined);
      props.onHexagon(undefined);
    },
  };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>): void => {
    move.handlers.onPointerMove(event);
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const point = { x: event.clientX - left, y: event.clientY - top };
    props.onHexagon(hexagonAt(hexagons, positionIn(view, point, { width, height })));
  };
  const { x, y, width } = view;
  useEffect(() => onView(boxOf({ x, y, width })), [x, y, width, onView]);
  return (
    <div aria-busy={shapes.length === 0} className={styles['frame']} ref={frame}>
      <svg
        aria-label={label}
        className={styles['map']}
        data-moving={move.isMoving}
        preserveAspectRatio="xMidYMid slice"
        role="img"
        viewBox={`${x} ${y} ${width} ${width * aspectRatio}`}
        {...move.handlers}
        {...pointerHandlers}
        onPointerMove={onPointerMove}
      >
        {shapes.map(({ key, path, country }) => (
          <path
            className={styles['country']}
            d={path}
            data-country={country}
            data-level={country === undefined || !isShaded ? undefined : countries.get(country)?.level}
            data-selected={country !== undefined && country === selected}
            key={key}
          />
        ))}
        <Hexagons hexagons={hexagons} />
        {at ? <Mark at={at} width={width} /> : null}
        <Names
          countries={countries}
          hexagons={hexagons}
          isMoving={move.isMoving}
          renderedWidth={renderedWidth}
          shapes={shapes}
          view={view}
        />
      </svg>
      {/* The drawing is an image; its controls are accessible by keyboard. */}
      <MapControls
        label={t('kit.map.move')}
        onHome={() => setChosenView(undefined)}
        onView={setChosenView}
        view={view}
      />
      {children}
    </div>
  );
};

export interface Place {
  latitude: number;
  longitude: number;
}

/** The view chosen last: around the place, whenever that is chosen, or another. */
const useViewOf = (at: Place | undefined) => {
  const [chosenView, setChosenView] = useState(at && closeUp(at));
  const [shownPlace, setShownPlace] = useState(at);
  if (at !== shownPlace) {
    setShownPlace(at);
    if (at) setChosenView(closeUp(at));
  }
  return [chosenView, setChosenView] as const;
};

/** Keeps its size at every zoom. */
const Mark = ({ at, width }: { at: Place; width: number }) => (
  <circle
    className={styles['mark']}
    cx={xOf(at.longitude)}
    cy={yOf(at.latitude)}
    data-mark="true"
    r={width / 60}
  />
);

/** Hexagons tile the plane: finds the one with the nearest centre, if the position is no farther from it than its corners. */
const hexagonAt = (hexagons: readonly MapHexagon[], place: { x: number; y: number }): number | undefined => {
  let [found, minDistance] = [undefined as number | undefined, Number.POSITIVE_INFINITY];
  for (const [index, { outline }] of hexagons.entries()) {
    const [x, y] = outline;
    const distance = Math.hypot(xOf(x / 1000) - place.x, yOf(y / 1000) - place.y);
    if (distance >= minDistance) continue;
    if (distance <= reachOf({ outline })) [found, minDistance] = [index, distance];
  }
  return found;
};

/** From a hexagon's centre to its corners. */
const reachOf = (hexagon: Pick<MapHexagon, 'outline'> | undefined): number => {
  if (!hexagon) return 0;
  const [x, y, x1, y1] = hexagon.outline;
  return Math.hypot(xOf((x + x1) / 1000) - xOf(x / 1000), yOf((y + y1) / 1000) - yOf(y / 1000));
};

const countryAt = (target: EventTarget): string | undefined =>
  target instanceof SVGElement ? target.dataset['country'] : undefined;

/** The bounds of the countries with the largest amounts, without a distant one with a small amount. */
const homeBounds = (shapes: readonly Shape[], countries: HeatMapProps['countries']): Bounds[] => {
  const drawn = shapes.flatMap(({ country, bounds }) => {
    const data = country === undefined ? undefined : countries.get(country);
    return data ? [{ bounds, weight: data.weight, level: data.level }] : [];
  });
  const minLevel = Math.min(minHomeLevel, Math.max(...drawn.map(({ level }) => level)));
  return withoutOutliers(drawn.filter(({ level }) => level >= minLevel));
};

const boundsOf = (shapes: readonly Shape[], matches: (country: string) => boolean) =>
  shapes.flatMap(({ country, bounds }) => (country !== undefined && matches(country) ? [bounds] : []));

/** Pauses between attempts to fetch outlines. */
const firstPauseMs = 1000;
const longestPauseMs = 15_000;

/** The outlines of the requested scale; until they have loaded, the previous ones. */
const useShapes = (scale: Scale): readonly Shape[] => {
  const [shapes, setShapes] = useState<readonly Shape[]>([]);
  useEffect(() => {
    let isMounted = true;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const load = (pauseMs: number): void =>
      void shapesOf(scale).then(
        (found) => (isMounted ? setShapes(found) : undefined),
        // The previous outlines stay valid, so a failure shows only if none are loaded.
        () => {
          if (isMounted) retryTimer = setTimeout(() => load(Math.min(2 * pauseMs, longestPauseMs)), pauseMs);
        },
      );
    load(firstPauseMs);
    return () => {
      isMounted = false;
      clearTimeout(retryTimer);
    };
  }, [scale]);
  return shapes;
};

interface ScrollToSelected {
  selected: string | undefined;
  /** The first view shows a place instead. */
  isInitiallyShown: boolean;
  shapes: readonly Shape[];
  onView: (view: View) => void;
}

/** Scrolls the map to the country selected in a list. */
const useScrollToSelected = ({ selected, isInitiallyShown, shapes, onView }: ScrollToSelected): void => {
  const [shown, setShown] = useState(isInitiallyShown ? selected : undefined);
  useEffect(() => {
    if (selected === shown || shapes.length === 0) return;
    setShown(selected);
    const bounds = boundsOf(shapes, (country) => country === selected);
    if (bounds.length > 0) onView(viewAround(bounds.slice(0, 1)));
  }, [selected, shown, shapes, onView]);
};

/** One path per level: five thousand elements would be slow to move. */
const Hexagons = ({ hexagons }: Pick<HeatMapProps, 'hexagons'>) => {
  const paths = useMemo(() => {
    const levels = new Map<number, string[]>();
    for (const { outline, level } of hexagons) {
      const paths = levels.get(level) ?? [];
      paths.push(hexagonPath(outline));
      levels.set(level, paths);
    }
    return [...levels].map(([level, paths]) => ({ level, path: paths.join('') }));
  }, [hexagons]);
  return paths.map(({ level, path }) => (
    <path className={styles['hexagon']} d={path} data-level={level} key={level} />
  ));
};

/** Insets the corners, leaving a small gap between neighbours. */
const inset = 0.93;

const hexagonPath = ([x, y, x1, y1, x2, y2]: MapHexagon['outline']): string => {
  const corners = [
    [x1, y1],
    [x2, y2],
    [x2 - x1, y2 - y1],
    [-x1, -y1],
    [-x2, -y2],
    [x1 - x2, y1 - y2],
  ] as const;
  const points = corners.map(
    ([dx, dy]) => `${xOf((x + dx * inset) / 1000).toFixed(2)},${yOf((y + dy * inset) / 1000).toFixed(2)}`,
  );
  return `M${points.join('L')}Z`;
};

/** Names use a 12-pixel font; `textWidth` measures the charts' 11 pixels. */
const nameScale = 12 / 11;
/** The share of a view's height, at the top, that facts may cover, or a frame lower than the view cut off. */
const coveredShare = 0.15;

interface NamesProps extends Pick<HeatMapProps, 'countries' | 'hexagons'> {
  shapes: readonly Shape[];
  view: View;
  isMoving: boolean;
  renderedWidth: number;
}

const PlainNames = ({ countries, hexagons, shapes, view, isMoving, renderedWidth }: NamesProps) => {
  /** Names don't move within their countries while the map is dragged. */
  const [restingView, setRestingView] = useState(view);
  if (!isMoving && restingView !== view) setRestingView(view);
  /** One pixel, in the map's units. */
  const unit = view.width / Math.max(1, renderedWidth);
  const named = shapes.flatMap(({ key, country, bounds, centre: [x, y] }) => {
    const data = country === undefined ? undefined : countries.get(country);
    if (!data || bounds[2] - bounds[0] < minNamedWidth * unit) return [];
    if (bounds[3] < view.y || bounds[1] > view.y + view.width * aspectRatio) return [];
    const half = (unit * nameScale * Math.max(textWidth(data.name), textWidth(data.amount))) / 2;
    if (x - half < view.x || x + half > view.x + view.width) return [];
    return [{ key, data, x, y, half, bounds }];
  });
  const marks = useMemo(() => {
    const reach = reachOf(hexagons[0]);
    return hexagons.map(({ outline }): Bounds => {
      const [x, y] = [xOf(outline[0] / 1000), yOf(outline[1] / 1000)];
      return [x - reach, y - reach, x + reach, y + reach];
    });
  }, [hexagons]);
  const top = restingView.y + coveredShare * restingView.width * aspectRatio;
  const places = placeNames(named, { marks, unit, top });
  return named.map(({ key, data, ...centre }, index) => {
    const { x, y } = places[index] ?? centre;
    return (
      <text className={styles['name']} fontSize={12 * unit} key={key} strokeWidth={3 * unit} x={x} y={y}>
        <tspan className={styles['country-name']}>{data.name}</tspan>
        <tspan dy={14 * unit} x={x}>
          {data.amount}
        </tspan>
      </text>
    );
  });
};

/** Not rendered while the pointer only hovers: their places depend on thousands of hexagons. */
const Names = memo(PlainNames);
