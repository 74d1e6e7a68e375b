import { addressOf, type MessageBody, type SubmitMessage } from '../index.ts';

export const sampleSubmit = (text = 'hello', destination = '34600000001'): SubmitMessage => ({
  source: addressOf('SimCube'),
  destination: addressOf(destination),
  dataCoding: 0,
  shortMessage: Buffer.from(text, 'latin1'),
});

/** A decoded `deliver_sm` with the given fields. */
export const sampleDelivery = (fields: Partial<MessageBody>): MessageBody => ({
  serviceType: '',
  source: { ton: 1, npi: 1, address: '34600000001' },
  destination: { ton: 3, npi: 1, address: '1234' },
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleDeliveryTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  shortMessage: Buffer.alloc(0),
  tlvs: [],
  ...fields,
});
