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
  scheduleRan: {
    subject: '{{schedule}}：已送达 {{delivered}}/{{quantity}}',
    preview: '失败 {{failed}}，未发送 {{left_out}}。',
    title: '{{schedule}} 已运行',
    body: '定时短信 {{schedule}} 于 {{time}} 运行。SIM 卡：{{quantity}}。已送达：{{delivered}}，失败：{{failed}}，未知：{{unknown}}，未发送：{{left_out}}（其中因配额：{{unpaid}}）。',
    note: '任务 {{task}} 的报告列出每张未发送的 SIM 卡及原因。',
    short:
      'SimCube：{{schedule}} 于 {{time}} 运行。已送达 {{delivered}}/{{quantity}}，失败 {{failed}}，未发送 {{left_out}}。',
  },
  scheduleMissed: {
    subject: '{{schedule}} 未运行',
    preview: '{{reason}}。',
    title: '{{schedule}} 未运行',
    body: '定时短信 {{schedule}} 应于 {{time}} 运行，但未运行。{{reason}}。错过的运行次数：{{runs}}。',
    note: '不会补发。下一次运行照常进行。',
    short: 'SimCube：{{schedule}} 未于 {{time}} 运行。{{reason}}。',
  },
  autoflowFired: {
    subject: '{{rule}} 已触发（SIM 卡：{{sims}}）',
    preview: '{{iccid}}',
    title: '规则 {{rule}} 已触发',
    body: '规则 {{rule}} 于 {{time}} 触发。SIM 卡数：{{sims}}。ICCID：{{iccid}}。{{comparison}}',
    note: '规则的运行历史列出每张 SIM 卡及所做的操作。',
    short: 'SimCube：{{rule}} 已触发。SIM 卡数：{{sims}}。ICCID：{{iccid}}。{{comparison}}',
  },
  autoflowFailed: {
    subject: '{{rule}} 的一个动作失败',
    preview: '{{reason}}。',
    title: '规则 {{rule}} 的一个动作失败',
    body: '规则 {{rule}} 于 {{time}} 触发，但有一个动作未能执行。SIM 卡数：{{sims}}。{{reason}}。',
    note: '规则的运行历史列出每张 SIM 卡。该动作之后不会再执行。',
    short: 'SimCube：{{rule}} 的一个动作失败。SIM 卡数：{{sims}}。{{reason}}。',
  },
  smsReceived: {
    subject: '来自 {{msisdn}} 的短信',
    preview: '{{content}}',
    title: '{{msisdn}} 发来一条短信',
    body: 'SIM 卡 {{iccid}}（{{msisdn}}）于 {{time}} 发送至 {{to}}：{{content}}',
    note: '您可在“设置”的“短信服务”中更改 SIM 卡短信的转发目标。',
    short: 'SimCube：{{msisdn}} 发来：{{content}}',
  },
};
