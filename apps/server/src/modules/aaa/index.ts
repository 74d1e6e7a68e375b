import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { DatabaseHealth, Listener } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { aaaConsumers } from './aaa.consumers.ts';
import { aaaJobs } from './aaa.jobs.ts';
import { gatewaysChannel } from './aaa.queries.ts';
import { startAccess } from './access/access.service.ts';
import { startGatewayClocks } from './clocks/gateway-clocks.ts';
import { findOverdue } from './control/sessions.views.ts';
import { loadGateways } from './gateways/clients.ts';
import { startIntake } from './intake/intake.ts';
import { type RadiusPort, RadiusServer } from './listener/radius-server.ts';
import { followLongCodes } from './network-codes.ts';
import { startRefusedPacketRecorder } from './refused/refused-packets.ts';
import { startUnknownSimRecorder } from './unknown/unknown-sims.ts';

export { aaaCommands } from './aaa.cli.ts';
export { imeiChanged, sessionChanged } from './aaa.events.ts';
export { gatewaySecrets, listHeardGateways } from './aaa.queries.ts';
export { type Decision, isApnAllowed, isOutsideCoverage } from './aaa.rules.ts';
export { predictAccess } from './access/predict-access.ts';
export { resetRefusals } from './access/refusal-events.service.ts';
export { listClocks } from './clocks/gateway-clocks.queries.ts';
export { findOverdue } from './control/sessions.views.ts';
export { filedSessions } from './filed/filed-sessions.service.ts';
export { defaultInterimSeconds } from './gateways/clients.ts';
export {
  type GatewayCatalogueOptions,
  gatewayCatalogue,
  type SecretReference,
} from './gateways/gateways.catalogue.ts';
export { addGateway } from './gateways/gateways.service.ts';
export {
  type ImeiChange,
  type LastSeen,
  recordFormerImeis,
  writeLastSeen,
} from './sessions/history.queries.ts';
export { findOwnSights } from './sessions/transfer.queries.ts';

export interface AaaOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
}

export const aaaModule = (options: AaaOptions) => ({
  consumers: aaaConsumers,
  jobs: aaaJobs(options),
  /** What is due but not done by the gateways, by SIM. */
  findOverdue: (simIds: readonly number[], now: Date) => findOverdue(options.pool, simIds, now),
});

export interface RadiusOptions extends AaaOptions {
  /** Database URL: intake opens its own connections. */
  url: string;
  log: Log;
  metrics: Metrics;
  /** Reports changes of gateways; without it they are read again every half minute. */
  listener?: Listener;
  /** Of the database: while it is unavailable, Status-Server is not answered. */
  health: Pick<DatabaseHealth, 'trouble'>;
}

export interface Radius {
  /** @throws Error (EADDRINUSE, EACCES) when the port is not free */
  listenAuthentication(host: string, port: number): Promise<RadiusPort>;
  listenAccounting(host: string, port: number): Promise<RadiusPort>;
  /** Closes the ports after storing what is still waiting. */
  stop(): Promise<void>;
}

const reloadMs = 30_000;

/** The RADIUS server of an `aaa` process. The caller opens its ports, because it knows which ones may be tried. */
export const startRadius = async (options: RadiusOptions): Promise<Radius> => {
  const { pool, vault, log, listener } = options;
  const gateways = await loadGateways(pool, vault, log);
  const reload = () => {
    gateways.reload().catch((error: Error) => log.warn({ err: error }, 'the gateways could not be loaded'));
  };
  const reloading = setInterval(reload, reloadMs);
  await listener?.on(gatewaysChannel, reload);
  const longCodes = await followLongCodes(options);
  const intake = await startIntake({ ...options, longCodes: longCodes.current });
  const unknown = startUnknownSimRecorder(options);
  const access = startAccess({ ...options, unknown, longCodes: longCodes.current });
  const refused = startRefusedPacketRecorder(options);
  const clocks = startGatewayClocks(options);
  const server = new RadiusServer({ ...options, gateways, intake, access, refused, unknown, clocks });
  const ports: RadiusPort[] = [];
  const track = async (opening: Promise<RadiusPort>): Promise<RadiusPort> => {
    const port = await opening;
    ports.push(port);
    return port;
  };
  return {
    listenAuthentication: (host, port) => track(server.listenAuthentication(host, port)),
    listenAccounting: (host, port) => track(server.listenAccounting(host, port)),
    async stop() {
      clearInterval(reloading);
      // Replies are sent while the sockets are open, so the queue is stored before they close.
      await intake.stop();
      await Promise.all(ports.map((port) => port.close()));
      await access.stop();
      await refused.stop();
      await unknown.stop();
      await clocks.stop();
      longCodes.stop();
      server.stop();
    },
  };
};
