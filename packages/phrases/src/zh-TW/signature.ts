import type { Phrases } from '../shape.ts';

export const signature: Phrases['errors']['signature'] = {
  sessionOnly: '此呼叫不接受 API 金鑰，請登入後操作。',
  tokenToo: '請只傳送 Bearer 權杖或簽章其中一種。',
  malformed: '無法讀取簽章：Signature-Input 與 Signature 必須各含一個標籤相同的簽章。',
  algorithm: '簽章演算法必須是 rsa-v1_5-sha256。',
  parameter: '簽章參數「{{name}}」遺漏或無效。',
  component: '簽章未涵蓋「{{name}}」，或請求中沒有該項。',
  created: '簽章的建立時間過早、晚於目前時間或已過期，請檢查時鐘。',
  keyUnknown: '此 API 金鑰不存在，可能已被刪除。',
  keyExpired: '此 API 金鑰已過期。',
  wrong: '簽章與請求不符。請求的「@target-uri」為 {{uri}}。',
  nonce: '此 nonce 已被使用。',
  digest: 'Content-Digest 與內容不符。',
  account: '此 API 金鑰的帳號已停用，或不再有權使用 API 金鑰。',
};
