import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { translate } from '../../lib/language/index.ts';
import { toast } from '../../lib/toast/index.ts';

interface Opening {
  open: boolean;
  onClose: () => void;
}

/** What opens over the page, fetched when it opens for the first time: until then it costs nothing. */
export const openedLater = <P extends Opening>(load: () => Promise<ComponentType<P>>) =>
  function OpenedLater(props: P) {
    const [known, setKnown] = useState<{ Part: ComponentType<P> }>();
    const wanted = props.open && known === undefined;
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
    return known ? <known.Part {...props} /> : null;
  };
