/** The part of WebAssembly that the kernels are loaded with: Node has it, TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    /** Adds pages of 64 KiB and returns how many there were; the old `buffer` is empty afterwards. */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
}
