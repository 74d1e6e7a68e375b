import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../lib/api-client/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { toast } from '../../lib/toast/index.ts';
import type { ActionItem } from '../action-menu/index.ts';
import { useConfirm } from '../dialog/index.ts';
import { useHandler } from '../handler/index.ts';
import type { ListView, ListViews, ViewAction } from './list-views.ts';
import type { List } from './use-list.ts';
import { confirmationOf } from './view-confirmations.ts';
import { ViewNameDialog } from './view-name-dialog.tsx';

interface ViewActionsOptions<Row, S extends ListParams> {
  list: List<Row, S>;
  views: ListViews<S>;
  /** The open view. */
  shown: ListView<S> | undefined;
  /** The open view was removed, and its menu, which had the focus, with it: the focus moves to the tab with all rows. */
  onRemoved: () => void;
}

export interface ViewActions {
  update: () => void;
  saveAs: () => void;
  discard: () => void;
  /** Items of the open view's menu. */
  items: readonly ActionItem[];
  /** The open dialog; must be rendered once. */
  dialog: ReactNode;
}

/** The actions on the open view. */
export const useViewActions = <Row, S extends ListParams>({
  list,
  views,
  shown,
  onRemoved,
}: ViewActionsOptions<Row, S>): ViewActions => {
  const [naming, setNaming] = useState<'new' | 'copy' | 'rename' | undefined>();
  const name = async (chosen: string): Promise<string | undefined> => {
    if (naming !== 'rename' || !shown) return await views.save(chosen, list.search);
    await views.rename(shown.id, chosen);
    return undefined;
  };
  return {
    update: () => {
      if (shown) void attempt(() => views.update(shown.id, list.search));
    },
    saveAs: () => setNaming('new'),
    discard: () => {
      if (shown) list.onView(shown.open());
    },
    items: useItems({ list, views, shown, onRemoved }, setNaming),
    dialog: naming ? (
      <ViewNameDialog
        initial={naming === 'new' ? '' : (shown?.name ?? '')}
        kind={naming}
        naming={views.naming}
        onClose={() => setNaming(undefined)}
        onName={name}
        onNamed={(id) => {
          setNaming(undefined);
          if (id !== undefined) list.onView({ ...list.search, view: id });
        }}
      />
    ) : null,
  };
};

const useItems = <Row, S extends ListParams>(
  { list, views, shown: view, onRemoved }: ViewActionsOptions<Row, S>,
  onName: (kind: 'copy' | 'rename') => void,
): ActionItem[] => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  /** The person may have opened another view in the meantime. */
  const showAll = useHandler((removedId: string) => {
    if (list.search.view !== removedId) return;
    list.onAll();
    onRemoved();
  });
  if (!view) return [];
  const confirmAndRun = async (action: Exclude<ViewAction, 'change'>): Promise<void> => {
    if (!(await confirm(confirmationOf(action, view, t)))) return;
    await views[action](view.id);
    toast.success(t(`kit.views.${action}Done`, { name: view.name }));
    if (action === 'share' || (action === 'withdraw' && view.own)) return;
    showAll(view.id);
  };
  const item = (action: ViewAction, onClick: () => void): ActionItem[] =>
    view.may.includes(action) ? [{ key: action, label: t(`kit.views.${action}`), onClick }] : [];
  const confirmedItem = (action: Exclude<ViewAction, 'change'>): ActionItem[] =>
    item(action, () => void attempt(() => confirmAndRun(action)));
  return [
    ...item('change', () => onName('rename')),
    { key: 'copy', label: t('kit.views.copy'), onClick: () => onName('copy') },
    ...confirmedItem('share'),
    ...confirmedItem('withdraw'),
    ...possibleMoves(views.views ?? [], view).map(({ key, order }, index) => ({
      key,
      label: t(`kit.views.${key}`),
      separated: index === 0,
      onClick: () => void attempt(() => views.order(order)),
    })),
    ...confirmedItem('remove').map((remove) => ({ ...remove, danger: true, separated: true })),
  ];
};

/** The orders in which the view is one position further to the left or to the right. */
const possibleMoves = <S,>(views: readonly ListView<S>[], view: ListView<S>) => {
  const ids = views.map(({ id }) => id);
  const index = ids.indexOf(view.id);
  const others = ids.filter((id) => id !== view.id);
  const orderAt = (position: number): string[] => [
    ...others.slice(0, position),
    view.id,
    ...others.slice(position),
  ];
  return [
    ...(index > 0 ? [{ key: 'moveLeft' as const, order: orderAt(index - 1) }] : []),
    ...(index < ids.length - 1 ? [{ key: 'moveRight' as const, order: orderAt(index + 1) }] : []),
  ];
};
