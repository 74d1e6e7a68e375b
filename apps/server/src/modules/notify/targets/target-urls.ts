import { fail } from '../../../platform/http/index.ts';
import { isBlockedUrl, isPortBlocked, publicPorts } from '../../../platform/outbound/index.ts';

/** @throws Failure CB-00-0400 if no request to the URL would ever be sent */
export const requireSendableUrl = (
  url: string | undefined,
  allowedNetworks: readonly string[] | undefined,
): void => {
  if (url === undefined) return;
  if (isBlockedUrl(url, allowedNetworks))
    fail('CB-00-0400', { issues: [{ path: 'url', key: 'internalUrl' }] });
  const values = { ports: publicPorts.join(', ') };
  if (isPortBlocked(url, allowedNetworks))
    fail('CB-00-0400', { issues: [{ path: 'url', key: 'urlPort', values }] });
};
