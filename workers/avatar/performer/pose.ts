/**
 * Head pose: degrees (yaw to the picture's right, pitch down, roll to the left) and pixels of a
 * face of 512 pixels.
 */
export type Pose = {
  yaw: number;
  pitch: number;
  roll: number;
  shiftX: number;
  shiftY: number;
  /** Elevation of the chest. */
  breath: number;
};

export const STRAIGHT: Pose = { yaw: 0, pitch: 0, roll: 0, shiftX: 0, shiftY: 0, breath: 0 };

const RADIANS = Math.PI / 180;

/** Points relative to the neck pivot in a face of 512 pixels: tip of the nose, brow, ears, hair. */
const MARKS = [
  { x: 0, y: 70, z: 130 },
  { x: 0, y: 150, z: 120 },
  { x: 85, y: 110, z: 20 },
  { x: -85, y: 110, z: 20 },
  { x: 0, y: 240, z: 60 },
];

/**
 * Approximate displacement of the fastest-moving point between two poses, in pixels at a size of
 * 512.
 */
export function travel(from: Pose, to: Pose): number {
  const yaw = (to.yaw - from.yaw) * RADIANS;
  const pitch = (to.pitch - from.pitch) * RADIANS;
  const roll = (to.roll - from.roll) * RADIANS;
  const breath = to.breath - from.breath;
  const [shiftX, shiftY] = [to.shiftX - from.shiftX, to.shiftY - from.shiftY];
  let most = Math.abs(breath);
  for (const { x, y, z } of MARKS) {
    const across = shiftX + yaw * z - roll * y;
    const down = shiftY + pitch * z + roll * x + breath / 2;
    most = Math.max(most, Math.hypot(across, down));
  }
  return most;
}

/** Share by which the chest widens for each pixel that it rises. */
const WIDER = 0.003;

/**
 * Arguments of the warp's `field`: rotation matrix (roll, then pitch, then yaw) by rows, shift,
 * breath, widening. `zoom` is the size of the face compared to one of 512 pixels.
 */
export function fieldArguments(pose: Pose, zoom = 1): number[] {
  const [cy, sy] = [Math.cos(pose.yaw * RADIANS), Math.sin(pose.yaw * RADIANS)];
  const [cp, sp] = [Math.cos(pose.pitch * RADIANS), Math.sin(pose.pitch * RADIANS)];
  const [cr, sr] = [Math.cos(pose.roll * RADIANS), Math.sin(pose.roll * RADIANS)];
  return [
    cy * cr + sy * sp * sr,
    -cy * sr + sy * sp * cr,
    sy * cp,
    cp * sr,
    cp * cr,
    -sp,
    -sy * cr + cy * sp * sr,
    sy * sr + cy * sp * cr,
    cy * cp,
    zoom * pose.shiftX,
    zoom * pose.shiftY,
    zoom * pose.breath,
    WIDER * pose.breath,
  ];
}
