/** Why a picture does not become an avatar, with what its owner can do about it: what workers report and the API answers. */
export const PICTURE_PROBLEMS = {
  not_a_picture:
    'This is not a JPEG, PNG or WebP picture, or a damaged one. Save it again as JPEG or PNG.',
  animated: 'This picture is animated. Send a still one.',
  too_small: 'This picture is too small. Send one of at least 256 by 256 pixels.',
  too_large: 'This picture has too many pixels. Send one of at most 40 million.',
  no_face:
    'No face is seen in this picture. Send one that shows a face from the front, in good light.',
  two_faces: 'More than one face is seen in this picture. Cut it to the one that is meant.',
  face_too_small:
    'The face in this picture is too small. Send one whose face is at least 80 pixels wide.',
  turned_away: 'The face in this picture is turned away. Send one that looks into the camera.',
  covered:
    'Part of the face in this picture is covered or outside of it. Send one whose eyes, mouth and chin are seen.',
  bad_background:
    'The background is not a picture that can be used. Send a still JPEG, PNG or WebP picture of at least 256 by 256 and at most 40 million pixels.',
  took_too_long:
    'Building an avatar of this picture took too long. Try again, or send another picture.',
  build_failed: 'Building an avatar of this picture failed. Try again, or send another picture.',
} as const;

export type PictureProblem = keyof typeof PICTURE_PROBLEMS;
