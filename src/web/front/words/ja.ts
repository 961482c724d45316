import type { FrontWords } from './front-words.ts';

export const words: FrontWords = {
  language: 'ja',
  headline: '音声エージェントに顔を。',
  lede: 'エージェントが話すと、Troupe が声に合わせて話す人物を映します。顔、声、メディアサーバーはすべてこのマシンで動いています。',
  film: '話しているアバターの録画（音声なし）',
  pictureOf: (name) => `${name} の写真`,

  talkHeading: (name) => `${name} とお話しください。`,
  talkLede: '対面での会話です。顔、声、メディアサーバーはすべてこのマシンで動いています。',
  talkWith: (name) => `${name} と話す`,
  agent: 'エージェント',
  noAgent: 'このアカウントには、お話しできるエージェントがまだありません。',
  createAgent: 'エージェントを作成',
  tryAvatar: 'アバターを試す',

  signIn: 'サインインして話す',
  readHow: '仕組みを読む',
  operator: ['このサービスの管理者の方は、', ' が表示したリンクを開いてください。'],
  linkSpent:
    'このリンクはすでに使用されたか、前回の起動より古いものです。最新のリンクをお使いください。',
  adminPassword: '管理者パスワード',
  open: '開く',
  wrongPassword: '管理者パスワードが違います。',

  unreachable: 'サービスが応答しません',
  unreachableAdvice: '接続を確認してから、もう一度お試しください。',
  failed: '問題が発生しました',
  failedAdvice: '数分後にもう一度お試しください。',
  tryAgain: 'もう一度試す',
};
