import {
  ApiOutlined,
  DashboardOutlined,
  MailOutlined,
  MessageOutlined,
  MobileOutlined,
  PauseOutlined,
  PoweroffOutlined,
  StopOutlined,
  TagOutlined,
} from '@ant-design/icons';
import type { RuleActionKind } from '@simcube/contract/autoflow';
import type { ComponentType } from 'react';
import styles from './autoflow.module.css';

const icons: Record<RuleActionKind, ComponentType<{ className?: string }>> = {
  mail: MailOutlined,
  api: ApiOutlined,
  sms: MobileOutlined,
  'data-off': PoweroffOutlined,
  slow: DashboardOutlined,
  'terminate-order': StopOutlined,
  'suspend-mt-sms': MessageOutlined,
  suspend: PauseOutlined,
  'add-tag': TagOutlined,
};

/** Shown next to the action's name, which says the same. */
export const ActionIcon = ({ kind }: { kind: RuleActionKind }) => {
  const Icon = icons[kind];
  return (
    <span aria-hidden="true" className={styles['icon']}>
      <Icon />
    </span>
  );
};
