/* The rules of this project for oxlint. */
import { folders } from './folders.mjs';
import { journeyTime } from './journey-time.mjs';
import { commentWidth, folderSize, optionParts } from './sizes.mjs';

export default {
  meta: { name: 'troupe' },
  rules: {
    folders,
    'journey-time': journeyTime,
    'comment-width': commentWidth,
    'folder-size': folderSize,
    'option-parts': optionParts,
  },
};
