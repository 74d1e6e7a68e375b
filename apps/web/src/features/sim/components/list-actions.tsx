import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { phone, useMedia } from '../../../ui/media/index.ts';
import type { SimOperations, Target } from '../operations/index.ts';

interface ListActionsProps {
  operations: SimOperations;
  /** What was selected, else all that match. */
  target: Target;
  /** What was selected, else all pre-activated SIMs that match. */
  activation: Target;
  disabled: boolean;
}

/** What the page is for, the main action last. */
export const ListActions = ({ operations, target, activation, disabled }: ListActionsProps) => {
  const { t } = useTranslation();
  const small = useMedia(phone);
  const { allowed, start, transferByFile, uploadInfo } = operations;
  const manages = allowed.includes('transfer');
  const uploads = [
    { key: 'uploadInfo', label: t('operations.verbs.updateInfo'), onClick: uploadInfo },
    { key: 'transfer', label: t('operations.transferByFile'), onClick: transferByFile },
  ];
  const exporting = {
    key: 'export',
    label: t('operations.verbs.export'),
    disabled,
    onClick: () => start('export', target),
  };
  const items = [...(small ? [exporting] : []), ...(manages ? (small ? uploads : uploads.slice(1)) : [])];
  return (
    <>
      {manages && !small ? <Button onClick={uploadInfo}>{t('operations.verbs.updateInfo')}</Button> : null}
      {small ? null : (
        <Button disabled={disabled} onClick={exporting.onClick}>
          {exporting.label}
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
