import type { Phrases } from '../shape.ts';

export const settings: Phrases['settings'] = {
  title: '設定',
  facts: '{{name}} · {{role}}',
  tabs: {
    profile: '個人資料',
    accounts: '帳號',
    organisation: '組織',
    security: '安全性',
    groups: '通知目標',
    sms: '簡訊服務',
    audit: '稽核記錄',
    preferences: '偏好設定',
  },
};
