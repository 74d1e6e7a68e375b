import { endpoints, limits } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { joinList } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { type Confirmation, useConfirm } from '../../../ui/dialog/index.ts';
import { nameOf } from '../account-rules.ts';
import { refetchAccounts } from './use-accounts.ts';

/** Organisations that a confirmation names; it counts the rest. */
const namedOrganisations = 5;
/** The question is asked without these organisations rather than late. */
const partnersTimeoutMs = 2000;

export type AccountAction =
  | 'disable'
  | 'enable'
  | 'giveOversight'
  | 'takeOversight'
  | 'resetPassword'
  | 'endSessions'
  | 'resend'
  | 'revoke'
  | 'remove';

const confirmations = {
  disable: { words: 'disable', done: 'disabled', danger: true },
  enable: { words: 'enable', done: 'enabled', danger: false },
  giveOversight: { words: 'giveOversight', done: 'oversightGiven', danger: false },
  takeOversight: { words: 'takeOversight', done: 'oversightTaken', danger: true },
  resetPassword: { words: 'reset', done: 'reset', danger: true },
  endSessions: { words: 'endSessions', done: 'sessionsEnded', danger: true },
  resend: { words: 'resend', done: 'resent', danger: false },
  revoke: { words: 'revoke', done: 'revoked', danger: true },
  remove: { words: 'remove', done: 'removed', danger: true },
} as const;

const endsAccess = (action: AccountAction): boolean =>
  action === 'remove' || action === 'disable' || action === 'takeOversight';

/** Asks for confirmation with a precise description, runs the action, and reports success. @returns true if it was done */
export const useAccountActions = (): ((action: AccountAction, account: Account) => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const queries = useQueryClient();
  /** Where the person keeps access, as far as it can be seen and fetched: an overseer is an admin of many organisations below. */
  const staysText = async ({ id }: Account): Promise<string[]> => {
    const params = { userId: id };
    const signal = AbortSignal.timeout(partnersTimeoutMs);
    const partners = await call(endpoints.account.listPartners, { params, signal, announce: false }).catch(
      () => undefined,
    );
    const others = (partners?.data ?? []).filter(
      ({ code, disabled }) => code !== session.get('partnerCode') && !disabled,
    );
    if (others.length === 0) return [];
    const named = others
      .slice(0, namedOrganisations)
      .map(({ name, role }) => t('account.confirm.memberOf', { name, role: t(`common.roles.${role}`) }));
    const count = others.length - named.length;
    return [
      t('account.confirm.stays', {
        organisations: joinList(count > 0 ? [...named, t('account.confirm.more', { count })] : named),
      }),
    ];
  };
  return async (action, account) => {
    const { words, done, danger } = confirmations[action];
    const values = {
      name: nameOf(account),
      email: account.email,
      organisation: session.currentMembership()?.name ?? '',
      minutes: limits.passwordResetMinutes,
      days: limits.invitationDays,
    };
    const stays = endsAccess(action) ? await staysText(account) : [];
    const confirmation: Confirmation = {
      title: t(`account.confirm.${words}Title`, values),
      body: [t(`account.confirm.${words}Text`, values), ...stays].join(' '),
      action: t(`account.actions.${action}`),
      danger,
    };
    if (!(await confirm(confirmation))) return false;
    const isDone = await attempt(() => perform(action, account));
    // A possible cause of a failure is outdated data on screen.
    refetchAccounts(queries);
    if (isDone) toast.success(t(`account.done.${done}`, values));
    return isDone;
  };
};

const perform = async (action: AccountAction, account: Account): Promise<unknown> => {
  const params = { userId: account.id };
  switch (action) {
    case 'disable':
      return await call(endpoints.account.changeStatus, { params, body: { status: 'disabled' } });
    case 'enable':
      return await call(endpoints.account.changeStatus, { params, body: { status: 'active' } });
    case 'giveOversight':
      return await call(endpoints.account.setOversight, { params, body: { oversight: true } });
    case 'takeOversight':
      return await call(endpoints.account.setOversight, { params, body: { oversight: false } });
    case 'resetPassword':
      return await call(endpoints.account.resetPassword, { params });
    case 'endSessions':
      return await call(endpoints.account.endSessions, { params });
    case 'remove':
      return await call(endpoints.account.remove, { params });
    case 'revoke':
      return await call(endpoints.identity.revokeInvitation, {
        query: { invitationId: account.pending_invitation?.id ?? account.id },
      });
    case 'resend':
      return await call(endpoints.identity.invite, { body: invitationOf(account) });
  }
};

/** Inviting the same address again resends the pending invitation. */
const invitationOf = ({
  email,
  role,
  locale,
  oversight,
  first_name: firstName,
  last_name: lastName,
}: Account) => ({
  email,
  role,
  language: locale,
  oversight,
  ...(firstName === '' ? {} : { first_name: firstName }),
  ...(lastName === '' ? {} : { last_name: lastName }),
});
