/** Why a picture cannot become an avatar, as reported by workers, with advice for its owner. */
export const PICTURE_PROBLEMS = {
  not_a_picture:
    'This is not a JPEG, PNG or WebP picture, or it is damaged. Save it again as JPEG or PNG.',
  animated: 'This picture is animated. Send a still picture.',
  too_small: 'This picture is too small. Send one of at least 256 by 256 pixels.',
  too_large: 'This picture is too large. Send one of at most 40 million pixels.',
  no_face:
    'No face was found in this picture. Send one that shows a face from the front, in good light.',
  two_faces: 'More than one face was found in this picture. Crop it to a single face.',
  face_too_small:
    'The face in this picture is too small. Send a picture with a face at least 80 pixels wide.',
  turned_away:
    'The face in this picture is turned away. Send a picture of someone looking into the camera.',
  covered:
    'Part of the face is covered or cut off in this picture. Send one that shows the eyes, mouth and chin.',
  bad_background:
    'This background cannot be used. Send a still JPEG, PNG or WebP picture of at least 256 by 256 and at most 40 million pixels.',
  took_too_long: 'Building the avatar took too long. Try again, or send another picture.',
  build_failed: 'Building the avatar failed. Try again, or send another picture.',
} as const;

export type PictureProblem = keyof typeof PICTURE_PROBLEMS;
