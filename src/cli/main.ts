#!/usr/bin/env node
import './console-to-stderr.ts'
import { guardStreams } from './guard-streams.ts'
import { runCli } from './run-cli.ts'
import { processSurroundings } from './surroundings.ts'

guardStreams()
process.exitCode = await runCli(process.argv.slice(2), processSurroundings())
