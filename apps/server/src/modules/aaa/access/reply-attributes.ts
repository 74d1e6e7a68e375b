import { AttributeWriter, attribute, prefixOfAddress } from '@simcube/radius';
import { rejectMessages } from '../aaa.rules.ts';
import type { Gateway } from '../gateways/clients.ts';
import { addRate } from '../gateways/rate-attributes.ts';
import { classOf } from '../identities.rules.ts';
import type { Answer } from './access.service.ts';

/** The attributes of an Accept or Reject. No Session-Timeout: a session ends by Disconnect, not by the clock. */
export const replyAttributes = (decision: Answer, gateway: Gateway): AttributeWriter => {
  const writer = new AttributeWriter();
  if (!decision.accept) return writer.add(attribute.replyMessage, rejectMessages[decision.reason]);
  // Without a fixed address the SIM gets one from the gateway's pool.
  if (decision.ip !== null) addAddress(writer, decision.ip);
  if (decision.imsi !== undefined) writer.add(attribute.class, classOf(decision.imsi));
  writer.add(attribute.acctInterimInterval, gateway.interimSeconds);
  if (decision.rateKbps !== null) addRate(writer, gateway.rateAttribute, decision.rateKbps);
  return writer;
};

/**
 * A packet gateway assigns a device a /64 and an interface identifier for the rest of its address (3GPP TS 29.061, 16.4.2);
 * Framed-IPv6-Address (RFC 6911) is for access networks with DHCPv6.
 */
const addAddress = (writer: AttributeWriter, ip: string): void => {
  const ipv6 = prefixOfAddress(ip);
  if (ipv6 === undefined) {
    writer.add(attribute.framedIpAddress, ip);
    return;
  }
  writer
    .add(attribute.framedIpv6Prefix, ipv6.prefix)
    .addIfKnown(attribute.framedInterfaceId, ipv6.interfaceId);
};
