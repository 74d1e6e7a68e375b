/** `command_status` (SMPP 3.4, §5.1.3): code, name and meaning. */
const table = [
  [0x00, 'ESME_ROK', 'no error'],
  [0x01, 'ESME_RINVMSGLEN', 'the length of the message is invalid'],
  [0x02, 'ESME_RINVCMDLEN', 'the length of the PDU is invalid'],
  [0x03, 'ESME_RINVCMDID', 'the command is unknown'],
  [0x04, 'ESME_RINVBNDSTS', 'the command is not allowed in this bind'],
  [0x05, 'ESME_RALYBND', 'already bound'],
  [0x06, 'ESME_RINVPRTFLG', 'the priority is invalid'],
  [0x07, 'ESME_RINVREGDLVFLG', 'the request for a receipt is invalid'],
  [0x08, 'ESME_RSYSERR', 'system error of the SMSC'],
  [0x0a, 'ESME_RINVSRCADR', 'the sender address is invalid'],
  [0x0b, 'ESME_RINVDSTADR', 'the destination address is invalid'],
  [0x0c, 'ESME_RINVMSGID', 'the message id is invalid'],
  [0x0d, 'ESME_RBINDFAIL', 'the bind failed'],
  [0x0e, 'ESME_RINVPASWD', 'the password is invalid'],
  [0x0f, 'ESME_RINVSYSID', 'the system id is invalid'],
  [0x11, 'ESME_RCANCELFAIL', 'cancelling the message failed'],
  [0x13, 'ESME_RREPLACEFAIL', 'replacing the message failed'],
  [0x14, 'ESME_RMSGQFUL', 'the queue of the SMSC is full'],
  [0x15, 'ESME_RINVSERTYP', 'the service type is invalid'],
  [0x33, 'ESME_RINVNUMDESTS', 'the number of destinations is invalid'],
  [0x34, 'ESME_RINVDLNAME', 'the name of the distribution list is invalid'],
  [0x40, 'ESME_RINVDESTFLAG', 'the destination flag is invalid'],
  [0x42, 'ESME_RINVSUBREP', 'replacing on submission is not allowed'],
  [0x43, 'ESME_RINVESMCLASS', 'esm_class is invalid'],
  [0x44, 'ESME_RCNTSUBDL', 'submitting to a distribution list is not possible'],
  [0x45, 'ESME_RSUBMITFAIL', 'the submission failed'],
  [0x48, 'ESME_RINVSRCTON', 'the type of the sender address is invalid'],
  [0x49, 'ESME_RINVSRCNPI', 'the numbering plan of the sender address is invalid'],
  [0x50, 'ESME_RINVDSTTON', 'the type of the destination address is invalid'],
  [0x51, 'ESME_RINVDSTNPI', 'the numbering plan of the destination address is invalid'],
  [0x53, 'ESME_RINVSYSTYP', 'the system type is invalid'],
  [0x54, 'ESME_RINVREPFLAG', 'the replacement flag is invalid'],
  [0x55, 'ESME_RINVNUMMSGS', 'the number of messages is invalid'],
  [0x58, 'ESME_RTHROTTLED', 'more messages than the SMSC allows'],
  [0x61, 'ESME_RINVSCHED', 'the delivery time is invalid'],
  [0x62, 'ESME_RINVEXPIRY', 'the validity is invalid'],
  [0x63, 'ESME_RINVDFTMSGID', 'the predefined message is invalid'],
  [0x64, 'ESME_RX_T_APPN', 'temporary error of the receiver'],
  [0x65, 'ESME_RX_P_APPN', 'permanent error of the receiver'],
  [0x66, 'ESME_RX_R_APPN', 'the receiver rejected the message'],
  [0x67, 'ESME_RQUERYFAIL', 'the query failed'],
  [0xc0, 'ESME_RINVOPTPARSTREAM', 'the optional parameters are malformed'],
  [0xc1, 'ESME_ROPTPARNOTALLWD', 'an optional parameter is not allowed'],
  [0xc2, 'ESME_RINVPARLEN', 'the length of a parameter is invalid'],
  [0xc3, 'ESME_RMISSINGOPTPARAM', 'a required optional parameter is missing'],
  [0xc4, 'ESME_RINVOPTPARAMVAL', 'the value of an optional parameter is invalid'],
  [0xfe, 'ESME_RDELIVERYFAILURE', 'the delivery failed'],
  [0xff, 'ESME_RUNKNOWNERR', 'unknown error'],
] as const;

export type StatusName = (typeof table)[number][1];

export const statusCode = Object.fromEntries(table.map(([code, name]) => [name, code])) as Record<
  StatusName,
  number
>;

export interface Status {
  readonly code: number;
  /** Name in the standard; `0x…` for a code that it does not define. */
  readonly name: string;
  readonly meaning: string;
}

const statuses = new Map<number, Status>(
  table.map(([code, name, meaning]) => [code, { code, name, meaning }]),
);

export function statusOf(code: number): Status {
  const known = statuses.get(code);
  if (known !== undefined) return known;
  const meaning = code >= 0x400 && code <= 0x4ff ? 'error of this SMSC alone' : 'error of unknown meaning';
  return { code, name: `0x${code.toString(16).padStart(8, '0')}`, meaning };
}

const { ESME_RTHROTTLED, ESME_RMSGQFUL, ESME_RSYSERR, ESME_RX_T_APPN, ESME_RINVBNDSTS } = statusCode;

/** The SMSC accepts no more at present. */
export const isThrottling = (code: number): boolean => code === ESME_RTHROTTLED || code === ESME_RMSGQFUL;

/** An error of the SMSC that says nothing against the message. */
export const isTransient = (code: number): boolean => code === ESME_RSYSERR || code === ESME_RX_T_APPN;

/** The session is no longer bound at the SMSC, for example after its failover. */
export const isBindLost = (code: number): boolean => code === ESME_RINVBNDSTS;

/** The message was not accepted but is valid, and may be submitted again later. */
export const isTemporary = (code: number): boolean =>
  isThrottling(code) || isTransient(code) || isBindLost(code);
