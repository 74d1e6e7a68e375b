import { reportWorks } from './reports/report.work.ts';
import { sendOperation } from './sending/send.operation.ts';
import type { SendingOptions } from './sending/send.service.ts';
import { suspensionOperations } from './sending/suspend.operation.ts';
import { smsRoutes } from './sms.routes.ts';

export { smscPasswords } from './connections/connections.queries.ts';
export { startSmsGateway } from './gateway/lease.ts';
export { smsCommands } from './sms.cli.ts';

export const smsModule = (options: SendingOptions) => ({
  routes: smsRoutes(options),
  operations: [sendOperation, ...suspensionOperations],
  fileWorks: reportWorks(options),
});
