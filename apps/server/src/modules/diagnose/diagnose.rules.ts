import type { Light } from '@simcube/contract/diagnose';
import { diagnoseApn, diagnoseImei, diagnoseIp } from './checks/device.rules.ts';
import {
  diagnoseAuthorisation,
  diagnoseCoverage,
  diagnoseRegistration,
  diagnoseRejects,
  diagnoseSession,
} from './checks/network.rules.ts';
import {
  diagnoseCard,
  diagnoseLifecycle,
  diagnoseOrder,
  diagnoseQuota,
} from './checks/subscription.rules.ts';
import type { DiagnoseFacts } from './diagnose-facts.rules.ts';
import { type Finding, lightOf, worstOf } from './diagnose-findings.rules.ts';

/** In the order of a report: the subscription, the network's view of it, the device's behaviour. */
const checks: readonly ((facts: DiagnoseFacts) => Finding)[] = [
  diagnoseCard,
  diagnoseLifecycle,
  diagnoseOrder,
  diagnoseQuota,
  diagnoseAuthorisation,
  diagnoseRegistration,
  diagnoseSession,
  diagnoseApn,
  diagnoseIp,
  diagnoseImei,
  diagnoseCoverage,
  diagnoseRejects,
];

/** Facts → one finding for each check, in the order of the report. */
export const diagnose = (facts: DiagnoseFacts): Finding[] => checks.map((check) => check(facts));

/** A report is as good as its worst check. */
export const overallOf = (found: readonly Finding[]): Light =>
  worstOf(found.map(({ finding }) => lightOf(finding)));
