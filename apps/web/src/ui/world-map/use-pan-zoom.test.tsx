import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { View } from './mercator.ts';
import { usePanZoom } from './use-pan-zoom.ts';

const start: View = { x: 400, y: 300, width: 200 };
let view = start;

const Drawing = () => {
  const [shown, setShown] = useState(start);
  view = shown;
  const { handlers, isMoving } = usePanZoom(shown, setShown);
  return <svg aria-label="map" data-moving={isMoving} role="img" {...handlers} />;
};

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 740));
  Object.assign(Element.prototype, { setPointerCapture: () => undefined });
  render(<Drawing />);
});

const map = () => screen.getByRole('img');
const finger = (pointerId: number, clientX: number) => ({
  pointerId,
  clientX,
  clientY: 370,
  pointerType: 'touch',
  button: 0,
  buttons: 1,
});
const wheel = (deltas: { deltaX?: number; deltaY?: number }): boolean => {
  const event = createEvent.wheel(map(), { clientX: 500, clientY: 370, cancelable: true, ...deltas });
  fireEvent(map(), event);
  return event.defaultPrevented;
};

test('two fingers zoom the map by their distance, around the point between them', () => {
  fireEvent.pointerDown(map(), finger(1, 400));
  fireEvent.pointerDown(map(), finger(2, 600));
  fireEvent.pointerMove(map(), finger(1, 300));
  fireEvent.pointerMove(map(), finger(2, 700));
  expect(view.width).toBeCloseTo(100);
  expect(view.x + view.width / 2).toBeCloseTo(500);
  // The finger that stays moves the map on from here.
  fireEvent.pointerUp(map(), finger(2, 700));
  fireEvent.pointerMove(map(), finger(1, 310));
  expect(view.width).toBeCloseTo(100);
  expect(view.x + view.width / 2).toBeCloseTo(499);
});

test('a touch that the browser takes over no longer moves the map', () => {
  fireEvent.pointerDown(map(), finger(1, 400));
  fireEvent.pointerMove(map(), finger(1, 500));
  expect(view.x).toBeCloseTo(380);
  expect(map()).toHaveAttribute('data-moving', 'true');
  fireEvent.pointerCancel(map(), finger(1, 500));
  expect(map()).toHaveAttribute('data-moving', 'false');
  fireEvent.pointerMove(map(), finger(1, 600));
  expect(view.x).toBeCloseTo(380);
});

test('the wheel zooms by how far it is turned, and leaves sideways scrolling to the page', () => {
  expect(wheel({ deltaX: 120, deltaY: 0 })).toBe(false);
  expect(wheel({ deltaX: 120, deltaY: 3 })).toBe(false);
  expect(view).toEqual(start);
  expect(wheel({ deltaY: 100 })).toBe(true);
  expect(view.width).toBeCloseTo(250);
  wheel({ deltaY: -10 });
  expect(view.width).toBeCloseTo(250 / 1.25 ** 0.1);
});
