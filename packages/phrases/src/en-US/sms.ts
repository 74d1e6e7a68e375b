/** Messages to SIMs and from them. */
export const sms = {
  directions: {
    mt: 'To the SIM',
    mo: 'From the SIM',
  },
  statuses: {
    processing: 'Processing',
    sent: 'Sent',
    delivered: 'Delivered',
    failed: 'Failed',
    unknown: 'Unknown',
  },
  reasons: {
    refused: 'the network refused it',
    'address-invalid': 'the network does not know the number',
    'not-sent-in-time': 'it could not be sent in time',
    expired: 'the device was not reached in time',
    deleted: 'the network deleted it',
    undeliverable: 'it could not be delivered',
    rejected: 'the network rejected it',
    'no-answer': 'the network did not answer',
    'no-receipt': 'no receipt came in time',
  },
};
