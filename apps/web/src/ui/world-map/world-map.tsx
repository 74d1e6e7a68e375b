import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../segmented/index.ts';
import { type Outline, outlineOf, outlines, positionOf, world } from './outlines.ts';
import styles from './world-map.module.css';

export interface MapPoint {
  latitude: number;
  longitude: number;
}

export interface WorldMapProps {
  /** The content of the map, for screen readers. */
  label: string;
  /** Highlighted countries, by ISO 3166-1 alpha-2 code. */
  countries: readonly string[];
  point?: MapPoint | undefined;
}

/** The world's outlines, rendered without the network; initially zoomed to the highlighted countries. */
export const WorldMap = ({ label, countries, point }: WorldMapProps) => {
  const { t } = useTranslation();
  const marked = countries.flatMap((country) => outlineOf(country) ?? []);
  const near = nearBox(marked, point);
  const [view, setView] = useState<'near' | 'world'>('near');
  const box = view === 'near' && near ? near : wholeWorld;
  const scale = box.width / world.width;
  const place = point && positionOf(point);
  return (
    <div className={styles['map']}>
      <svg
        aria-label={label}
        className={styles['drawing']}
        role="img"
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      >
        {outlines.map((outline) => (
          <path
            className={styles['country']}
            d={outline.path}
            data-marked={marked.includes(outline)}
            key={outline.path}
            strokeWidth={scale}
          />
        ))}
        {place ? (
          <g className={styles['place']}>
            <circle className={styles['halo']} cx={place[0]} cy={place[1]} r={scale * 22} />
            <circle
              className={styles['point']}
              cx={place[0]}
              cy={place[1]}
              r={scale * 7}
              strokeWidth={scale * 3}
            />
          </g>
        ) : null}
      </svg>
      {near ? (
        <div className={styles['views']}>
          <Segmented
            label={t('kit.map.view')}
            onChange={setView}
            options={[
              { value: 'near', label: t('kit.map.near') },
              { value: 'world', label: t('kit.map.world') },
            ]}
            small
            value={view}
          />
        </div>
      ) : null}
    </div>
  );
};

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Without most of the Antarctic, where there are no SIMs. */
const wholeWorld: Box = { x: 0, y: 20, width: world.width, height: 410 };
const shape = wholeWorld.width / wholeWorld.height;
/** At smaller widths, the outlines of 1:110m look coarse. */
const leastWidth = 110;

const nearBox = (marked: readonly Outline[], point: MapPoint | undefined): Box | undefined => {
  const boxes = marked.map(({ bounds }) => bounds);
  const place = point && positionOf(point);
  if (place) boxes.push([place[0], place[1], place[0], place[1]]);
  if (boxes.length === 0) return undefined;
  const left = Math.min(...boxes.map((box) => box[0]));
  const top = Math.min(...boxes.map((box) => box[1]));
  const right = Math.max(...boxes.map((box) => box[2]));
  const bottom = Math.max(...boxes.map((box) => box[3]));
  const width = Math.min(
    wholeWorld.width,
    Math.max(leastWidth, (right - left) * 1.8, (bottom - top) * 1.8 * shape),
  );
  const height = width / shape;
  const inside = (at: number, least: number, most: number) => Math.max(least, Math.min(at, most));
  return {
    x: inside((left + right - width) / 2, 0, world.width - width),
    y: inside((top + bottom - height) / 2, 0, world.height - height),
    width,
    height,
  };
};
