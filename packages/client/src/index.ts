export {
  type CallResult,
  type Client,
  type ClientOptions,
  createClient,
  type DownloadedFile,
} from './client.ts';
export { CallFailure } from './failure.ts';
export { type SignedRequest, signatureBase, signedHeaders } from './signature.ts';
export {
  type ReceivedHeaders,
  verifyNotification,
  verifyWebhook,
  type WebhookFault,
  WebhookRefused,
} from './webhook.ts';
