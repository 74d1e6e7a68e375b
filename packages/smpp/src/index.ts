export { type ClientCounts, SmppClient, type SmppClientStats } from './client.ts';
export type { ClientState, SmppClientOptions } from './client-options.ts';
export { type Command, commandId } from './commands.ts';
export {
  type Alphabet,
  type Alphabets,
  alphabetOf,
  decodeText,
  type JoinedText,
  joinParts,
  type MessageContent,
  type PartNumber,
  type ReceivedPart,
  readContent,
} from './content.ts';
export { type DecodedPdu, type DecodeFailure, decodeFailures, decodePdu, type RefusedPdu } from './decode.ts';
export { encodePdu, SmppEncodeError } from './encode.ts';
export { type FramingLoss, PduFramer } from './framer.ts';
export {
  type Address,
  addressOf,
  type BindBody,
  type BindResponseBody,
  type DataBody,
  esmClass,
  MAX_PDU_LENGTH,
  MAX_SHORT_MESSAGE,
  type MessageBody,
  type MessageResponseBody,
  type Pdu,
  RECEIPT_REQUESTED,
  relativeTime,
} from './pdu.ts';
export {
  type DeliveryReceipt,
  isFinalState,
  type MessageState,
  messageIdCandidates,
  messageIdKey,
  readReceipt,
} from './receipts.ts';
export type { BindKind, CloseReason, Closure } from './session.ts';
export { isTemporary, type Status, type StatusName, statusCode, statusOf } from './statuses.ts';
export type { SubmitMessage, SubmitOutcome } from './submit.ts';
export { readTlv, type Tlv, type TlvDefinition, tlv, writeTlv } from './tlvs.ts';
