#!/usr/bin/env node
import { guardStreams } from './guard-streams.ts'
import { processSurroundings } from './surroundings.ts'
import { runTour } from './tour.ts'

guardStreams()
process.exitCode = await runTour(process.argv.slice(2), processSurroundings())
