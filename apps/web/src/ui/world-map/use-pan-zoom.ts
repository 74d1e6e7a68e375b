import { type PointerEvent, type RefCallback, useCallback, useEffectEvent, useRef, useState } from 'react';
import { panView, type View, zoomView } from './mercator.ts';

/** A press that moves no farther than this, in pixels, still counts as a click. */
const dragThreshold = 4;
const step = 1.25;

/** Moves a view by dragging, and zooms it with the wheel around the pointer. */
export const usePanZoom = (view: View, onView: (view: View) => void) => {
  const drag = useRef<{ x: number; y: number; from: View; isDragging: boolean }>(undefined);
  const wasDragged = useRef(false);
  const [isMoving, setMoving] = useState(false);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    // With Ctrl the browser zooms the page; without it, the page would scroll.
    if (event.ctrlKey) return;
    event.preventDefault();
    const place = (event.currentTarget as Element).getBoundingClientRect();
    const at = {
      x: (event.clientX - place.left) / place.width,
      y: (event.clientY - place.top) / place.height,
    };
    onView(zoomView(view, event.deltaY > 0 ? step : 1 / step, at));
  });
  // React's wheel listeners are passive, and can't prevent the page from scrolling.
  const ref = useCallback<RefCallback<SVGSVGElement>>((element) => {
    const listener = (event: WheelEvent): void => onWheel(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);
  return {
    isMoving,
    /** Whether the last press moved the map. */
    wasMoved: () => wasDragged.current,
    handlers: {
      ref,
      onPointerDown: ({ clientX, clientY, button }: PointerEvent) => {
        if (button !== 0) return;
        drag.current = { x: clientX, y: clientY, from: view, isDragging: false };
        wasDragged.current = false;
      },
      onPointerMove: ({ clientX, clientY, currentTarget, pointerId, buttons }: PointerEvent) => {
        const current = drag.current;
        if (!current || buttons === 0) return;
        const by = { x: clientX - current.x, y: clientY - current.y };
        if (!current.isDragging && Math.hypot(by.x, by.y) < dragThreshold) return;
        if (!current.isDragging) currentTarget.setPointerCapture(pointerId);
        current.isDragging = true;
        wasDragged.current = true;
        setMoving(true);
        const { width, height } = currentTarget.getBoundingClientRect();
        onView(panView(current.from, { x: -by.x / width, y: -by.y / height }));
      },
      onPointerUp: () => {
        drag.current = undefined;
        setMoving(false);
      },
    },
  };
};
