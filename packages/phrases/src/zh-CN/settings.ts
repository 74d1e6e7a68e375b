import type { Phrases } from '../shape.ts';

export const settings: Phrases['settings'] = {
  title: '设置',
  facts: '{{name}} · {{role}}',
  tabs: {
    profile: '个人资料',
    accounts: '账号',
    organisation: '组织',
    security: '安全',
    groups: '通知目标',
    sms: '短信服务',
    audit: '审计记录',
    preferences: '偏好设置',
  },
};
