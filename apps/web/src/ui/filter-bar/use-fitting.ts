import { useLayoutEffect, useRef, useState } from 'react';

/** A narrower row has no room for even one readable element. */
const leastWidth = 96;

/**
 * How many of an element's children fit into its first line; `row` is for an element that wraps and shows one line. `content`
 * must change whenever the children's widths may have changed.
 */
export const useFitting = (content: string) => {
  const row = useRef<HTMLDivElement>(null);
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changed children must be measured again
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const measure = (): void => {
      const children = [...element.children] as HTMLElement[];
      const line = children.filter(({ offsetTop }) => offsetTop === children[0]?.offsetTop);
      setFitting(element.clientWidth > 0 && element.clientWidth < leastWidth ? 0 : line.length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [content]);
  return { row, fitting };
};
