/** Command identifiers in use (SMPP 3.4, §5.1.2.1); a response has its request's with the highest bit. */
export const commandId = {
  generic_nack: 0x80000000,
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
} as const;

export type Command = keyof typeof commandId;

const names = new Map<number, Command>(Object.entries(commandId).map(([name, id]) => [id, name as Command]));

/** The command of an identifier; `undefined` if our ESME does not use it. */
export const commandOf = (id: number): Command | undefined => names.get(id);

export const isResponseId = (id: number): boolean => id >= 0x80000000;

/** outbind and alert_notification: requests without a response. */
const withoutResponse: ReadonlySet<number> = new Set([0x0000000b, 0x00000102]);

/** The command that rejects a PDU that is not understood; undefined for a response. */
export function refusalOf(id: number): Command | undefined {
  return isResponseId(id) || withoutResponse.has(id)
    ? undefined
    : (names.get(id + 0x80000000) ?? 'generic_nack');
}
