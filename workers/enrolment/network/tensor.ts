/** Values of `height` rows of `width` places of `channels`, as the graph's NHWC layout has them. */
export type Tensor = { height: number; width: number; channels: number; values: Float32Array };

export const tensor = (height: number, width: number, channels: number): Tensor => ({
  height,
  width,
  channels,
  values: new Float32Array(height * width * channels),
});

/** A tensor of the same shape. */
export const like = ({ height, width, channels }: Tensor): Tensor =>
  tensor(height, width, channels);
