import { type PointerEvent, type RefCallback, useCallback, useEffectEvent, useRef, useState } from 'react';
import { moved, type View, zoomed } from './mercator.ts';

/** Pixels that a press may wander and still be a press. */
const pressWanders = 4;
const step = 1.25;

/** Moves a view by dragging and zooms it by the wheel, at the place under the pointer. */
export const useMovedView = (view: View, onView: (view: View) => void) => {
  const drag = useRef<{ x: number; y: number; from: View; far: boolean }>(undefined);
  const wandered = useRef(false);
  const [isMoving, setMoving] = useState(false);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    // With it the browser zooms the page; without, the page would scroll along.
    if (event.ctrlKey) return;
    event.preventDefault();
    const place = (event.currentTarget as Element).getBoundingClientRect();
    const at = {
      x: (event.clientX - place.left) / place.width,
      y: (event.clientY - place.top) / place.height,
    };
    onView(zoomed(view, event.deltaY > 0 ? step : 1 / step, at));
  });
  // React listens to the wheel passively: such a listener can't keep the page from scrolling.
  const ref = useCallback<RefCallback<SVGSVGElement>>((element) => {
    const listener = (event: WheelEvent): void => onWheel(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);
  return {
    isMoving,
    /** Whether the last press was one that moved the map. */
    wasMoved: () => wandered.current,
    handlers: {
      ref,
      onPointerDown: ({ clientX, clientY, button }: PointerEvent) => {
        if (button !== 0) return;
        drag.current = { x: clientX, y: clientY, from: view, far: false };
        wandered.current = false;
      },
      onPointerMove: ({ clientX, clientY, currentTarget, pointerId, buttons }: PointerEvent) => {
        const begun = drag.current;
        if (!begun || buttons === 0) return;
        const by = { x: clientX - begun.x, y: clientY - begun.y };
        if (!begun.far && Math.hypot(by.x, by.y) < pressWanders) return;
        if (!begun.far) currentTarget.setPointerCapture(pointerId);
        begun.far = true;
        wandered.current = true;
        setMoving(true);
        const { width, height } = currentTarget.getBoundingClientRect();
        onView(moved(begun.from, { x: -by.x / width, y: -by.y / height }));
      },
      onPointerUp: () => {
        drag.current = undefined;
        setMoving(false);
      },
    },
  };
};
