import type { Phrases } from '../shape.ts';

export const mail: Phrases['mail'] = {
  greeting: '{{name}}，您好：',
  open: '打开 SimCube',
  address: '如果按钮无法使用，请在浏览器中打开此地址：',
  footer: '本邮件由 SimCube 自动发送，请勿回复。',
  invitation: {
    subject: '{{inviter}} 邀请您加入 {{organisation}}',
    preview: '请在 {{days}} 天内接受邀请。',
    title: '您受邀加入 {{organisation}}',
    body: '{{inviter}} 邀请您加入 SimCube 上的组织 {{organisation}}。接受邀请后即可登录。',
    action: '接受邀请',
    note: '邀请在 {{days}} 天内有效。如果您并未预期收到此邀请，请忽略本邮件。',
  },
  passwordReset: {
    subject: '重置您的 SimCube 密码',
    preview: '链接在 {{minutes}} 分钟内有效。',
    title: '设置新密码',
    body: '有人请求重置您的 SimCube 账号密码。如果是您本人操作，请现在设置新密码。',
    action: '设置新密码',
    note: '链接仅可使用一次，{{minutes}} 分钟内有效。如果不是您本人操作，请忽略本邮件，您的密码不会改变。',
  },
  signInCode: {
    subject: '{{code}} 是您的 SimCube 登录验证码',
    preview: '{{minutes}} 分钟内有效。',
    title: '您的登录验证码',
    body: '请输入此验证码以登录 SimCube：',
    note: '验证码在 {{minutes}} 分钟内有效，请勿告诉任何人。如果您此刻并未登录，可能有人知道您的密码：请修改密码。',
  },
  passwordChanged: {
    subject: '您的 SimCube 密码已修改',
    preview: '如果是您本人操作，无需理会。',
    title: '您的密码已修改',
    body: '您的 SimCube 账号密码刚刚被修改，您的所有会话均已结束。',
    note: '如果不是您本人操作，请立即在登录页面重置密码，并告知您所在组织的管理员。',
  },
  twoFactorEnabled: {
    subject: '两步验证已开启',
    preview: '如果是您本人操作，无需理会。',
    title: '两步验证已开启',
    body: '从现在起，登录您的 SimCube 账号需要输入身份验证器应用中的验证码。',
    note: '如果不是您本人操作，请立即在登录页面重置密码，并告知您所在组织的管理员。',
  },
  twoFactorDisabled: {
    subject: '两步验证已关闭',
    preview: '如果是您本人操作，无需理会。',
    title: '两步验证已关闭',
    body: '从现在起，仅凭密码即可登录您的 SimCube 账号。',
    note: '如果不是您本人操作，请立即在登录页面重置密码，并告知您所在组织的管理员。',
  },
};
