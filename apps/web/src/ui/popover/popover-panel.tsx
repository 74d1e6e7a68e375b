import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { tabStopsIn } from '../focus/index.ts';
import { useOwnRole } from './floating.tsx';
import styles from './popover.module.css';

interface PanelProps {
  label: string;
  onClose: () => void;
  ref: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** What is inside a popover: a dialog that leaves the page behind it alive. */
export const PopoverPanel = ({ label, onClose, ref, children }: PanelProps) => {
  useOwnRole(ref);
  useEffect(() => {
    const panel = ref.current;
    if (!panel || panel.contains(document.activeElement)) return;
    // It is not at its place yet: the page must not scroll to where it is.
    (tabStopsIn(panel)[0] ?? panel).focus({ preventScroll: true });
  }, [ref]);

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
