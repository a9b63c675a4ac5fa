/**
 * The arithmetic of a BERT encoder, in AssemblyScript with 128-bit SIMD. TypeScript (`src/embedding/bundled/encoder.ts`)
 * owns the memory layout and the order of the steps; every function here takes addresses in bytes and works on
 * rows of numbers. Activations are f32 between the steps and 14-bit integers inside matrix products, weights are int8:
 * integer sums come out the same on every machine and in every batch.
 *
 * Buffers that `linear` reads or writes need room for one row more than `rows`: rows are taken in pairs.
 */

export { attend } from './encoder/attend'
export { gelu } from './encoder/gelu'
export { linear, quantise } from './encoder/linear'
export { addAndNormalise } from './encoder/normalise'
