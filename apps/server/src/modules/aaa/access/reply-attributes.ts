import { isIPv6 } from 'node:net';
import { AttributeWriter, attribute } from '@simcube/radius';
import type { Gateway } from '../aaa.clients.ts';
import { type Decision, rejectMessages } from '../aaa.rules.ts';
import { addRate } from './rate-attributes.ts';

/** The attributes of an Accept or Reject. No Session-Timeout: a session ends by Disconnect, not by the clock. */
export const replyAttributes = (
  decision: Decision,
  gateway: Gateway,
  identity: string | undefined,
): AttributeWriter => {
  const writer = new AttributeWriter();
  if (!decision.accept) return writer.add(attribute.replyMessage, rejectMessages[decision.reason]);
  // Without a fixed address the SIM gets one from the gateway's pool.
  if (decision.ip !== null) {
    if (isIPv6(decision.ip)) writer.add(attribute.framedIpv6Address, decision.ip);
    else writer.add(attribute.framedIpAddress, decision.ip);
  }
  writer.add(attribute.class, Buffer.from(identity ?? '', 'utf8'));
  writer.add(attribute.acctInterimInterval, gateway.interimSeconds);
  if (decision.rateKbps !== null) addRate(writer, gateway.rateAttribute, decision.rateKbps);
  return writer;
};
