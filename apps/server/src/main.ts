#!/usr/bin/env node
import { run } from "./command-line/run.ts";

process.exitCode = await run(process.argv);
