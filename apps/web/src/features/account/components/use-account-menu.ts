import type { Account } from '@simcube/contract/account';
import { useTranslation } from 'react-i18next';
import type { ActionItem } from '../../../ui/action-menu/index.ts';
import { isOwn, mayManage, mayWrite } from '../account-rules.ts';
import { type AccountAction, useAccountActions } from '../api/use-account-actions.ts';
import { useCanOversee } from '../api/use-accounts.ts';

interface AccountMenuOptions {
  account: Account;
  /** Called after an action was done. */
  onDone?: (action: AccountAction) => void;
}

/** The actions that this person may take on an account: the same in its row and on its page. */
export const useAccountMenu = (): ((of: AccountMenuOptions) => ActionItem[]) => {
  const { t } = useTranslation();
  const runAction = useAccountActions();
  const canOversee = useCanOversee();
  return ({ account, onDone }) =>
    actionsFor(account, canOversee).map((action) => ({
      key: action,
      label: t(`account.actions.${action}`),
      disabledReason:
        action === 'resetPassword' && account.fixed.includes('password')
          ? t('account.fixed.password')
          : undefined,
      danger: action === 'remove' || action === 'revoke',
      separated: action === 'remove' || action === 'revoke',
      onClick: () =>
        void runAction(action, account).then((done) => {
          if (done) onDone?.(action);
        }),
    }));
};

const actionsFor = (account: Account, canOversee: boolean): AccountAction[] => {
  if (!mayWrite() || !mayManage(account)) return [];
  if (account.status === 'pending') return ['resend', 'revoke'];
  // A superadmin inherently has oversight, and can be neither removed nor disabled (specification, section 6).
  const protectedRole = account.role === 'superadmin';
  const oversight = protectedRole ? [] : oversightActions(account, canOversee);
  if (isOwn(account)) return oversight;
  const status: AccountAction[] = protectedRole ? [] : [account.status === 'disabled' ? 'enable' : 'disable'];
  return [
    ...oversight,
    'resetPassword',
    'endSessions',
    ...status,
    ...(protectedRole ? [] : (['remove'] as const)),
  ];
};

const oversightActions = ({ oversight }: Account, canOversee: boolean): AccountAction[] => {
  if (oversight) return ['takeOversight'];
  return canOversee ? ['giveOversight'] : [];
};
