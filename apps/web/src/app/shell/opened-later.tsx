import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { translate } from '../../lib/language/index.ts';
import { toast } from '../../lib/toast/index.ts';

export interface Opening {
  open: boolean;
  onClose: () => void;
  /** The text typed while the component was loading. */
  typed?: string;
}

/** An overlay whose script is fetched when it opens for the first time; it costs nothing before. */
export const openedLater = <P extends Opening>(load: () => Promise<ComponentType<P>>) =>
  function OpenedLater(props: P) {
    const [known, setKnown] = useState<{ Part: ComponentType<P> }>();
    const wanted = props.open && known === undefined;
    const typed = useTyped(known !== undefined, props);
    const onFailed = useEffectEvent(() => {
      toast.error(translate('errors.client.networkError'));
      props.onClose();
    });
    useEffect(() => {
      if (!wanted) return;
      let left = false;
      load().then(
        (Part) => left || setKnown({ Part }),
        () => left || onFailed(),
      );
      return () => {
        left = true;
      };
    }, [wanted]);
    return known ? <known.Part {...props} typed={typed} /> : null;
  };

/**
 * Captures the keys typed for a component that is still loading, so that the page below does not get them, until the component
 * has the focus or closes.
 */
const useTyped = (isThere: boolean, { open, onClose }: Opening): string => {
  const [typed, setTyped] = useState('');
  if (!open && typed !== '') setTyped('');
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (isThere && document.activeElement?.closest('dialog, [role="dialog"]')) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'Escape') onClose();
    else if (key === 'Backspace') setTyped((text) => text.slice(0, -1));
    else if (key.length === 1) setTyped((text) => text + key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    if (!open) return;
    const listen = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, [open]);
  return typed;
};
