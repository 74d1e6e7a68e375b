import type { TFunction } from 'i18next';
import type { Confirmation } from '../dialog/index.ts';
import type { ListView, ViewAction } from './list-views.ts';

/** Confirmations for actions that others notice or that can't be undone. */
export const confirmationOf = <S>(
  action: Exclude<ViewAction, 'change'>,
  { name, own, owner, shared }: ListView<S>,
  t: TFunction,
): Confirmation => {
  switch (action) {
    case 'share':
      return {
        title: t('kit.views.shareTitle', { name }),
        body: t('kit.views.shareBody'),
        action: t('kit.views.shareAction'),
      };
    case 'withdraw':
      return {
        title: t('kit.views.withdrawTitle', { name }),
        body: own ? t('kit.views.withdrawOwn') : t('kit.views.withdrawOther', { owner }),
        action: t('kit.views.withdrawAction'),
        danger: true,
      };
    case 'remove':
      return {
        title: t('kit.views.removeTitle', { name }),
        body: shared ? t('kit.views.removeShared') : t('kit.views.removeOwn'),
        action: t('kit.views.removeAction'),
        danger: true,
      };
  }
};
