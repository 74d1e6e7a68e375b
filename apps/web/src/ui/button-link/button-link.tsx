import { useRouter } from '@tanstack/react-router';
import { Button, type ButtonProps } from 'antd';
import { wantsNewTab } from '../link/index.ts';

/** A button that leads to another page of the console; a real anchor, as a link is. */
export const ButtonLink = ({ href, ...rest }: Omit<ButtonProps, 'href' | 'onClick'> & { href: string }) => {
  const { history } = useRouter();
  return (
    <Button
      {...rest}
      href={href}
      onClick={(event) => {
        if (wantsNewTab(event)) return;
        event.preventDefault();
        history.push(href);
      }}
    />
  );
};
