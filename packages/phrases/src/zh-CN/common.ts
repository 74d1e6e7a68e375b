import type { Phrases } from '../shape.ts';

export const common: Phrases['common'] = {
  product: 'SimCube',
  success: '成功',
  actions: {
    cancel: '取消',
    copied: '已复制',
    copyFailed: '浏览器不允许复制：请选中文本自行复制',
    reload: '重新加载',
    retry: '重试',
  },
  languages: {
    'en-US': 'English',
    'zh-CN': '简体中文',
    'zh-TW': '繁體中文',
    'es-ES': 'Español',
  },
  languageShort: {
    'en-US': 'EN',
    'zh-CN': '简',
    'zh-TW': '繁',
    'es-ES': 'ES',
  },
  roles: {
    user: '用户',
    operator: '操作员',
    admin: '管理员',
    superadmin: '超级管理员',
  },
  theme: {
    label: '主题',
    light: '浅色',
    dark: '深色',
    system: '跟随系统',
  },
  time: {
    utc: 'UTC',
    local: '本地',
    asOf: '截至 {{time}}',
  },
  states: {
    loading: '加载中…',
    failed: '内容加载失败。',
    none: '—',
    nothingNear: '附近没有城镇',
  },
  chosen: '已选',
  trace: '追踪 ID {{traceId}}',
  bytesExact: '{{bytes}} 字节',
};
