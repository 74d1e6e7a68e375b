import { keepPreviousData, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import { type ReactNode, useState } from 'react';

import { useLanguage } from '../../lib/language/index.ts';
import { Confirmations } from '../../ui/dialog/index.ts';
import { stillness, useMedia } from '../../ui/media/index.ts';
import { themeFor, useThemeMode } from '../../ui/theme/index.ts';
import { kitWords, loadKitWords } from '../kit-words.ts';
import { NewsQueryClient } from './query-client.ts';

/** Data, theme and words for everything behind the sign-in; gone, with all cached data, when it is left. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(
    () =>
      new NewsQueryClient({
        // Whether the server is there is found out by asking it: without any network it may be on this very machine.
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
    queryFn: () => loadKitWords(language),
    initialData: () => kitWords(language),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  // antd wraps its children once it has words: drawn before, the whole shell would be built twice.
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

/** What opens from a part of the page belongs to that part, where screen readers look for it. */
const landmarkOf = (opener?: HTMLElement): HTMLElement =>
  opener?.closest<HTMLElement>('main, [role="dialog"]') ??
  opener?.closest<HTMLElement>('header, aside') ??
  document.body;
