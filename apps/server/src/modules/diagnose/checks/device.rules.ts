import { dayMs } from '@simcube/contract/time';
import { isApnAllowed } from '../../aaa/index.ts';
import type { DiagnoseFacts } from '../diagnose-facts.rules.ts';
import type { Finding } from '../diagnose-findings.rules.ts';
import { addressKind, isAssignedAddress } from './address.rules.ts';

/** A change of the device is reported for this long. */
const recentChangeMs = 30 * dayMs;

export const diagnoseApn = ({ apn: allowed, session, rejects }: DiagnoseFacts): Finding => {
  const used = session?.apn ?? null;
  if (allowed === null) {
    return used === null
      ? { finding: 'apn-any', facts: {} }
      : { finding: 'apn-any-used', facts: { apn: used } };
  }
  // Rejections name the wrong APN; only a later session proves that it was corrected.
  const refused = rejects.find(({ reason }) => reason === 'apn-not-allowed');
  if (refused && (!session || refused.lastAt > session.updatedAt)) {
    return { finding: 'apn-refused', facts: { allowed, times: refused.times } };
  }
  if (used === null) return { finding: 'apn-unseen', facts: { allowed } };
  return isApnAllowed(allowed, used)
    ? { finding: 'apn-right', facts: { apn: used } }
    : { finding: 'apn-wrong', facts: { apn: used, allowed } };
};

export const diagnoseIp = ({ fixedIp, session }: DiagnoseFacts): Finding => {
  const ip = session?.ip ?? null;
  if (ip === null) {
    return fixedIp === null
      ? { finding: 'ip-none', facts: {} }
      : { finding: 'ip-fixed-waiting', facts: { fixed: fixedIp } };
  }
  if (fixedIp === null) return { finding: `ip-${addressKind(ip)}`, facts: { ip } };
  return isAssignedAddress(ip, fixedIp)
    ? { finding: 'ip-fixed', facts: { ip } }
    : { finding: 'ip-other', facts: { ip, fixed: fixedIp } };
};

export const diagnoseImei = ({ now, imei }: DiagnoseFacts): Finding => {
  const { last, former, changedAt } = imei;
  if (last === null) return { finding: 'imei-unknown', facts: {} };
  if (changedAt && now.getTime() - changedAt.getTime() <= recentChangeMs) {
    return { finding: 'imei-changed', facts: { imei: last, former, changed_at: changedAt.toISOString() } };
  }
  return { finding: 'imei-steady', facts: { imei: last } };
};
