import type { Phrases } from '../shape.ts';

export const identity: Phrases['identity'] = {
  login: {
    title: '登入',
    subtitle: '管理您的物聯網 SIM 卡與連線。',
    email: '電子郵件',
    emailPlaceholder: 'name@company.com',
    password: '密碼',
    showPassword: '顯示密碼',
    hidePassword: '隱藏密碼',
    code: '驗證碼',
    codeHint: '六位數字，來自您的驗證器應用程式或我們寄出的郵件。',
    agreement: '我同意<terms>使用條款</terms>與<privacy>隱私權聲明</privacy>。',
    submit: '登入',
    submitting: '登入中…',
    capsLock: '大寫鎖定已開啟。',
  },
  unauthorised: {
    title: '請重新登入',
    text: '您的登入已逾期或不再有效。您的內容沒有遺失：登入後會回到原本的頁面。',
    action: '前往登入',
  },
  notFound: {
    title: '找不到此頁面',
    text: '網址可能有誤，或者頁面已被移動。',
    action: '回到首頁',
  },
};
