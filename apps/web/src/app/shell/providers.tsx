import { keepPreviousData, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import { type ReactNode, useState } from 'react';

import { useLanguage } from '../../lib/language/index.ts';
import { Confirmations } from '../../ui/dialog/index.ts';
import { stillness, useMedia } from '../../ui/media/index.ts';
import { themeFor, useThemeMode } from '../../ui/theme/index.ts';
import { antdLocale, loadAntdLocale } from '../antd-locale.ts';
import { RefetchingQueryClient } from './query-client.ts';

/** Provides data, theme and texts to everything behind the sign-in; unmounted with all cached data when the person leaves it. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(
    () =>
      new RefetchingQueryClient({
        // Always sends the request: even without a network, the server may be on this very machine.
        defaultOptions: { queries: { staleTime: 10_000, gcTime: 300_000, networkMode: 'always' } },
      }),
  );
  return (
    <QueryClientProvider client={queries}>
      <Kit>{children}</Kit>
    </QueryClientProvider>
  );
};

const Kit = ({ children }: { children: ReactNode }) => {
  const mode = useThemeMode();
  const still = useMedia(stillness);
  const language = useLanguage();
  const { data: locale } = useQuery({
    queryKey: ['kit-words', language],
    queryFn: () => loadAntdLocale(language),
    initialData: () => antdLocale(language),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  // antd adds a wrapper around its children once it has texts: rendering earlier would build the whole shell twice.
  if (!locale) return null;
  return (
    <ConfigProvider
      theme={themeFor(mode, { still })}
      locale={locale}
      button={{ autoInsertSpace: false }}
      getPopupContainer={landmarkOf}
    >
      <Confirmations>{children}</Confirmations>
    </ConfigProvider>
  );
};

/** An overlay belongs to the landmark that it was opened from, so that screen readers find it there. */
const landmarkOf = (opener?: HTMLElement): HTMLElement =>
  opener?.closest<HTMLElement>('main, [role="dialog"]') ??
  opener?.closest<HTMLElement>('header, aside') ??
  document.body;
