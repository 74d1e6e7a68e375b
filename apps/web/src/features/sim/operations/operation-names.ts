/** The operations on SIMs, in menu order; separate from their calls, which the URL does not need. */
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
