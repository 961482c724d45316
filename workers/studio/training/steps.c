/*
 * Inner loops of train.py, which numpy would split into many small steps. train.py compiles and calls them.
 * All arrays are contiguous 32-bit floats.
 */
#include <math.h>

/* e^x with an error of about 1e-7, in a form that compilers vectorise. */
static inline float power(float x) {
  x = x < -87.0f ? -87.0f : x > 87.0f ? 87.0f : x;
  float whole = floorf(x * 1.44269504f + 0.5f);
  float rest = x - whole * 0.693359375f + whole * 2.12194440e-4f;
  float sum = 1.0f + rest * (1.0f + rest * (0.5f + rest * (0.16666667f + rest * (0.041666668f + rest * (0.0083333310f + rest * 0.0013888889f)))));
  union { int bits; float value; } scale = {((int)whole + 127) << 23};
  return sum * scale.value;
}

static inline float sigmoid(float x) { return 1.0f / (1.0f + power(-x)); }

/* One hop of a gated layer for all lanes. `x` and `s` are the gate inputs from the input and the state. */
void forward(int lanes, int n, const float *restrict x, const float *restrict s, const float *restrict bias, const float *restrict before, float *restrict keep, float *restrict reset, float *restrict inner, float *restrict fresh, float *restrict after) {
  for (int lane = 0; lane < lanes; lane++) {
    const float *restrict gx = x + 3 * n * lane, *restrict gs = s + 3 * n * lane;
    int at = n * lane;
#pragma GCC ivdep
    for (int i = 0; i < n; i++) {
      float z = sigmoid(gx[i] + gs[i]);
      float r = sigmoid(gx[n + i] + gs[n + i]);
      float u = gs[2 * n + i] + bias[i];
      float c = 2.0f * sigmoid(2.0f * (gx[2 * n + i] + r * u)) - 1.0f;
      keep[at + i] = z;
      reset[at + i] = r;
      inner[at + i] = u;
      fresh[at + i] = c;
      after[at + i] = c + z * (before[at + i] - c);
    }
  }
}

/* Backward pass. `d` is the gradient for the state after the hop; it becomes the part that bypasses the gates. */
void backward(int lanes, int n, const float *restrict before, const float *restrict keep, const float *restrict reset, const float *restrict inner, const float *restrict fresh, const float *restrict own, float *restrict d, float *restrict dx, float *restrict ds) {
  for (int lane = 0; lane < lanes; lane++) {
    float *restrict gx = dx + 3 * n * lane, *restrict gs = ds + 3 * n * lane;
    int at = n * lane;
#pragma GCC ivdep
    for (int i = 0; i < n; i++) {
      float z = keep[at + i], r = reset[at + i], u = inner[at + i], c = fresh[at + i];
      float all = d[at + i] + own[at + i];
      float dc = all * (1.0f - z) * (1.0f - c * c);
      float dz = all * (before[at + i] - c) * z * (1.0f - z);
      float dr = dc * u * r * (1.0f - r);
      gx[i] = gs[i] = dz;
      gx[n + i] = gs[n + i] = dr;
      gx[2 * n + i] = dc;
      gs[2 * n + i] = dc * r;
      d[at + i] = all * z;
    }
  }
}

enum { VISEMES = 15, OUTPUTS = 18 };

/*
 * The loss of `rows` predictions for one lead, each OUTPUTS wide with stride `wide`: a logit for each viseme, opening,
 * rounding, shut lips. They are replaced by the gradient. `share`: weights of the viseme itself, of any that is right
 * nearby, opening, rounding, shut.
 */
double loss(int rows, int wide, float *out, const signed char *viseme, const unsigned short *also, const unsigned short *near, const signed char *shut, const float *weight, const float *opening, const float *rounding, const float *class_weights, const float *share, float scale) {
  double total = 0;
  for (int row = 0; row < rows; row++, out += wide) {
    float p[VISEMES], most = out[0], sum = 0, right = 0;
    for (int i = 1; i < VISEMES; i++) most = out[i] > most ? out[i] : most;
    for (int i = 0; i < VISEMES; i++) sum += p[i] = power(out[i] - most);
    for (int i = 0; i < VISEMES; i++) p[i] /= sum;
    int main = viseme[row], others = 0, bits = also[row] & ~(1 << main);
    for (int i = 0; i < VISEMES; i++) {
      others += bits >> i & 1;
      right += near[row] >> i & 1 ? p[i] : 0;
    }
    right = right > 1e-9f ? right : 1e-9f;
    float w = class_weights[main] * weight[row];
    float each = others ? 0.2f / others : 0;
    float strict = 0;
    for (int i = 0; i < VISEMES; i++) {
      float wanted = i == main ? (others ? 0.8f : 1.0f) : bits >> i & 1 ? each : 0;
      float got = near[row] >> i & 1 ? p[i] / right : 0;
      if (wanted > 0) strict -= wanted * logf(p[i] + 1e-9f);
      out[i] = scale * w * (share[0] * (p[i] - wanted) + share[1] * (p[i] - got));
    }
    total += w * (share[0] * strict - share[1] * logf(right));
    const float *truth[2] = {opening, rounding};
    for (int k = 0; k < 2; k++) {
      float y = sigmoid(out[VISEMES + k]), off = y - truth[k][row];
      total += share[2 + k] * off * off;
      out[VISEMES + k] = scale * share[2 + k] * 2 * off * y * (1 - y);
    }
    float y = sigmoid(out[VISEMES + 2]);
    float slope = 0;
    /* Shut lips count within a closure and away from closures, not at their edges. */
    if (shut[row] == 1) {
      total -= share[4] * 2 * weight[row] * logf(y + 1e-9f);
      slope = share[4] * 2 * weight[row] * (y - 1);
    } else if (shut[row] == 0) {
      total -= share[4] * logf(1 - y + 1e-9f);
      slope = share[4] * y;
    }
    out[VISEMES + 2] = scale * slope;
  }
  return total * scale;
}
