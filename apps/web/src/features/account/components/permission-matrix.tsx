import { CheckOutlined } from '@ant-design/icons';
import { isGrantable, type PermissionKey, type PermissionMap, permissionKeys } from '@simcube/contract';
import { Button, Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { Scrollable } from '../../../ui/scrollable/index.ts';
import { Status } from '../../../ui/status/index.ts';
import {
  draftActions,
  grantedActions,
  type PermissionDraft,
  type ShownAction,
  shownActions,
} from '../permission-draft.ts';
import styles from './matrix.module.css';

export interface MatrixEditing {
  draft: PermissionDraft;
  onToggle: (key: PermissionKey, action: ShownAction) => void;
  /** Changes selected to be reverted together. */
  selected: readonly PermissionKey[];
  onSelect: (key: PermissionKey, on: boolean) => void;
  onRevert: (key: PermissionKey) => void;
  disabled: boolean;
}

interface MatrixProps {
  /** The account's name. */
  name: string;
  effective: PermissionMap;
  ofRole: PermissionMap;
  changes: PermissionMap;
  /** Read-only if undefined. */
  editing?: MatrixEditing;
}

/** Areas in rows, permissions in columns: what is in effect, what the role grants, and what was changed. */
export const PermissionMatrix = ({ name, effective, ofRole, changes, editing }: MatrixProps) => {
  const { t } = useTranslation();
  return (
    <Scrollable className={styles['scroll']} label={t('account.permissions.label', { name })}>
      <table className={styles['matrix']}>
        <thead>
          <tr>
            <th scope="col">{t('account.permissions.area')}</th>
            {shownActions.map((action) => (
              <th
                className={styles['centre']}
                key={action}
                scope="col"
                title={t(`account.permissions.actionHints.${action}`)}
              >
                {t(`account.permissions.actions.${action}`)}
              </th>
            ))}
            <th scope="col">{t('account.permissions.source')}</th>
          </tr>
        </thead>
        <tbody>
          {permissionKeys.map((key) => (
            <tr data-drafted={editing?.draft[key] ? 'true' : undefined} key={key}>
              <th scope="row">{t(`account.permissions.keys.${key}`)}</th>
              {shownActions.map((action) => (
                <td className={styles['centre']} key={action}>
                  <Cell
                    action={action}
                    editing={editing}
                    granted={draftActions({ effective, draft: editing?.draft ?? {} }, key).includes(action)}
                    ofRole={grantedActions(ofRole, key).includes(action)}
                    permission={key}
                  />
                </td>
              ))}
              <td>
                <Source changed={changes[key] !== undefined} editing={editing} permission={key} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
};

interface CellProps {
  permission: PermissionKey;
  action: ShownAction;
  granted: boolean;
  ofRole: boolean;
  editing: MatrixEditing | undefined;
}

const Cell = ({ permission, action, granted, ofRole, editing }: CellProps) => {
  const { t } = useTranslation();
  const label = t('account.permissions.cell', {
    action: t(`account.permissions.actions.${action}`),
    area: t(`account.permissions.keys.${permission}`),
  });
  const isAllowed = isGrantable(permission, action);
  if (!editing) {
    return (
      <span
        aria-label={t('kit.marks.named', {
          name: label,
          value: t(`account.permissions.${granted ? 'allowed' : 'notAllowed'}`),
        })}
        className={granted ? styles['granted'] : styles['quiet']}
        role="img"
      >
        {granted ? <CheckOutlined aria-hidden="true" /> : '—'}
      </span>
    );
  }
  return (
    <span
      className={styles['cell']}
      {...(!isAllowed ? { title: t('account.permissions.notGrantable') } : {})}
    >
      <Checkbox
        aria-label={label}
        checked={granted}
        disabled={!isAllowed || editing.disabled}
        onChange={() => editing.onToggle(permission, action)}
      />
      {ofRole ? <span aria-hidden="true" className={styles['dot']} /> : null}
    </span>
  );
};

interface SourceProps {
  permission: PermissionKey;
  changed: boolean;
  editing: MatrixEditing | undefined;
}

const Source = ({ permission, changed, editing }: SourceProps) => {
  const { t } = useTranslation();
  const area = t(`account.permissions.keys.${permission}`);
  if (!changed) return <span className={styles['quiet']}>{t('account.permissions.ofRole')}</span>;
  return (
    <span className={styles['source']}>
      {editing ? (
        <Checkbox
          aria-label={t('account.permissions.select', { area })}
          checked={editing.selected.includes(permission)}
          disabled={editing.disabled}
          onChange={(event) => editing.onSelect(permission, event.target.checked)}
        />
      ) : null}
      <Status tone="orange">{t('account.permissions.changed')}</Status>
      {editing ? (
        <Button
          aria-label={t('account.permissions.takeBackNamed', { area })}
          disabled={editing.disabled}
          onClick={() => editing.onRevert(permission)}
          size="small"
          type="link"
        >
          {t('account.permissions.takeBack')}
        </Button>
      ) : null}
    </span>
  );
};
