import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { loadWhenReachable, MissingChunkError } from '../../lib/chunks/index.ts';
import { translate } from '../../lib/language/index.ts';
import { toast } from '../../lib/toast/index.ts';

export interface OverlayProps {
  open: boolean;
  onClose: () => void;
  /** The text typed while the component was loading. */
  typed?: string;
}

/** An overlay whose script is fetched when it opens for the first time; it costs nothing before. */
export const lazyOverlay = <P extends OverlayProps>(load: () => Promise<ComponentType<P>>) =>
  function LazyOverlay(props: P) {
    const [loaded, setLoaded] = useState<{ Component: ComponentType<P> }>();
    const shouldLoad = props.open && loaded === undefined;
    const typed = useTypedText(loaded !== undefined, props);
    const onFailed = useEffectEvent((error: unknown) => {
      if (error instanceof MissingChunkError) suggestReload();
      else toast.error(translate('errors.client.networkError'));
      props.onClose();
    });
    useEffect(() => {
      if (!shouldLoad) return;
      let isCancelled = false;
      // Unlike a screen, an overlay does not wait for the network: nothing would show that it is about to open.
      loadWhenReachable(load, { waits: false }).then(
        (Component) => isCancelled || setLoaded({ Component }),
        (error: unknown) => isCancelled || onFailed(error),
      );
      return () => {
        isCancelled = true;
      };
    }, [shouldLoad]);
    return loaded ? <loaded.Component {...props} typed={typed} /> : null;
  };

/** Not done for the person: the page below may have unsaved input, about which the browser asks. */
const suggestReload = (): void =>
  toast.upsert({
    key: 'missing-chunk',
    kind: 'error',
    text: translate('errors.client.missingChunk'),
    note: null,
    link: null,
    progress: null,
    actions: [{ label: translate('common.actions.reload'), onPress: () => window.location.reload() }],
    sticky: false,
    onRemoved: () => undefined,
  });

/**
 * Captures the keys typed for a component that is still loading, so that the page below does not get them, until the component
 * has the focus or closes.
 */
const useTypedText = (isLoaded: boolean, { open, onClose }: OverlayProps): string => {
  const [typed, setTyped] = useState('');
  if (!open && typed !== '') setTyped('');
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (isLoaded && document.activeElement?.closest('dialog, [role="dialog"]')) return;
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
