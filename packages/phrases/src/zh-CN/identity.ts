import type { Phrases } from '../shape.ts';

export const identity: Phrases['identity'] = {
  login: {
    title: '登录',
    subtitle: '管理您的物联网 SIM 卡与连接。',
    email: '邮箱',
    emailPlaceholder: 'name@company.com',
    password: '密码',
    showPassword: '显示密码',
    hidePassword: '隐藏密码',
    code: '验证码',
    codeHint: '六位数字，来自您的身份验证器应用或我们发送的邮件。',
    agreement: '我同意<terms>使用条款</terms>和<privacy>隐私声明</privacy>。',
    submit: '登录',
    submitting: '正在登录…',
    capsLock: '大写锁定已开启。',
  },
  unauthorised: {
    title: '请重新登录',
    text: '您的登录已过期或不再有效。您的内容没有丢失：登录后将回到原来的页面。',
    action: '前往登录',
  },
  notFound: {
    title: '页面不存在',
    text: '地址可能有误，或者页面已被移动。',
    action: '返回首页',
  },
};
