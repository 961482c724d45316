import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'zh-Hans',
  headline: '为您的语音智能体配上一张脸。',
  lede: '您的智能体说话时，Troupe 会随着声音同步展示说话的人像。人像、语音和媒体服务器都在这台机器上运行。',
  film: '虚拟形象说话的录像，无声音',
  pictureOf: (name) => `${name} 的照片`,

  talkHeading: (name) => `与 ${name} 交谈。`,
  talkLede: '面对面的对话。人像、语音和媒体服务器都在这台机器上运行。',
  talkWith: (name) => `与 ${name} 交谈`,
  agent: '智能体',
  noAgent: '此账户还没有可以交谈的智能体。',
  createAgent: '创建智能体',
  tryAvatar: '试用虚拟形象',

  signIn: '登录并交谈',
  readHow: '了解工作原理',
  operator: ['您是此服务的运营者吗？请打开 ', ' 输出的链接。'],
  linkSpent: '此链接已被使用过，或早于上次启动。请使用最新的链接。',
  adminPassword: '管理员密码',
  open: '打开',
  wrongPassword: '管理员密码错误。',

  unreachable: '服务没有响应',
  unreachableAdvice: '请检查您的网络连接，然后重试。',
  failed: '出了点问题',
  failedAdvice: '请过几分钟再试。',
  tryAgain: '重试',
};
