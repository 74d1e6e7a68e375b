import type { OperationResponse, SimSelection } from '@simcube/contract/sim';
import type { OperationRule, Orderer } from '../sim/index.ts';
import { reportWorks } from './reports/report.work.ts';
import { sendOperation } from './sending/send.operation.ts';
import { resumeMtRule, type SmsFacts, suspendMtRule } from './sending/send.rules.ts';
import type { SendingOptions } from './sending/send.service.ts';
import { suspensionOperations, suspensionOrder } from './sending/suspend.operation.ts';
import { type SmsOptions, smsRoutes } from './sms.routes.ts';

export { smscPasswords } from './connections/connections.queries.ts';
export { addConnection } from './connections/connections.service.ts';
export { startSmsGateway } from './gateway/lease.ts';
export { countQueue } from './gateway/queue.queries.ts';
export { listConnectionStates } from './gateway/status.service.ts';
export { findNthMessages, listMessageTimes, sumOfMtParts } from './messages/counted.views.ts';
export { type ForwardedMessage, findForwarded } from './messages/forwarded.views.ts';
export {
  countScheduled,
  listLastScheduled,
  type ScheduledCounts,
} from './messages/scheduled.views.ts';
export type { PastMessage } from './past/past.queries.ts';
export { storePastMessages } from './past/past.service.ts';
export { readQuota } from './quota/quota.service.ts';
export { findSmsFacts } from './sending/facts.views.ts';
export { sendToSims, simsPerSending } from './sending/send.operation.ts';
export { sendParametersSchema, sendRule, suspendMtRule } from './sending/send.rules.ts';
export { measureText } from './sending/text.rules.ts';
export { acceptText, type TextRefusal, whyTextsRefused } from './sending/texts.service.ts';
export { findService } from './services/services.views.ts';
export { smsCommands } from './sms.cli.ts';
export { smsChanged, smsReceived, smsTextSettled } from './sms.events.ts';
export { statusNumber } from './sms.rules.ts';

/** One of the module's operations on SIMs, for the command line. */
const operate =
  ({ ordering }: SendingOptions, rule: OperationRule<unknown, SmsFacts>) =>
  (orderer: Orderer, selection: SimSelection, preview: boolean): Promise<OperationResponse> =>
    ordering.previewOrAccept(orderer, suspensionOrder(rule, selection), { preview });

export const smsModule = (options: SmsOptions) => ({
  routes: smsRoutes(options),
  operations: [sendOperation, ...suspensionOperations],
  fileWorks: reportWorks(options),
  suspendMt: operate(options, suspendMtRule),
  resumeMt: operate(options, resumeMtRule),
});
