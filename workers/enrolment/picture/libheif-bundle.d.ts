declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  type Rgba = { width: number; height: number; data: Uint8ClampedArray };

  type HeifImage = {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Calls back with null if the picture cannot be decoded. */
    display(into: Rgba, done: (picture: Rgba | null) => void): void;
  };

  type LibHeif = {
    HeifDecoder: new () => {
      /** Reads the headers only. None if the file cannot be read. */
      decode(file: Uint8Array): HeifImage[];
    };
  };

  export default function openLibHeif(): LibHeif;
}
