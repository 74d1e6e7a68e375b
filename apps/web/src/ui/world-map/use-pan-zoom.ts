import { type PointerEvent, type RefCallback, useCallback, useEffectEvent, useRef, useState } from 'react';
import { panView, type View, zoomView } from './mercator.ts';

/** A press that moves no farther than this, in pixels, still counts as a click. */
const dragThreshold = 4;
const step = 1.25;
/** What a wheel scrolls per notch, in pixels; a trackpad sends many smaller amounts. */
const notch = 100;

interface Position {
  x: number;
  y: number;
}

/** The pointers since the last of them was pressed or released: all of them move the view, the distance of two zooms it. */
interface Gesture {
  view: View;
  centre: Position;
  distance: number;
  isMoving: boolean;
}

/** Moves a view by dragging, and zooms it with two fingers, or with the wheel around the pointer. */
export const usePanZoom = (view: View, onView: (view: View) => void) => {
  const pressed = useRef(new Map<number, Position>());
  const gesture = useRef<Gesture>(undefined);
  const wasDragged = useRef(false);
  const [isMoving, setMoving] = useState(false);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    // With Ctrl the browser zooms the page; without it, the page would scroll.
    if (event.ctrlKey || Math.abs(event.deltaY) <= Math.abs(event.deltaX)) return;
    event.preventDefault();
    const notches = Math.max(-1, Math.min(1, event.deltaY / notch));
    onView(zoomView(view, step ** notches, shareOf(event, event.currentTarget as Element)));
  });
  // React's wheel listeners are passive, and can't prevent the page from scrolling.
  const ref = useCallback<RefCallback<SVGSVGElement>>((element) => {
    const listener = (event: WheelEvent): void => onWheel(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);
  const restart = (): void => {
    const isPressed = pressed.current.size > 0;
    gesture.current = isPressed ? { view, ...placeOf(pressed.current), isMoving: false } : undefined;
    if (!isPressed) setMoving(false);
  };
  const release = ({ pointerId }: PointerEvent): void => {
    if (pressed.current.delete(pointerId)) restart();
  };
  return {
    isMoving,
    /** Whether the last press moved the map. */
    wasMoved: () => wasDragged.current,
    handlers: {
      ref,
      onPointerDown: ({ pointerId, clientX, clientY, button }: PointerEvent) => {
        if (button !== 0) return;
        if (pressed.current.size === 0) wasDragged.current = false;
        pressed.current.set(pointerId, { x: clientX, y: clientY });
        restart();
      },
      onPointerMove: (event: PointerEvent) => {
        const { pointerId, clientX, clientY, currentTarget, buttons } = event;
        // Released outside of the map, before it was dragged.
        if (buttons === 0) release(event);
        if (!gesture.current || !pressed.current.has(pointerId)) return;
        pressed.current.set(pointerId, { x: clientX, y: clientY });
        const { view: from, centre, distance, isMoving: wasMoving } = gesture.current;
        const to = placeOf(pressed.current);
        const by = { x: to.centre.x - centre.x, y: to.centre.y - centre.y };
        const moved = Math.max(Math.hypot(by.x, by.y), Math.abs(to.distance - distance));
        if (!wasMoving && moved < dragThreshold) return;
        if (!wasMoving) currentTarget.setPointerCapture(pointerId);
        gesture.current.isMoving = true;
        wasDragged.current = true;
        setMoving(true);
        const { width, height } = currentTarget.getBoundingClientRect();
        const ratio = distance > 0 && to.distance > 0 ? distance / to.distance : 1;
        const at = shareOf({ clientX: centre.x, clientY: centre.y }, currentTarget);
        onView(panView(zoomView(from, ratio, at), { x: -by.x / width, y: -by.y / height }));
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
};

/** Where a point is in an element, as shares of its width and height. */
const shareOf = (
  { clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>,
  element: Element,
): Position => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
};

/** The centre of the first two pointers, and their distance: 0 for a single one. */
const placeOf = (pressed: ReadonlyMap<number, Position>): Pick<Gesture, 'centre' | 'distance'> => {
  const [one = { x: 0, y: 0 }, other = one] = pressed.values();
  return {
    centre: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    distance: Math.hypot(one.x - other.x, one.y - other.y),
  };
};
