/** Why a picture cannot become an avatar, as reported by workers, with advice for its owner. */
export const PICTURE_PROBLEMS = {
  not_a_picture:
    'This is not a picture of a known kind, or it is damaged. Save it again as JPEG or PNG.',
  damaged:
    'This picture is damaged or cut off, so that the face or part of it is missing. Send it again, or save it again as JPEG.',
  bitmap: 'This is a BMP picture. Save it as JPEG or PNG.',
  jpeg_2000: 'This is a JPEG 2000 picture. Save it as JPEG.',
  jpeg_xl: 'This is a JPEG XL picture. Save it as JPEG.',
  jpeg_xr: 'This is a JPEG XR picture. Save it as JPEG.',
  svg: 'This is an SVG drawing. Save it as PNG.',
  icon: 'This is an icon or cursor. Save its picture as PNG.',
  raw_photo: 'This is a raw photo of a camera. Develop it, and save it as JPEG.',
  layered: 'This is a file of a picture editor. Export it as JPEG or PNG.',
  pdf: 'This is a PDF or PostScript document. Save the picture in it as JPEG or PNG.',
  video: 'This is a video. Save one frame of it as JPEG or PNG.',
  web_page: 'This is a web page. Save the picture on it, and send that file.',
  archive: 'This is an archive or an office document. Send the picture in it.',
  other_picture: 'This is a picture of a kind that cannot be read. Save it as JPEG or PNG.',
  too_small: 'This picture is too small. Send one of at least 256 by 256 pixels.',
  too_large:
    'This picture has too many pixels to decode. Save it as a JPEG of at most 40 million pixels.',
  too_dark: 'This picture is too dark to recognize the face. Send one taken in good light.',
  too_bright: 'This picture is too bright to recognize the face. Send one taken with less light.',
  low_contrast:
    'This picture has too little contrast to show the face. Send one taken in good light, without fog or a faded look.',
  blurred: 'The face in this picture is blurred. Send one that is in focus, in its original size.',
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
    'This background cannot be used. Send a JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF picture of at least 256 by 256 pixels.',
  took_too_long: 'Building the avatar took too long. Try again, or send another picture.',
  build_failed: 'Building the avatar failed. Try again, or send another picture.',
} as const;

export type PictureProblem = keyof typeof PICTURE_PROBLEMS;
