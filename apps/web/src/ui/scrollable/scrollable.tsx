import type { ReactNode, Ref, UIEventHandler } from 'react';

interface ScrollableProps {
  label: string;
  className: string | undefined;
  ref?: Ref<HTMLElement>;
  onScroll?: UIEventHandler<HTMLElement>;
  children: ReactNode;
}

/** A part of a page that scrolls independently. */
export const Scrollable = ({ label, children, ...rest }: ScrollableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs keyboard access (WCAG 2.1.1; axe: scrollable-region-focusable).
  <section aria-label={label} tabIndex={0} {...rest}>
    {children}
  </section>
);
