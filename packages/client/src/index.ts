export { type CallAnswer, type Client, type ClientOptions, createClient, type FileAnswer } from './client.ts';
export { CallFailure } from './failure.ts';
export { type SignedRequest, signatureBase, signedHeaders } from './signature.ts';
