import type { Phrases } from '../shape.ts';

export const common: Phrases['common'] = {
  product: 'SimCube',
  success: '成功',
  actions: {
    cancel: '取消',
    copied: '已複製',
    copyFailed: '瀏覽器不允許複製：請選取文字自行複製',
    reload: '重新載入',
    retry: '重試',
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
    user: '使用者',
    operator: '操作人員',
    admin: '管理員',
    superadmin: '超級管理員',
  },
  theme: {
    label: '主題',
    light: '淺色',
    dark: '深色',
    system: '依系統設定',
  },
  time: {
    utc: 'UTC',
    local: '當地',
    asOf: '截至 {{time}}',
  },
  states: {
    loading: '載入中…',
    failed: '內容載入失敗。',
    none: '—',
    nothingNear: '附近沒有城鎮',
  },
  chosen: '已選',
  trace: '追蹤 ID {{traceId}}',
  bytesExact: '{{bytes}} 位元組',
};
