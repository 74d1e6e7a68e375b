import {
  type MouseEvent,
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
  around,
  type Box,
  boxOf,
  near,
  placeIn,
  shape,
  together,
  type View,
  wholeWorld,
  xOf,
  yOf,
} from './mercator.ts';
import { type Scale, type Shape, shapesOf } from './shapes.ts';
import { useMovedView } from './use-moved-view.ts';

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
  /** Initial centre of the view, marked; by default the view shows the countries with the largest amounts. */
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
const nearWidth = 420;
/** The initial view shows the countries of this level and above. */
const homeLevel = 3;
/** Countries at least this wide, in pixels, show their name. */
const namedFrom = 42;
/** Assumed until layout. */
const usualWidth = 850;

/** A world map of countries and hexagons; it can be moved and zoomed by pointer, wheel and keyboard. */
export const HeatMap = (props: HeatMapProps) => {
  const { label, countries, isShaded, hexagons, at, selected, onSelect, onHover, onView, children } = props;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<View | undefined>(at && near(at));
  const shapes = useShapes((wanted?.width ?? wholeWorld.width) < nearWidth ? 'near' : 'far');
  const home = useMemo(() => around(homeOf(shapes, countries)), [shapes, countries]);
  const view = wanted ?? home;
  const move = useMovedView(view, setWanted);
  const frame = useRef<HTMLDivElement>(null);
  const drawnWidth = useWidth(frame) ?? usualWidth;
  useSelectedInView(selected, shapes, setWanted);
  /** Handled on the whole drawing: countries are plain outlines, and can also be selected in the lists. */
  const pointing = {
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
    props.onHexagon(hexagonAt(hexagons, placeIn(view, point, { width, height })));
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
        viewBox={`${x} ${y} ${width} ${width * shape}`}
        {...move.handlers}
        {...pointing}
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
        <Names countries={countries} drawnWidth={drawnWidth} shapes={shapes} view={view} />
      </svg>
      {/* The drawing is an image; its controls are accessible by keyboard. */}
      <MapControls
        label={t('kit.map.move')}
        onHome={() => setWanted(undefined)}
        onView={setWanted}
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
  let [found, least] = [undefined as number | undefined, Number.POSITIVE_INFINITY];
  for (const [index, { outline }] of hexagons.entries()) {
    const [x, y, x1, y1] = outline;
    const distance = Math.hypot(xOf(x / 1000) - place.x, yOf(y / 1000) - place.y);
    if (distance >= least) continue;
    const reach = Math.hypot(xOf((x + x1) / 1000) - xOf(x / 1000), yOf((y + y1) / 1000) - yOf(y / 1000));
    if (distance <= reach) [found, least] = [index, distance];
  }
  return found;
};

const countryAt = (target: EventTarget): string | undefined =>
  target instanceof SVGElement ? target.dataset['country'] : undefined;

/** The bounds of the countries with the largest amounts, without a distant one with a small amount. */
const homeOf = (shapes: readonly Shape[], countries: HeatMapProps['countries']) =>
  together(
    shapes.flatMap(({ country, bounds }) => {
      const facts = country === undefined ? undefined : countries.get(country);
      return facts && facts.level >= homeLevel ? [{ bounds, weight: facts.weight }] : [];
    }),
  );

const boundsOf = (shapes: readonly Shape[], isMeant: (country: string) => boolean) =>
  shapes.flatMap(({ country, bounds }) => (country !== undefined && isMeant(country) ? [bounds] : []));

/** Pauses between attempts to fetch outlines. */
const firstPauseMs = 1000;
const longestPauseMs = 15_000;

/** The outlines of the requested scale; until they have loaded, the previous ones. */
const useShapes = (scale: Scale): readonly Shape[] => {
  const [shapes, setShapes] = useState<readonly Shape[]>([]);
  useEffect(() => {
    let isWanted = true;
    let again: ReturnType<typeof setTimeout> | undefined;
    const ask = (pauseMs: number): void =>
      void shapesOf(scale).then(
        (found) => (isWanted ? setShapes(found) : undefined),
        // The previous outlines stay valid, so a failure shows only if none are loaded.
        () => {
          if (isWanted) again = setTimeout(() => ask(Math.min(2 * pauseMs, longestPauseMs)), pauseMs);
        },
      );
    ask(firstPauseMs);
    return () => {
      isWanted = false;
      clearTimeout(again);
    };
  }, [scale]);
  return shapes;
};

/** Scrolls the map to the country selected in a list. */
const useSelectedInView = (
  selected: string | undefined,
  shapes: readonly Shape[],
  onView: (view: View) => void,
): void => {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (selected === shown || shapes.length === 0) return;
    setShown(selected);
    const bounds = boundsOf(shapes, (country) => country === selected);
    if (bounds.length > 0) onView(around(bounds.slice(0, 1)));
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

const Names = ({
  countries,
  shapes,
  view,
  drawnWidth,
}: Pick<HeatMapProps, 'countries'> & { shapes: readonly Shape[]; view: View; drawnWidth: number }) => {
  /** One pixel, in the map's units. */
  const unit = view.width / Math.max(1, drawnWidth);
  return shapes.map(({ key, country, bounds: [left, , right], centre: [x, y] }) => {
    const facts = country === undefined ? undefined : countries.get(country);
    if (!facts || right - left < namedFrom * unit) return null;
    const half = (unit * nameScale * Math.max(textWidth(facts.name), textWidth(facts.amount))) / 2;
    if (x - half < view.x || x + half > view.x + view.width) return null;
    return (
      <text className={styles['name']} fontSize={12 * unit} key={key} strokeWidth={3 * unit} x={x} y={y}>
        <tspan className={styles['country-name']}>{facts.name}</tspan>
        <tspan dy={14 * unit} x={x}>
          {facts.amount}
        </tspan>
      </text>
    );
  });
};
