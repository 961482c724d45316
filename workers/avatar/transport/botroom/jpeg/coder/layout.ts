/*
 * Layout of the coder's memory, relative to the addresses that it is given. Used by AssemblyScript
 * and TypeScript.
 */

/** Pixels on one side of a macroblock: four luma blocks and one of each chroma plane. */
export const MACROBLOCK = 16;
export const BLOCKS = 6;

/*
 * Tables: constants of the transform, order of the coefficients, then luma's and chroma's
 * quantisers and codes.
 */
export const FACTORS = 0;
/** The offset of each coefficient in a block, in zigzag order: 64 bytes. */
export const PLACES = 128;
/** Byte shuffles that put 64 bytes in zigzag order: from each of four vectors to each of four. */
export const SHUFFLES = PLACES + 64;
export const COMPONENTS = SHUFFLES + 256;

/** In a component: the value subtracted from each sample, as 8 equal i16. */
export const LEVEL = 0;
/** Multipliers that together divide a coefficient, with 15 bits of fraction: 64 i16 each. */
export const FIRST_FACTORS = 16;
export const SECOND_FACTORS = FIRST_FACTORS + 128;
/** u32 each: the code, shifted to make room for the value, and in the low 5 bits both lengths. */
export const DC_CODES = SECOND_FACTORS + 128;
export const AC_CODES = DC_CODES + 64;
export const COMPONENT_BYTES = AC_CODES + 1024;
export const TABLE_BYTES = COMPONENTS + 2 * COMPONENT_BYTES;

/*
 * A coded block: its first coefficient (i32), the number of its further bits (i32), and those bits:
 * at most 63 of 26 and a word that is being filled, most significant bit first in words of 32.
 */
export const BITS = 4;
export const WORDS = 8;
export const BLOCK_BYTES = 224;
/** At most 20 bits for the first coefficient, all bytes escaped; the rest is for the marker. */
export const ROW_BYTES_PER_BLOCK = 424;
export const ROW_BYTES = 64;
