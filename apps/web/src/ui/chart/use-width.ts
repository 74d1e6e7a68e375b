import { type RefObject, useLayoutEffect, useState } from 'react';

/** The width of a box in CSS pixels, whole, as it changes; undefined until it is laid out. */
export const useWidth = (box: RefObject<HTMLElement | null>): number | undefined => {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(Math.round(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
};
