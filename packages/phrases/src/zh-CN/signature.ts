import type { Phrases } from '../shape.ts';

export const signature: Phrases['errors']['signature'] = {
  sessionOnly: '此调用不接受 API 密钥，请登录后操作。',
  tokenToo: '请只发送 Bearer 令牌或签名中的一种。',
  malformed: '无法读取签名：Signature-Input 与 Signature 必须各含一个标签相同的签名。',
  algorithm: '签名算法必须是 rsa-v1_5-sha256。',
  parameter: '签名参数“{{name}}”缺失或无效。',
  component: '签名未包含“{{name}}”，或请求中没有该项。',
  created: '签名的创建时间过早、晚于当前时间或已过期，请检查时钟。',
  keyUnknown: '此 API 密钥不存在，可能已被删除。',
  keyExpired: '此 API 密钥已过期。',
  wrong: '签名与请求不符。请求的“@target-uri”为 {{uri}}。',
  nonce: '此 nonce 已被使用。',
  digest: 'Content-Digest 与正文不符。',
  account: '此 API 密钥的账号已停用，或不再有权使用 API 密钥。',
};
