import { allows, permissionKeys, permissionsByRole, type Role, roles } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Scrollable } from '../../../ui/scrollable/index.ts';
import { shownActions } from '../permission-draft.ts';
import styles from './matrix.module.css';

/** The permissions of each role: areas in rows, roles in columns. */
export const RoleMatrix = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Drawer onClose={onClose} open={open} title={t('account.roleMatrix.title')} width={720}>
      <p className={styles['text']}>{t('account.roleMatrix.text')}</p>
      <Scrollable className={styles['scroll']} label={t('account.roleMatrix.title')}>
        <table className={styles['matrix']}>
          <thead>
            <tr>
              <th scope="col">{t('account.permissions.area')}</th>
              {roles.map((role) => (
                <th key={role} scope="col">
                  {t(`common.roles.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissionKeys.map((key) => (
              <tr key={key}>
                <th scope="row">{t(`account.permissions.keys.${key}`)}</th>
                {roles.map((role) => (
                  <td key={role}>
                    <RolePermissions permission={key} role={role} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      <dl className={styles['hints']}>
        {roles.map((role) => (
          <div key={role}>
            <dt>{t(`common.roles.${role}`)}</dt>
            <dd>{t(`account.roleHints.${role}`)}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  );
};

const RolePermissions = ({
  role,
  permission,
}: {
  role: Role;
  permission: (typeof permissionKeys)[number];
}) => {
  const { t } = useTranslation();
  const granted = shownActions.filter((action) => allows(permissionsByRole[role], permission, action));
  if (granted.length === shownActions.length) {
    return <span className={styles['all']}>{t('account.roleMatrix.all')}</span>;
  }
  if (granted.length === 0) return <span className={styles['quiet']}>{t('account.roleMatrix.none')}</span>;
  return granted.map((action) => t(`account.permissions.actions.${action}`)).join(' · ');
};
