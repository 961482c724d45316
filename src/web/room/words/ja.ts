import { words as callWords } from '../../call/words/ja.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `${name} の写真`,
  yourName: 'お名前',
  optional: '（任意）',
  join: '参加する',
  typeOnly: (name) => `文字を入力すると、${name} が対面でお答えします。`,
  dictateInstead:
    '声を使うには、通話中に「音声入力」を押してください。ブラウザーが音声を文字に変換します。',
  microphone: 'マイク',
  camera: 'カメラ',
  speaker: 'スピーカー',
  onWhenYouJoin: '参加時にオン',
  onWhileHeld: 'ボタンを押している間だけオン',
  offType: 'オフ。文字を入力できます。',
  youCanType: '代わりに文字を入力できます。',
  testIt: 'テスト',
  chooseMicrophone: 'マイクを選択',
  showCamera: (name) => `${name} にカメラを見せる`,
  chooseCamera: 'カメラを選択',

  settings: '設定',
  leave: '退出',
  captions: '字幕',
  captionSize: '字幕の大きさ',
  captionSizes: { normal: '標準', large: '大', largest: '特大' },
  fullScreen: '全画面',
  leaveFullScreen: '全画面を終了',
  pushToTalk: '押して話す',
  pushToTalkMeans: 'スペースキーまたはマイクのボタンを押している間だけ、声が届きます。',
  holdToTalk: '押して話す',
  talking: '声が届いています',

  stopWaiting: '待つのをやめる',
  nextTry: (when) => `${when}に再試行します。`,
  tryingAgain: '再試行しています。',
  triedSoFar: (times) => `これまでに ${times} 回試しました。`,
  cannotHearNow: (name) =>
    `${name} はこの通話では音声を聞き取れませんが、入力された文字を読みます。`,
  nothingWasSaid: '会話はありませんでした。',

  dictation: {
    start: '音声入力',
    stop: '音声入力を終了',
    about: 'ブラウザーが音声を文字に変換します。音声を提供元に送信するブラウザーもあります。',
    blocked: 'このページではマイクがブロックされています。',
    notAllowed: 'このページでは、ブラウザーが音声入力を許可していません。',
    noSpeech: '音声が検出されませんでした。',
    noMicrophone: 'マイクが見つかりません。',
    network: 'ブラウザーが音声認識サービスに接続できませんでした。',
    failed: '音声入力に失敗しました。もう一度お試しください。',
  },
};
