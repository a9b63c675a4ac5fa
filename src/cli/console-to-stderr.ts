import { Console } from 'node:console'

// Stdout is for answers alone, which programs read: what a library says to the console goes to stderr. To be imported first.
globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr })
