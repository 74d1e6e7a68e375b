import type { Phrases } from '../shape.ts';

export const diagnose: Phrases['diagnose'] = {
  lights: { good: '正常', warning: '注意', bad: '故障', unknown: '未知' },
  overall: {
    good: '未发现问题。',
    unknown: '未发现故障，但有些项目无法检查。',
    warning: 'SIM 卡有服务或可以获得服务，但有事项需要注意。',
    bad: '故障使 SIM 卡无法正常工作。',
  },
  checks: {
    card: '卡片',
    lifecycle: '生命周期',
    order: '套餐订单',
    quota: '流量配额',
    authorisation: '接入授权',
    registration: '网络注册',
    session: '会话',
    apn: 'APN',
    ip: 'IP 地址',
    imei: '设备（IMEI）',
    coverage: '覆盖范围',
    rejects: '拒绝记录',
  },
};
