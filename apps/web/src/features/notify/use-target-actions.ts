import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../lib/api-client/index.ts';
import { toast } from '../../lib/toast/index.ts';
import type { ActionItem } from '../../ui/action-menu/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';
import { useHandler } from '../../ui/handler/index.ts';
import { removeTarget, renewSecret, resumeTarget, testTarget } from './api/deliveries.ts';
import { type Group, refetchGroups } from './api/groups.ts';

interface TargetActionsOptions {
  /** Identifies the list and the target that are open. */
  opened: string;
  onEdit: (group: Group) => void;
  onDeliveries: (group: Group) => void;
  onSecret: (secret: string) => void;
}

/** The actions on a target for people who may change it. */
export const useTargetActions = ({ opened, onEdit, onDeliveries, onSecret }: TargetActionsOptions) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const run = (work: () => Promise<unknown>): void => {
    void attempt(work).then(() => refetchGroups(queries));
  };
  const showTest = useHandler((group: Group, openedBefore: string) => {
    // The person may have opened another target in the meantime.
    if (opened === openedBefore) onDeliveries(group);
  });
  const test = (group: Group): void =>
    run(async () => {
      await testTarget(group.id);
      showTest(group, opened);
    });
  const resume = ({ id, name }: Group): void =>
    run(async () => {
      await resumeTarget(id);
      toast.success(t('notify.resumed', { name }));
    });
  const renew = ({ id, name }: Group): void =>
    run(async () => {
      const confirmation = {
        title: t('notify.renew.title', { name }),
        body: t('notify.renew.body'),
        action: t('notify.actions.renew'),
      };
      if (await confirm(confirmation)) onSecret(await renewSecret(id));
    });
  const remove = ({ id, name }: Group): void =>
    run(async () => {
      const confirmation = {
        title: t('notify.remove.title', { name }),
        body: t('notify.remove.body'),
        action: t('notify.actions.remove'),
        danger: true,
      };
      if (!(await confirm(confirmation))) return;
      await removeTarget(id);
      toast.success(t('notify.removed', { name }));
    });
  const itemsOf = (group: Group): ActionItem[] => [
    { key: 'edit', label: t('notify.actions.edit'), onClick: () => onEdit(group) },
    { key: 'deliveries', label: t('notify.actions.deliveries'), onClick: () => onDeliveries(group) },
    { key: 'test', label: t('notify.actions.test'), onClick: () => test(group) },
    ...(group.api ? [{ key: 'renew', label: t('notify.actions.renew'), onClick: () => renew(group) }] : []),
    ...(group.api?.state === 'paused'
      ? [{ key: 'resume', label: t('notify.actions.resume'), onClick: () => resume(group) }]
      : []),
    {
      key: 'remove',
      label: t('notify.actions.remove'),
      onClick: () => remove(group),
      danger: true,
      separated: true,
    },
  ];
  return { itemsOf, test, resume };
};
