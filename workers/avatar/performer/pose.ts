/** How the head is held: degrees (yaw to the picture's right, pitch down, roll to the left) and pixels. */
export type Pose = {
  yaw: number;
  pitch: number;
  roll: number;
  shiftX: number;
  shiftY: number;
  /** How far the chest is raised. */
  breath: number;
};

export const STRAIGHT: Pose = { yaw: 0, pitch: 0, roll: 0, shiftX: 0, shiftY: 0, breath: 0 };

const RADIANS = Math.PI / 180;

/** The arguments of the warp's `field`: the turn (roll, then pitch, then yaw) row by row, shift, breath. */
export function fieldArguments(pose: Pose): number[] {
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
    pose.shiftX,
    pose.shiftY,
    pose.breath,
  ];
}
