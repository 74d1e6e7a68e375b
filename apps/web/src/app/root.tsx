import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useTabTitle } from '../ui/title/index.ts';
import { Toaster } from './toaster.tsx';

/** Wraps every page, public or not. */
export const Root = () => (
  <>
    <Title />
    <Outlet />
    <Toaster />
  </>
);

const Title = () => {
  const { t } = useTranslation();
  const key = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const product = t('common.product');
  const title = [...useTabTitle(key && t(key)), product].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
};
