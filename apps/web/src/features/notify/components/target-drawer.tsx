import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Time } from '../../../ui/time/index.ts';
import type { Group, GroupKind } from '../api/groups.ts';
import { mayChange } from '../may-change.ts';
import { Deliveries } from './deliveries.tsx';
import styles from './groups.module.css';
import { TargetStatus } from './states.tsx';

interface TargetDrawerProps {
  kind: GroupKind;
  group: Group | undefined;
  /** Shown instead while there is no target; the drawer is closed without either. */
  fallback: ReactNode;
  onTest: (group: Group) => void;
  onResume: (group: Group) => void;
  onClose: () => void;
}

/** A target and its deliveries. */
export const TargetDrawer = ({ kind, group, fallback, onTest, onResume, onClose }: TargetDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer
      onClose={onClose}
      open={group !== undefined || fallback !== null}
      title={group?.name ?? t(`notify.label.${kind}`)}
      width={560}
    >
      {group ? (
        <div className={styles['target']}>
          <PausedAlert group={group} onResume={onResume} />
          <TargetDetails group={group} kind={kind} />
          <Deliveries
            groupId={group.id}
            key={group.id}
            onTest={mayChange() ? () => onTest(group) : undefined}
          />
        </div>
      ) : (
        fallback
      )}
    </Drawer>
  );
};

const PausedAlert = ({ group, onResume }: Pick<TargetDrawerProps, 'onResume'> & { group: Group }) => {
  const { t } = useTranslation();
  const reason = group.api?.paused_for;
  if (!reason) return null;
  return (
    <Alert
      action={
        mayChange() ? (
          <Button onClick={() => onResume(group)} size="small">
            {t('notify.actions.resume')}
          </Button>
        ) : null
      }
      showIcon
      title={t(`notify.pausedFor.${reason}`)}
      type="warning"
    />
  );
};

const TargetDetails = ({ group, kind }: { group: Group; kind: GroupKind }) => {
  const { t } = useTranslation();
  const { api, addresses } = group;
  const addressItem = { term: t(`notify.addresses.${kind}`), value: addresses.join(', ') };
  return (
    <DescriptionList
      items={
        api
          ? [
              addressItem,
              { term: t('notify.fields.state'), value: <TargetStatus state={api.state} /> },
              { term: t('notify.fields.secret'), value: <Time at={api.secret_created_at} /> },
              ...(api.former_secret_until
                ? [{ term: t('notify.fields.formerSecret'), value: <Time at={api.former_secret_until} /> }]
                : []),
            ]
          : [addressItem]
      }
    />
  );
};
