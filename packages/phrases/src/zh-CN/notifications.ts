import type { Phrases } from '../shape.ts';

export const notifications: Phrases['notifications'] = {
  test: {
    subject: 'SimCube 测试通知',
    preview: '通知可以送达此地址。',
    title: '这是一条测试通知',
    body: '有人正在测试通知目标 {{target}}。通知可以送达此地址。',
    note: '您无需进行任何操作。',
    short: 'SimCube：通知目标 {{target}} 的测试。',
  },
  targetFailing: {
    subject: '通知无法送达 {{target}}',
    preview: '{{reason}}。',
    title: 'API 目标 {{target}} 出现故障',
    body: '发往 {{address}} 的请求已连续多次失败。{{reason}}。SimCube 会继续尝试，间隔逐渐加长。',
    note: '如果 24 小时内始终失败，该目标将被停用。最近的投递记录位于“设置”的“通知目标”。',
    short: 'SimCube：通知无法送达 {{target}}（{{address}}）。{{reason}}。',
  },
  targetPaused: {
    subject: 'API 目标 {{target}} 已停用',
    preview: '{{reason}}。',
    title: 'API 目标 {{target}} 已停用',
    body: 'SimCube 不再向 {{address}} 发送通知。{{reason}}。',
    note: '恢复正常后，请在“设置”的“通知目标”中恢复该目标。此前未送达的通知不会再次发送。',
    short: 'SimCube：API 目标 {{target}}（{{address}}）已停用。{{reason}}。',
  },
};
