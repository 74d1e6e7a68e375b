import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ActionItem, ActionMenu } from '../action-menu/index.ts';
import { phone, useMedia } from '../media/index.ts';
import type { ListView } from './list-views.ts';
import type { ViewActions } from './use-view-actions.tsx';
import styles from './view-tabs.module.css';

interface ViewToolsProps<S> {
  /** Undefined: all rows. */
  view: ListView<S> | undefined;
  changed: boolean;
  /** Whether the filter in use can be saved. */
  savable: boolean;
  actions: ViewActions;
}

/** The actions on the open view that the person's permissions allow; on a phone all except saving are in the menu. */
export const ViewTools = <S,>({ view, changed, savable, actions }: ViewToolsProps<S>) => {
  const { t } = useTranslation();
  const small = useMedia(phone);
  const saveAs = { key: 'saveAs', label: t('kit.views.saveAs'), onClick: actions.saveAs };
  if (!view) {
    if (!changed || !savable) return null;
    return (
      <div className={styles['tools']}>
        <Button onClick={saveAs.onClick} size="small" type="link">
          {t('kit.views.save')}
        </Button>
      </div>
    );
  }
  const items = actions.items.filter(({ key }) => savable || key !== 'copy');
  const mayChange = savable && view.may.includes('change');
  const whenChanged: ActionItem[] = changed
    ? [
        ...(savable ? [saveAs] : []),
        { key: 'discard', label: t('kit.views.discard'), onClick: actions.discard },
      ]
    : [];
  return (
    <div className={styles['tools']}>
      {changed && mayChange ? (
        <Button onClick={actions.update} size="small" type="link">
          {t('kit.views.update')}
        </Button>
      ) : null}
      {small
        ? null
        : whenChanged.map(({ key, label, onClick }) => (
            <Button key={key} onClick={onClick} size="small" type="link">
              {label}
            </Button>
          ))}
      <ActionMenu
        items={[...(small ? whenChanged : []), ...items]}
        label={t('kit.views.menu', { name: view.name })}
      />
    </div>
  );
};
