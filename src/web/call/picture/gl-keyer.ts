/* Keying in WebGL. One texture and one triangle, so a picture allocates nothing. */
export type Keyer = { draw(video: HTMLVideoElement): void; close(): void };

const VERTEX = `attribute vec2 corner;
varying vec2 at;
void main() {
  at = vec2(corner.x + 1.0, 1.0 - corner.y) * 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/* `edge`: keeps the filter, and the shared colour of two pixels, from reading the other half. */
const FRAGMENT = `precision mediump float;
varying vec2 at;
uniform sampler2D picture;
uniform float edge;
void main() {
  float x = clamp(at.x * 0.5, edge, 0.5 - edge);
  float opacity = clamp((texture2D(picture, vec2(x + 0.5, at.y)).g - 0.031) / 0.938, 0.0, 1.0);
  gl_FragColor = vec4(min(texture2D(picture, vec2(x, at.y)).rgb, opacity), opacity);
}`;

/** Null: the browser has no WebGL. */
export function glKeyer(canvas: HTMLCanvasElement): Keyer | null {
  const gl = canvas.getContext('webgl', { premultipliedAlpha: true, antialias: false });
  if (!gl) return null;
  let edge = prepare(gl);

  const onLost = (event: Event) => {
    // Otherwise the browser never restores it.
    event.preventDefault();
    edge = null;
  };
  const onRestored = () => (edge = prepare(gl));
  canvas.addEventListener('webglcontextlost', onLost);
  canvas.addEventListener('webglcontextrestored', onRestored);

  return {
    draw(video) {
      if (!edge) return;
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, video);
      gl.uniform1f(edge, 1 / video.videoWidth);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    close() {
      canvas.removeEventListener('webglcontextlost', onLost);
      canvas.removeEventListener('webglcontextrestored', onRestored);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },
  };
}

/** Null: the context was lost meanwhile, and will be restored. */
function prepare(gl: WebGLRenderingContext): WebGLUniformLocation | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'corner');
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  // Sides that are no power of two.
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
    gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  return gl.getUniformLocation(program, 'edge');
}
