import type { Role } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { Select } from '../../../ui/select/index.ts';
import { grantableRoles } from '../account-rules.ts';
import styles from './role-select.module.css';

interface RoleSelectProps {
  id?: string;
  value?: Role;
  onChange?: (role: Role) => void;
  disabled?: boolean;
}

/** The roles that the person may grant, each with its permissions. The form passes in the value. */
export const RoleSelect = ({ disabled = false, ...field }: RoleSelectProps) => {
  const { t } = useTranslation();
  return (
    <Select<Role>
      {...field}
      {...(disabled ? { disabled } : {})}
      optionRender={({ value }) => (
        <span className={styles['option']}>
          <span>{t(`common.roles.${value as Role}`)}</span>
          <span className={styles['hint']}>{t(`account.roleHints.${value as Role}`)}</span>
        </span>
      )}
      options={grantableRoles().map((value) => ({ value, label: t(`common.roles.${value}`) }))}
    />
  );
};
