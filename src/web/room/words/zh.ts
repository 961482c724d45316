import { words as callWords } from '../../call/words/zh.ts';
import type { RoomWords } from './room-words.ts';

export const words: RoomWords = {
  ...callWords,

  pictureOf: (name) => `${name} 的照片`,
  yourName: '您的姓名',
  optional: '（选填）',
  join: '加入',
  cameraStaysOff: '在您打开之前，摄像头保持关闭。',
  typeOnly: (name) => `请打字，${name} 会当面回答您。`,
  dictateInstead: '如需使用语音，请在通话中按“听写”：浏览器会将您的语音转换为文字。',
  microphone: '麦克风',
  camera: '摄像头',
  speaker: '扬声器',
  onWhenYouJoin: '加入时打开',
  onWhileHeld: '按住按钮时打开',
  offType: '已关闭。您可以打字。',
  youCanType: '您可以改用打字。',
  testIt: '测试',
  chooseMicrophone: '选择麦克风',

  settings: '设置',
  leave: '离开',
  captions: '字幕',
  captionSize: '字幕大小',
  captionSizes: { normal: '标准', large: '大', largest: '特大' },
  fullScreen: '全屏',
  leaveFullScreen: '退出全屏',
  pushToTalk: '按住说话',
  pushToTalkMeans: '按住空格键或麦克风按钮时，对方才能听到您。',
  holdToTalk: '按住说话',
  talking: '正在收听您',

  stopWaiting: '停止等待',
  nextTry: (when) => `${when}再次尝试。`,
  tryingAgain: '正在重试。',
  triedSoFar: (times) => `到目前为止已尝试 ${times} 次。`,
  cannotHearNow: (name) => `${name} 在本次通话中听不到您的声音，但会阅读您输入的文字。`,
  nothingWasSaid: '没有对话内容。',

  dictation: {
    start: '听写',
    stop: '停止听写',
    about: '浏览器会将您的语音转换为文字。有些浏览器会将语音发送给其厂商。',
    blocked: '此页面的麦克风已被阻止。',
    notAllowed: '浏览器不允许在此页面上听写。',
    noSpeech: '未检测到语音。',
    noMicrophone: '未找到麦克风。',
    network: '浏览器无法连接其语音识别服务。',
    failed: '听写失败。请重试。',
  },
};
