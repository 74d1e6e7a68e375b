import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { phone, useMedia } from '../../../ui/media/index.ts';
import type { SimOperations, Target } from '../operations/index.ts';

interface ListActionsProps {
  operations: SimOperations;
  /** The selected SIMs, or all that match. */
  target: Target;
  /** The selected SIMs, or all matching ones that are pre-activated. */
  activation: Target;
  disabled: boolean;
}

/** The page's actions, the main one last. */
export const ListActions = ({ operations, target, activation, disabled }: ListActionsProps) => {
  const { t } = useTranslation();
  const isPhone = useMedia(phone);
  const { allowed, start, transferByFile, uploadInfo } = operations;
  const canTransfer = allowed.includes('transfer');
  const uploadItems = [
    { key: 'uploadInfo', label: t('operations.verbs.updateInfo'), onClick: uploadInfo },
    { key: 'transfer', label: t('operations.transferByFile'), onClick: transferByFile },
  ];
  const exportItem = {
    key: 'export',
    label: t('operations.verbs.export'),
    disabled,
    onClick: () => start('export', target),
  };
  const items = [
    ...(isPhone ? [exportItem] : []),
    ...(canTransfer ? (isPhone ? uploadItems : uploadItems.slice(1)) : []),
  ];
  return (
    <>
      {canTransfer && !isPhone ? (
        <Button onClick={uploadInfo}>{t('operations.verbs.updateInfo')}</Button>
      ) : null}
      {isPhone ? null : (
        <Button disabled={disabled} onClick={exportItem.onClick}>
          {exportItem.label}
        </Button>
      )}
      {items.length > 0 ? <ActionMenu items={items} label={t('operations.more')} size="middle" /> : null}
      {allowed.includes('activate') ? (
        <Button disabled={disabled} onClick={() => start('activate', activation)} type="primary">
          {t('operations.activateMore')}
        </Button>
      ) : null}
    </>
  );
};
