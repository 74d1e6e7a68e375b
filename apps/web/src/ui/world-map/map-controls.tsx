import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './heat-map.module.css';
import { panView, type View, wholeWorld, zoomView } from './mercator.ts';

const part = 0.2;
const moves: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -part, y: 0 },
  ArrowRight: { x: part, y: 0 },
  ArrowUp: { x: 0, y: -part },
  ArrowDown: { x: 0, y: part },
};

interface MapControlsProps {
  label: string;
  view: View;
  onView: (view: View) => void;
  /** Back to the initial view. */
  onHome: () => void;
}

/**
 * Buttons to zoom in, zoom out, return to the initial view and show the world; while one is focused, the arrow keys move the map.
 */
export const MapControls = ({ label, view, onView, onHome }: MapControlsProps) => {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent): void => {
    const by = moves[event.key];
    if (by) onView(panView(view, by));
    else if (event.key === '+') onView(zoomView(view, 0.5));
    else if (event.key === '-') onView(zoomView(view, 2));
    else return;
    event.preventDefault();
  };
  const buttons = [
    { name: t('kit.map.nearer'), sign: 'M8 3v10M3 8h10', act: () => onView(zoomView(view, 0.5)) },
    { name: t('kit.map.farther'), sign: 'M3 8h10', act: () => onView(zoomView(view, 2)) },
    { name: t('kit.map.home'), sign: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3', act: onHome },
    {
      name: t('kit.map.world'),
      sign: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
      act: () => onView(wholeWorld),
    },
  ];
  return (
    <div aria-label={label} className={styles['controls']} role="toolbar">
      {buttons.map(({ name, sign, act }) => (
        <button aria-label={name} key={name} onClick={act} onKeyDown={press} title={name} type="button">
          <svg
            aria-hidden="true"
            fill="none"
            height="14"
            stroke="currentColor"
            viewBox="0 0 16 16"
            width="14"
          >
            <path d={sign} strokeLinecap="round" strokeWidth="1.4" />
          </svg>
        </button>
      ))}
    </div>
  );
};
