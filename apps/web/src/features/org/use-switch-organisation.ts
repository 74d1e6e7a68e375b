import type { MembershipInfo } from '@simcube/contract/identity';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { useLeaveAll } from '../../ui/unsaved/index.ts';

/** Pages about the organisation or account that is being left. */
const areasToLeave = new Set(['orgs', 'orgscreate', 'newUser', 'userDetail']);

/**
 * Asks about unsaved changes, shows the loading message, stores the organisation's code and tenant id, and reloads the console,
 * so that nothing of the previous organisation stays on screen or in memory. A detail page would show an object of the other
 * organisation, so its area is opened instead; from the organisations page it goes to the root.
 */
export const useSwitchOrganisation = (): ((organisation: MembershipInfo) => void) => {
  const { t } = useTranslation();
  const router = useRouter();
  const confirmLeave = useLeaveAll();
  const switchTo = (organisation: MembershipInfo): void => {
    toast.info(t('shell.organisations.switching', { name: organisation.name }));
    session.chooseOrganisation(organisation);
    const [language = '', area = ''] = router.state.location.pathname.split('/').filter(Boolean);
    const target = areasToLeave.has(area) ? `/${language}` : `/${language}/${area}`;
    // Two frames: the message must be painted before the page is left.
    requestAnimationFrame(() => requestAnimationFrame(() => window.location.assign(target)));
  };
  return (organisation) => confirmLeave(() => switchTo(organisation));
};
