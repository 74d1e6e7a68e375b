import type { MembershipInfo } from '@simcube/contract/identity';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { useLeaveAll } from '../../ui/unsaved/index.ts';

/** Pages about the organisation or account that is being left. */
const areasToLeave = new Set(['orgs', 'orgscreate', 'newUser', 'userDetail']);

export const pathAfterSwitch = (pathname: string, areaOf: (pathname: string) => string | null): string => {
  const [language = '', area = ''] = pathname.split('/').filter(Boolean);
  return areasToLeave.has(area) ? `/${language}` : `/${language}/${areaOf(pathname) ?? area}`;
};

/**
 * Asks about unsaved changes, shows the loading message, stores the organisation's code and tenant id, and reloads the console,
 * so that nothing of the previous organisation stays on screen or in memory. A detail page would show an object of the other
 * organisation, so the page of its area is opened instead; from the organisations page it goes to the root.
 * @param areaOf the path of the menu page that a path belongs to
 */
export const useSwitchOrganisation = (
  areaOf: (pathname: string) => string | null = () => null,
): ((organisation: MembershipInfo) => void) => {
  const { t } = useTranslation();
  const router = useRouter();
  const confirmLeave = useLeaveAll();
  /** @returns a promise without an end: the page is left, and must not ask again */
  const switchTo = (organisation: MembershipInfo): Promise<void> => {
    toast.info(t('shell.organisations.switching', { name: organisation.name }));
    session.chooseOrganisation(organisation);
    const target = pathAfterSwitch(router.state.location.pathname, areaOf);
    // Two frames: the message must be painted before the page is left.
    requestAnimationFrame(() => requestAnimationFrame(() => window.location.assign(target)));
    return new Promise(() => undefined);
  };
  return (organisation) => confirmLeave(() => switchTo(organisation));
};
