import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { tabStopsIn } from '../focus/index.ts';
import { useFloatingPanel } from './floating.tsx';
import styles from './popover.module.css';

interface PanelProps {
  label: string;
  onClose: () => void;
  ref: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** The content of a popover: a dialog that leaves the page behind it usable. */
export const PopoverPanel = ({ label, onClose, ref, children }: PanelProps) => {
  useFloatingPanel(ref, (panel) => tabStopsIn(panel)[0]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  /** Handled before the content sees the key: Tab on the last stop moves to the first. */
  const loop = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Tab') return;
    const { currentTarget: panel, shiftKey: back } = event;
    const stops = tabStopsIn(panel);
    const ends = back ? [panel, stops[0]] : [stops.at(-1)];
    if (stops.length > 0 && !ends.some((end) => end === document.activeElement)) return;
    event.preventDefault();
    stops.at(back ? -1 : 0)?.focus();
  };
  return (
    <section
      aria-label={label}
      className={styles['panel']}
      onKeyDown={onKeyDown}
      onKeyDownCapture={loop}
      ref={ref}
      role="dialog"
      tabIndex={-1}
    >
      {children}
    </section>
  );
};
