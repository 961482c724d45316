import type { CallWords } from './call-words.ts';

export const words: CallWords = {
  language: 'ja',
  betweenSentences: '',
  afterTitle: '。',

  call: '通話',
  callWith: (name) => `${name} との通話`,
  oneMoment: 'しばらくお待ちください…',
  someAgent: 'エージェント',
  aiLabel: 'AI アバター',
  talk: (name) => `話すか入力すると、${name} が対面でお答えします。`,
  cannotHear: (name) => `${name} は音声を聞き取れませんが、入力された文字を読みます。`,
  noMicrophone: 'マイクは必要ありません。',
  keepsTranscript: (name) => `${name} の運営者が通話の記録を保存します。`,
  mayLook: (name) =>
    `カメラがオンの間、話しかけたり入力したりすると、${name} がその映像を見ることがあります。画像はエージェントの言語モデルに送られます。このサービスは画像を保存しません。`,
  startCall: '通話を始める',

  status: {
    returning: '通話に戻っています',
    asking: '呼び出し中',
    joining: '接続中',
    coming: (name) => `${name} がまもなく参加します`,
    waiting: '空き回線を待っています',
    live: '通話中',
    away: (name) => `${name} が再接続しています`,
    rejoining: '接続が切れました。再接続しています…',
  },
  listening: '聞いています',
  thinking: '考えています',
  isThinking: (name) => `${name} が考えています。`,
  linesBusy: 'すべての回線が使用中です',
  connectedWhenFree: '回線が空き次第、おつなぎします。',
  numberInLine: (position) => `順番待ちの${position}番目です。`,
  noVideo: '映像はまだありません',
  videoOf: (name) => `${name} の映像`,
  turnOnSound: '音声をオンにする',

  controls: '通話の操作',
  mute: 'ミュート',
  unmute: 'ミュート解除',
  cameraOff: 'カメラをオフ',
  cameraOn: 'カメラをオン',
  canSee: (name) => `${name} に見えています`,
  cannotSee: (name) => `${name} はこの通話では画像を見られません。カメラはオフです。`,
  chat: 'チャット',
  endCall: '終了',
  cancel: 'キャンセル',
  close: '閉じる',
  talkTo: (name) => `${name} と話す`,
  backToCall: '通話に戻る',

  you: 'あなた',
  youWaiting: (name) => `あなた · ${name} の準備ができ次第送信します`,
  conversation: '会話',
  transcript: '会話の記録',
  conversationHint: '会話はここに表示されます。',
  message: (name) => `${name} へのメッセージ`,
  send: '送信',
  hideNotice: 'このお知らせを閉じる',
  ignored: {
    too_fast:
      '1 分間に送信されたメッセージが多すぎたため、最後のメッセージは届きませんでした。少し待ってから、もう一度送信してください。',
    too_often:
      '直近の 10 分間に送信されたメッセージが多いため、最後のメッセージは届きませんでした。数分待ってから、もう一度送信してください。',
    too_many:
      'この通話で送信できるメッセージの上限に達したため、最後のメッセージは届きませんでした。',
    incomplete: '最後のメッセージは届きませんでした。もう一度送信してください。',
  },
  deviceProblems: {
    microphone: {
      denied:
        'このページではマイクがブロックされています。アドレスバーの横で許可してから、もう一度オンにしてください。',
      missing: 'マイクが見つかりません。接続してから、もう一度オンにしてください。',
      in_use: 'マイクを開けませんでした。ほかのプログラムが使用している可能性があります。',
      not_secure: 'ブラウザーは https のページでのみマイクの使用を許可します。',
      failed: 'マイクを開けませんでした。もう一度オンにしてください。',
    },
    camera: {
      denied:
        'このページではカメラがブロックされています。アドレスバーの横で許可してから、もう一度オンにしてください。',
      missing: 'カメラが見つかりません。接続してから、もう一度オンにしてください。',
      in_use: 'カメラを開けませんでした。ほかのプログラムが使用している可能性があります。',
      not_secure: 'ブラウザーは https のページでのみカメラの使用を許可します。',
      failed: 'カメラを開けませんでした。もう一度オンにしてください。',
    },
  },

  ended: '通話は終了しました。',
  endings: {
    elsewhere: () => '通話は別のウィンドウで続いています。',
    left: () => '通話から退出しました。',
    ended_by_client: () => '通話は終了されました。',
    room_empty: () => '長い間不在だったため、通話は終了しました。',
    agent_left: (name) => `${name} が通話から退出しました。`,
    time_limit: (name) => `${name} との通話の制限時間に達しました。`,
    budget_reached: (name) => `${name} がこの通話に使える時間はなくなりました。`,
    worker_lost: (name) => `${name} を動かすマシンに障害が発生し、ほかに空きがありませんでした。`,
    service_stopped: () => 'サービスが停止したため、通話は終了しました。',
    never_started: (name) => `${name} は通話に参加しませんでした。`,
    room_closed: () => 'メディアサーバーが部屋を閉じました。',
  },
  callAgain: (name) => `${name} ともう一度通話する`,
  downloadTranscript: '記録をダウンロード',
  copyTranscript: '記録をコピー',
  copied: 'コピーしました',
  notCopied: 'コピーできませんでした',
  transcriptHead: (name, when) => `${name}（AI アバター）との通話、終了日時: ${when}`,
  rating: {
    question: '通話はいかがでしたか？',
    good: '良かった',
    bad: '良くなかった',
    whatWasGood: '良かった点をお聞かせください（任意）',
    whatToImprove: '改善してほしい点をお聞かせください（任意）',
    thanks: 'ありがとうございます。',
    thanksForWords: 'ありがとうございます。ご意見を送信しました。',
    failed: '保存できませんでした。もう一度お試しください。',
  },

  refusals: {
    not_found: () => [
      'エージェントが見つかりません',
      'リンクが間違っているか、エージェントが削除された可能性があります。',
    ],
    private: () => [
      'この通話には有効なリンクが必要です',
      'リンクが不完全か、期限が切れている可能性があります。新しいリンクをお求めください。',
    ],
    full: () => ['すべての回線が使用中です', '数分後にもう一度お試しください。'],
    too_often: () => [
      '通話の回数が多すぎます',
      'お使いのネットワークから、この 1 時間に多くの通話が始められました。',
    ],
    used_up: (name) => [`${name} は現在通話を受け付けていません`, '通話の費用の上限に達しました。'],
    unreachable: (name) => [
      `${name} に接続できません`,
      'サービスが応答しません。接続を確認してから、もう一度お試しください。',
    ],
    not_allowed: () => [
      'ここではこの通話を利用できません',
      'このページの所有者にお問い合わせください。',
    ],
    no_media: (name) => [
      `${name} に接続できませんでした`,
      '音声と映像は別の接続を使いますが、メディアサーバーが応答しません。ファイアウォールが接続を妨げている可能性があります。',
    ],
    failed: (name) => [`${name} は利用できません`, '問題が発生しました。もう一度お試しください。'],
  },
  localFirefox:
    'Firefox は同じマシン上のメディアサーバーに接続しません。別のブラウザーを使うか、about:config で media.peerconnection.ice.loopback を true に設定してください。',
  tryAgain: 'もう一度試す',
  tryAgainWhen: (when) => `${when}にもう一度お試しください。`,
};
