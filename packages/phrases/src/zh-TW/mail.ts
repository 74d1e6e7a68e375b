import type { Phrases } from '../shape.ts';

export const mail: Phrases['mail'] = {
  greeting: '{{name}}，您好：',
  open: '開啟 SimCube',
  address: '如果按鈕無法使用，請在瀏覽器中開啟此網址：',
  footer: '本郵件由 SimCube 自動寄出，請勿回覆。',
  invitation: {
    subject: '{{inviter}} 邀請您加入 {{organisation}}',
    preview: '請在 {{days}} 天內接受邀請。',
    title: '您受邀加入 {{organisation}}',
    body: '{{inviter}} 邀請您加入 SimCube 上的組織 {{organisation}}。接受邀請後即可登入。',
    action: '接受邀請',
    note: '邀請在 {{days}} 天內有效。如果您並未預期收到此邀請，請忽略本郵件。',
  },
  passwordReset: {
    subject: '重設您的 SimCube 密碼',
    preview: '連結在 {{minutes}} 分鐘內有效。',
    title: '設定新密碼',
    body: '有人要求重設您的 SimCube 帳號密碼。如果是您本人操作，請現在設定新密碼。',
    action: '設定新密碼',
    note: '連結僅可使用一次，{{minutes}} 分鐘內有效。如果不是您本人操作，請忽略本郵件，您的密碼不會改變。',
  },
  signInCode: {
    subject: '{{code}} 是您的 SimCube 登入驗證碼',
    preview: '{{minutes}} 分鐘內有效。',
    title: '您的登入驗證碼',
    body: '請輸入此驗證碼以登入 SimCube：',
    note: '驗證碼在 {{minutes}} 分鐘內有效，請勿告訴任何人。如果您此刻並未登入，可能有人知道您的密碼：請變更密碼。',
  },
  passwordChanged: {
    subject: '您的 SimCube 密碼已變更',
    preview: '如果是您本人操作，無需理會。',
    title: '您的密碼已變更',
    body: '您的 SimCube 帳號密碼剛剛變更，您的所有工作階段均已結束。',
    note: '如果不是您本人操作，請立即在登入頁面重設密碼，並告知您所屬組織的管理員。',
  },
  twoFactorEnabled: {
    subject: '兩步驟驗證已開啟',
    preview: '如果是您本人操作，無需理會。',
    title: '兩步驟驗證已開啟',
    body: '從現在起，登入您的 SimCube 帳號需要輸入驗證器應用程式中的驗證碼。',
    note: '如果不是您本人操作，請立即在登入頁面重設密碼，並告知您所屬組織的管理員。',
  },
  twoFactorDisabled: {
    subject: '兩步驟驗證已關閉',
    preview: '如果是您本人操作，無需理會。',
    title: '兩步驟驗證已關閉',
    body: '從現在起，僅憑密碼即可登入您的 SimCube 帳號。',
    note: '如果不是您本人操作，請立即在登入頁面重設密碼，並告知您所屬組織的管理員。',
  },
};
