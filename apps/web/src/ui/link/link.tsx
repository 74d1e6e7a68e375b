import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { useTabIndex } from '../focus/index.ts';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  children: ReactNode;
}

/** Whether a click asks for another tab or window, which is left to the browser. */
export const wantsNewTab = (
  event: Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'button'>,
): boolean => event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1;

/** A real anchor that navigates inside the console on a plain click. */
export const Link = ({ href, onClick, children, ...rest }: LinkProps) => {
  const router = useRouter();
  const tabIndex = useTabIndex();
  return (
    <a
      tabIndex={tabIndex}
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || wantsNewTab(event)) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {children}
    </a>
  );
};
