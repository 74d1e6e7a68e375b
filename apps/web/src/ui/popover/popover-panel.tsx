import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { tabStopsIn } from '../focus/index.ts';
import { useFloats } from './floating.tsx';
import styles from './popover.module.css';

interface PanelProps {
  label: string;
  onClose: () => void;
  ref: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** What is inside a popover: a dialog that leaves the page behind it alive. */
export const PopoverPanel = ({ label, onClose, ref, children }: PanelProps) => {
  useFloats(ref, (panel) => tabStopsIn(panel)[0]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  /** Before what is inside sees the key: past the last stop comes the first. */
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
