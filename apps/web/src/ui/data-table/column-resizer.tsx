import type { KeyboardEvent, PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, columnWidth } from './column.ts';
import styles from './data-table.module.css';

interface ResizerProps<Row> {
  column: Column<Row>;
  onResize: (widths: Record<string, number>) => void;
  /** The head is one tab stop. */
  tabIndex: 0 | -1;
}

/** The rendered widths of all columns: the first drag fixes them all, so that only the dragged one changes. */
const renderedWidths = (head: HTMLElement): Record<string, number> => {
  const cells = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
  return Object.fromEntries(
    cells.map((cell) => [cell.dataset['column'] ?? '', columnWidth(cell.offsetWidth)]),
  );
};

const headOf = (element: Element): HTMLElement | null => element.closest<HTMLElement>('[data-column]');
const keyStep = 16;

/**
 * The edge of a header cell: drag it, or focus it and press Shift with the arrow keys; without Shift they move through the head.
 */
export const ColumnResizer = <Row,>({ column, onResize, tabIndex }: ResizerProps<Row>) => {
  const { t } = useTranslation();
  const resizeTo = (head: HTMLElement, width: number): void =>
    onResize({ ...renderedWidths(head), [column.id]: columnWidth(width) });

  const drag = (event: PointerEvent<HTMLButtonElement>): void => {
    const handle = event.currentTarget;
    const head = headOf(handle);
    if (!head) return;
    event.preventDefault();
    const start = { x: event.clientX, width: head.offsetWidth };
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent): void =>
      resizeTo(head, start.width + moved.clientX - start.x);
    const end = (): void => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', end);
      handle.removeEventListener('pointercancel', end);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', end);
    handle.addEventListener('pointercancel', end);
  };

  const step = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const by = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
    const head = headOf(event.currentTarget);
    if (by === undefined || !event.shiftKey || !head) return;
    event.preventDefault();
    event.stopPropagation();
    resizeTo(head, head.offsetWidth + by);
  };

  return (
    <button
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      aria-label={t('kit.table.resize', { column: column.title })}
      className={styles['resizer']}
      onKeyDown={step}
      onPointerDown={drag}
      tabIndex={tabIndex}
      type="button"
    />
  );
};
