export { writeCsv } from './csv.ts';
export {
  type DemoDevice,
  demoDevices,
  imeisvOf,
  MAX_DEMO_DEVICES,
  type SimDevice,
} from './demo-devices.ts';
export { type DeviceKind, type DeviceKindName, deviceKindNames, deviceKinds } from './device-kinds.ts';
export { type Gateway, type GatewayOptions, type GatewayStats, startGateway } from './gateway.ts';
export { type HistoryOptions, type HistoryRow, history, historyColumns } from './history.ts';
export { jsonLog, type Log } from './log.ts';
export { readScenario, type Scenario, ScenarioError, scenarioSchema } from './scenario.ts';
export { type Handling, handlingOf } from './sms/sms-device.ts';
export { type PastSms, smsHistory } from './sms/sms-history.ts';
export { type Smsc, type SmscOptions, startSmsc } from './sms/smsc.ts';
export { type Cell, type City, cells, countries, findOperator, type Operator } from './world.ts';
