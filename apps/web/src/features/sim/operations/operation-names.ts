/** What can be done with SIMs, in the order in which it is offered; apart from their calls, which the address does not need. */
export const operations = [
  'activate',
  'suspend',
  'resume',
  'reset',
  'renew',
  'topUp',
  'changeBundle',
  'tags',
  'transfer',
  'deviceName',
  'notes',
  'export',
  'sendSms',
  'suspendMt',
  'resumeMt',
  'terminate',
] as const;
export type Operation = (typeof operations)[number];
