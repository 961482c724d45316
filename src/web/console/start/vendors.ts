/** Services whose plugins work with `/compat/WORD`. A test compares it with the adapters. */
export const VENDORS = [
  { word: 'inference', name: 'LiveKit Inference' },
  { word: 'anam', name: 'Anam' },
  { word: 'anva', name: 'Anva' },
  { word: 'bithuman', name: 'bitHuman' },
  { word: 'boson_avatar', name: 'Boson' },
  { word: 'did', name: 'D-ID' },
  { word: 'hedra', name: 'Hedra' },
  { word: 'keyframe', name: 'Keyframe' },
  { word: 'lemonslice', name: 'LemonSlice' },
  { word: 'ojin', name: 'Ojin' },
  { word: 'protoface', name: 'Protoface' },
  { word: 'runway', name: 'Runway' },
  { word: 'simli', name: 'Simli' },
  { word: 'synthesia', name: 'Synthesia' },
  { word: 'tavus', name: 'Tavus' },
] as const;
