import { type Demo, simulatorFor } from './demo/index.ts';
import type { Reachable } from './roles.ts';
import { version } from './version.ts';

/** Where this process can be reached, including its management port. */
export interface ReachableProcess extends Reachable {
  management: string;
}

/** Shows the person at the terminal where to go. */
export const announce = (reachable: ReachableProcess, demo: Demo | undefined): void => {
  const { url, radius, management } = reachable;
  const lines = [
    ...(url ? [`SimCube ${version} is ready at ${url}`] : []),
    ...(radius
      ? [`RADIUS: authentication on port ${radius.authPort}, accounting on port ${radius.acctPort} (UDP)`]
      : []),
    `Management: ${management}/readyz, ${management}/metrics`,
    ...(demo?.signIn ?? []).map(({ email, password }) => `Sign in: ${email} · ${password}`),
  ];
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
};

/** Informs the parent process which simulator to run, and which settings to use for a restart. */
export const notifyParent = (reachable: ReachableProcess, demo: Demo | undefined): void => {
  const { radius } = reachable;
  const simulator = demo && radius ? simulatorFor(demo, radius) : undefined;
  process.send?.({ kind: 'ready', simulator, settings: settingsOf(reachable, demo) });
};

/** The ports that were free, as settings. */
const settingsOf = (
  { url, radius, management }: ReachableProcess,
  demo: Demo | undefined,
): Record<string, string> => ({
  ...(url && { SIMCUBE_PORT: portOf(url) }),
  SIMCUBE_MANAGEMENT_PORT: portOf(management),
  ...(radius && {
    SIMCUBE_RADIUS_AUTH_PORT: String(radius.authPort),
    SIMCUBE_RADIUS_ACCT_PORT: String(radius.acctPort),
  }),
  ...(demo && {
    SIMCUBE_DEMO_COA_PORT: String(demo.coaPort),
    SIMCUBE_DEMO_SMSC_PORT: String(demo.smscPort),
  }),
});

/** A URL omits the default port of its scheme. */
const portOf = (url: string): string => new URL(url).port || '80';
